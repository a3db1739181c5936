from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import unittest
from typing import Any, Callable, Dict, List, Mapping, Optional, TypedDict, Union

from kurz import WebhookError, verify_webhook
from kurz.types import WebhookEvent

SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
TIME = 1_700_000_000
BODY = b'{"id":"evt_01hf4t9c0000000000000000aa","type":"link.created"}'
SIGNATURE = "28b1aa7ae5062c590f8f72ba61629e0a1a5cb0f8ca5cf3152747a6ce953e9df7"


class Delivery(TypedDict):
    body: str
    headers: Dict[str, str]
    secret: str


def sign(body: bytes, secret: str = SECRET, time: int = TIME) -> str:
    return hmac.new(secret.encode(), f"{time}.".encode() + body, hashlib.sha256).hexdigest()


def headers_of(signature: str) -> Dict[str, str]:
    return {"Service-Signature": signature, "Service-Delivery": "dlv_1"}


GOOD = headers_of(f"t={TIME},v1={SIGNATURE}")


class VerifyWebhook(unittest.TestCase):
    def verify(
        self,
        body: Union[bytes, str] = BODY,
        headers: Mapping[str, str] = GOOD,
        secret: str = SECRET,
        at: float = TIME,
        seen: Optional[Callable[[str, WebhookEvent], bool]] = None,
    ) -> WebhookEvent:
        return verify_webhook(body, headers, secret, now=lambda: at, seen=seen)

    def refuse(self, reason: str, **given: Any) -> WebhookError:
        with self.assertRaises(WebhookError) as caught:
            self.verify(**given)
        self.assertEqual(caught.exception.reason, reason)
        return caught.exception

    def test_the_example_of_the_docs(self) -> None:
        self.assertEqual(self.verify()["id"], "evt_01hf4t9c0000000000000000aa")
        self.assertEqual(self.verify(body=BODY.decode())["type"], "link.created")

    def test_header_names_in_any_case(self) -> None:
        for change in (str.lower, str.upper):
            self.verify(headers={change(name): value for name, value in GOOD.items()})

    def test_one_of_several_signatures(self) -> None:
        other = sign(BODY, "whsec_other")
        for text in (f"v1={other},v1={SIGNATURE}", f"v1={SIGNATURE},v1={other}", f"v0=x, v1={SIGNATURE}"):
            self.verify(headers=headers_of(f"t={TIME},{text}"))

    def test_time(self) -> None:
        for at in (TIME - 299.9, TIME + 299.9):
            self.verify(at=at)
        for at in (TIME - 300, TIME + 300, TIME + 10**6):
            self.refuse("wrong_time", at=at)

    def test_whatever_is_changed_is_refused(self) -> None:
        self.refuse("wrong_signature", body=BODY + b" ")
        self.refuse("wrong_signature", secret=SECRET + "x")
        self.refuse("wrong_signature", headers=headers_of(f"t={TIME + 1},v1={SIGNATURE}"))
        self.refuse("wrong_signature", headers=headers_of(f"t={TIME},v1={SIGNATURE[:-1]}"))
        self.refuse("wrong_signature", headers=headers_of(f"t={TIME},v1={SIGNATURE}x"))
        self.refuse("wrong_signature", headers=headers_of(f"t={TIME},v1={SIGNATURE.upper()}"))
        self.refuse("wrong_signature", headers=headers_of(f"t={TIME},v1=ä"))

    def test_malformed_headers(self) -> None:
        for text in (
            *("t=1", f"v1={SIGNATURE}", f"t=,v1={SIGNATURE}", f"t=x,v1={SIGNATURE}", "x", ",", "="),
            *(f"t={TIME},t={TIME},v1={SIGNATURE}", f"t=-{TIME},v1={SIGNATURE}", f"t=٣,v1={SIGNATURE}"),
            *(f"t={'1' * 13},v1={SIGNATURE}", f"t={TIME} 0,v1={SIGNATURE}"),
        ):
            self.refuse("malformed_signature", headers=headers_of(text))
        self.refuse("missing_header", headers={})
        self.refuse("missing_header", headers={"Service-Signature": GOOD["Service-Signature"]})

    def test_a_body_that_is_no_event(self) -> None:
        for body in (b"", b"{", b"[]", b"7", b'{"id":1}', b"\xff"):
            self.refuse("invalid_payload", body=body, headers=headers_of(f"t={TIME},v1={sign(body)}"))

    def test_duplicates_are_only_asked_about_if_genuine(self) -> None:
        asked: List[str] = []

        def seen(delivery_id: str, event: WebhookEvent) -> bool:
            asked.append(f"{delivery_id} {event['type']}")
            return len(asked) > 1

        self.refuse("wrong_signature", body=b"{}", seen=seen)
        self.verify(seen=seen)
        error = self.refuse("duplicate", seen=seen)
        self.assertEqual((error.status, asked), (200, ["dlv_1 link.created"] * 2))
        self.assertEqual(self.refuse("wrong_time", at=0).status, 400)

    def test_mistakes_of_the_receiver(self) -> None:
        with self.assertRaises(ValueError):
            self.verify(secret="")
        for tolerance in (0, -1, float("nan")):
            with self.assertRaises(ValueError):
                verify_webhook(BODY, GOOD, SECRET, tolerance_seconds=tolerance, now=lambda: TIME)
        parsed: Any = json.loads(BODY)
        with self.assertRaises(TypeError):
            self.verify(body=parsed)


class StandardWebhooks(unittest.TestCase):
    """Made by the library of that name; the tests of the server pass them."""

    def test_deliveries_of_other_libraries(self) -> None:
        deliveries: List[Delivery] = json.loads(os.environ["KURZ_STANDARD_DELIVERIES"])
        self.assertGreater(len(deliveries), 1)
        for delivery in deliveries:
            body, headers = base64.b64decode(delivery["body"]), delivery["headers"]
            verify_webhook(body, headers, delivery["secret"])
            rotated = {**headers, "webhook-signature": f"v1,AAAA v1a,x {headers['webhook-signature']}"}
            verify_webhook(body, rotated, delivery["secret"])
            for changed in (
                {**headers, "webhook-id": "msg_other"},
                {**headers, "webhook-timestamp": str(int(headers["webhook-timestamp"]) - 1)},
                {**headers, "webhook-signature": "v1,AAAA"},
            ):
                with self.assertRaises(WebhookError) as caught:
                    verify_webhook(body, changed, delivery["secret"])
                self.assertEqual(caught.exception.reason, "wrong_signature")
            with self.assertRaises(WebhookError) as caught:
                verify_webhook(body, headers, delivery["secret"], now=lambda: 0.0)
            self.assertEqual(caught.exception.reason, "wrong_time")

    def test_real_deliveries(self) -> None:
        deliveries: List[Delivery] = json.loads(os.environ["KURZ_DELIVERIES"])
        self.assertGreater(len(deliveries), 1)
        for delivery in deliveries:
            body, headers = base64.b64decode(delivery["body"]), delivery["headers"]
            standard = {name: value for name, value in headers.items() if name.startswith("webhook-")}
            self.assertEqual(len(standard), 3)
            for some in (headers, standard):
                event = verify_webhook(body, some, delivery["secret"])
                self.assertEqual(event, json.loads(body))
                with self.assertRaises(WebhookError):
                    verify_webhook(body, some, SECRET)

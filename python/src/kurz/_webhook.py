from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from typing import Any, Callable, List, Literal, Mapping, NamedTuple, Optional, Tuple, Union, cast

from .types import WebhookEvent

TOLERANCE_SECONDS = 300
EPOCH_SECONDS = re.compile(r"[0-9]{1,12}")

WebhookErrorReason = Literal[
    # A header that every delivery has is missing.
    "missing_header",
    # The signature header has another form.
    "malformed_signature",
    # No signature matches: wrong secret, changed body, or a forgery.
    "wrong_signature",
    # Signed too long ago or in the future: a replay, or a wrong clock.
    "wrong_time",
    # Correctly signed, but not an event.
    "invalid_payload",
    # `seen` returned true for this delivery.
    "duplicate",
]


class WebhookError(Exception):
    """The delivery must not be processed. Respond with `status`: 200 for a duplicate, since there is nothing to retry."""

    def __init__(self, reason: WebhookErrorReason, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.status = 200 if reason == "duplicate" else 400

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self.reason, str(self)), self.__dict__


class Signed(NamedTuple):
    delivery_id: str
    # As sent, because it is part of the signed text.
    timestamp: str
    expected: bytes
    candidates: List[bytes]


def verify_webhook(
    body: Union[bytes, bytearray, memoryview, str],
    headers: Mapping[str, str],
    secret: str,
    *,
    tolerance_seconds: float = TOLERANCE_SECONDS,
    now: Callable[[], float] = time.time,
    seen: Optional[Callable[[str, WebhookEvent], bool]] = None,
) -> WebhookEvent:
    """Verifies that a delivery comes from the service and is fresh, and returns its event.

    Pass the raw body: JSON that was parsed and serialized again has different bytes. `seen` says whether a delivery was
    already processed; it is only called for genuine ones.

    Raises a WebhookError otherwise.
    """
    raw = body.encode() if isinstance(body, str) else bytes(body)
    if not secret:
        raise ValueError("verify_webhook requires the endpoint's secret")
    # NaN compares as false, which would accept any time.
    if not tolerance_seconds > 0:
        raise ValueError("tolerance_seconds must be a positive number")

    found = {name.lower(): value for name, value in headers.items()}
    signed = read_own(found, secret, raw) if "service-signature" in found else read_standard(found, secret, raw)
    # All of them, so that the time doesn't tell which one matches.
    if not any([hmac.compare_digest(signed.expected, candidate) for candidate in signed.candidates]):
        raise WebhookError("wrong_signature", "No signature matches the body and this secret.")
    if abs(now() - int(signed.timestamp)) >= tolerance_seconds:
        raise WebhookError(
            "wrong_time", f"The delivery was signed {tolerance_seconds:g} seconds or more ago, or in the future."
        )
    event = parse_event(raw)
    if seen is not None and seen(signed.delivery_id, event):
        raise WebhookError("duplicate", f"{signed.delivery_id} was already processed.")
    return event


def read_own(headers: Mapping[str, str], secret: str, body: bytes) -> Signed:
    """`t=<Unix seconds>,v1=<hex>`. There may be several `v1`; other names are ignored."""
    pairs = [pair.strip().partition("=") for pair in headers["service-signature"].split(",")]
    times = [value for name, _, value in pairs if name == "t"]
    candidates = [value.encode() for name, _, value in pairs if name == "v1"]
    if len(times) != 1 or not EPOCH_SECONDS.fullmatch(times[0]) or not candidates:
        raise WebhookError("malformed_signature", "Service-Signature must be t=<Unix seconds>,v1=<signature>.")
    expected = hmac.new(secret.encode(), times[0].encode() + b"." + body, hashlib.sha256).hexdigest().encode()
    return Signed(header_of(headers, "Service-Delivery"), times[0], expected, candidates)


def read_standard(headers: Mapping[str, str], secret: str, body: bytes) -> Signed:
    """Standard Webhooks: `v1,<base64>`, several of them with spaces between."""
    delivery_id = header_of(headers, "Webhook-Id")
    timestamp = header_of(headers, "Webhook-Timestamp")
    schemes = [part.partition(",") for part in header_of(headers, "Webhook-Signature").split(" ")]
    candidates = [value.encode() for name, _, value in schemes if name == "v1"]
    if not EPOCH_SECONDS.fullmatch(timestamp) or not candidates:
        raise WebhookError("malformed_signature", "Webhook-Signature must be v1,<signature>.")
    text = f"{delivery_id}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.new(standard_key(secret), text, hashlib.sha256).digest())
    return Signed(delivery_id, timestamp, expected, candidates)


def standard_key(secret: str) -> bytes:
    prefix = "whsec_"
    try:
        return base64.b64decode(secret[len(prefix) :] if secret.startswith(prefix) else secret, validate=True)
    except binascii.Error as error:
        raise ValueError("the endpoint's secret must be whsec_ and base64") from error


def header_of(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name.lower())
    if not value:
        raise WebhookError("missing_header", f"The {name} header is missing.")
    return value


def parse_event(body: bytes) -> WebhookEvent:
    try:
        event: Any = json.loads(body)
    except ValueError:
        event = None
    if isinstance(event, dict) and "id" in event and "type" in event:
        # Signed by the service, which validates payloads before it stores them.
        return cast("WebhookEvent", event)
    raise WebhookError("invalid_payload", "The body is not an event.")

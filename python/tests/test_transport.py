from __future__ import annotations

import copy
import json
import pickle
import threading
import time
import unittest
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, List, NamedTuple, Optional

from kurz import Kurz, KurzConnectionError, KurzError, WebhookError

LINK = json.dumps({"id": "lnk_1"}).encode()


class Seen(NamedTuple):
    method: str
    path: str
    headers: Dict[str, str]
    body: bytes


Answer = Callable[[BaseHTTPRequestHandler], None]


def answer(status: int, body: bytes = b"", headers: Optional[Dict[str, str]] = None) -> Answer:
    def send(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(body)), **(headers or {})}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)

    return send


def refuse(status: int, code: str, headers: Optional[Dict[str, str]] = None) -> Answer:
    return answer(status, json.dumps({"error": {"code": code, "message": "No.", "request_id": "req_1"}}).encode(), headers)


def hang_up(handler: BaseHTTPRequestHandler) -> None:
    handler.connection.close()


class Transport(unittest.TestCase):
    """Against a server that answers as it is told."""

    def setUp(self) -> None:
        self.seen: List[Seen] = []
        self.answers: List[Answer] = []
        self.waits: List[float] = []
        test = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                test.seen.append(Seen(self.command, self.path, {k.lower(): v for k, v in self.headers.items()}, body))
                (test.answers.pop(0) if test.answers else answer(200, LINK))(self)

            do_GET = do_POST = do_PATCH = do_DELETE = do_PUT = answer

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def tearDown(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    def open(self, **options: Any) -> Kurz:
        return Kurz(self.url, "kurz_token", sleep=self.waits.append, random=lambda: 1.0, **options)

    def test_what_is_sent(self) -> None:
        self.open().links.update("a b/c", {"title": None, "tags": ["ä"]}, if_match=3)
        self.open(user_agent="mine/1").links.list(tag=["a&b", "c"], expired=True, limit=5, q=None)
        update, listed = self.seen
        self.assertEqual((update.method, update.path), ("PATCH", "/api/v1/links/a%20b%2Fc"))
        self.assertEqual(json.loads(update.body), {"title": None, "tags": ["ä"]})
        self.assertEqual(update.headers["authorization"], "Bearer kurz_token")
        self.assertEqual(update.headers["content-type"], "application/merge-patch+json")
        self.assertEqual(update.headers["if-match"], '"3"')
        self.assertRegex(update.headers["user-agent"], r"^kurz-python/\d+\.\d+\.\d+ Python/3\.")
        self.assertNotIn("idempotency-key", update.headers)
        self.assertEqual(listed.headers["user-agent"], "mine/1")
        self.assertEqual(sorted(listed.path.split("?")[1].split("&")), ["expired=true", "limit=5", "tag=a%26b", "tag=c"])

    def test_retries_are_identical_and_wait_longer_each_time(self) -> None:
        self.answers = [refuse(503, "unavailable"), hang_up]
        self.open().links.create({"destination_url": "https://example.com/"})
        self.assertEqual(len(self.seen), 3)
        self.assertEqual(len({(each.body, each.headers["idempotency-key"]) for each in self.seen}), 1)
        self.assertEqual(self.waits, [0.5, 1.0])

    def test_retry_after(self) -> None:
        self.answers = [refuse(429, "rate_limited", {"Retry-After": "7"})]
        self.open().links.get("lnk_1")
        self.assertEqual(self.waits, [7.0])
        self.answers = [refuse(503, "unavailable", {"Retry-After": formatdate(time.time() + 30, usegmt=True)})]
        self.open().links.get("lnk_1")
        self.assertTrue(25 <= self.waits[1] <= 31, self.waits)
        self.answers = [refuse(429, "rate_limited", {"Retry-After": "61"})]
        with self.assertRaises(KurzError) as caught:
            self.open().links.get("lnk_1")
        self.assertEqual((caught.exception.retry_after_seconds, len(self.waits)), (61, 2))

    def test_what_is_not_safe_to_repeat_is_not(self) -> None:
        kurz = self.open()
        for answered in (refuse(503, "unavailable"), hang_up):
            self.answers = [answered]
            with self.assertRaises((KurzError, KurzConnectionError)):
                kurz.links.update("lnk_1", {"title": "New"})
        self.assertEqual(len(self.seen), 2)
        # Refused unread, or guarded by a version.
        self.answers = [refuse(429, "rate_limited")]
        kurz.links.update("lnk_1", {"title": "New"})
        self.answers = [refuse(503, "unavailable")]
        kurz.links.update("lnk_1", {"title": "New"}, if_match=2)
        self.answers = [refuse(409, "idempotency_in_progress")]
        kurz.links.create({"destination_url": "https://example.com/"})
        self.assertEqual(len(self.seen), 8)
        for status, code in ((400, "bad_request"), (409, "slug_taken"), (404, "not_found"), (501, "other")):
            self.answers = [refuse(status, code)]
            with self.assertRaises(KurzError):
                kurz.links.get("lnk_1")
        self.assertEqual(len(self.seen), 12)

    def test_what_makes_a_secret_is_sent_once(self) -> None:
        kurz = self.open()
        calls: List[Callable[[], Any]] = [
            lambda: kurz.tokens.create({"name": "CI", "scopes": ["links:read"]}),
            lambda: kurz.webhooks.create({"url": "https://hooks.example/"}),
            lambda: kurz.webhooks.rotate("we_1"),
            lambda: kurz.webhooks.test("we_1"),
        ]
        for call in calls:
            for answered in (refuse(503, "unavailable"), hang_up):
                self.seen.clear()
                self.answers = [answered]
                with self.assertRaises((KurzError, KurzConnectionError)):
                    call()
                self.assertEqual(len(self.seen), 1)
            # Refused unread.
            self.seen.clear()
            self.answers = [refuse(429, "rate_limited")]
            call()
            self.assertEqual(len(self.seen), 2)

    def test_a_deletion_whose_response_was_lost(self) -> None:
        for lost in (hang_up, refuse(502, "unavailable")):
            self.answers = [lost, refuse(404, "not_found")]
            self.open().tokens.revoke("4fJq81ZkWx0B")
        self.answers = [refuse(429, "rate_limited"), refuse(404, "not_found")]
        with self.assertRaises(KurzError) as caught:
            self.open().webhooks.delete("we_1")
        self.assertEqual((caught.exception.code, len(self.seen)), ("not_found", 6))

    def test_as_many_retries_as_wanted(self) -> None:
        for retries_max in (0, 1, 3):
            self.seen.clear()
            self.answers = [refuse(500, "internal_error")] * 4
            with self.assertRaises(KurzError):
                self.open(retries_max=retries_max).links.get("lnk_1")
            self.assertEqual(len(self.seen), retries_max + 1)

    def test_an_answer_that_is_not_from_the_service(self) -> None:
        for answered in (
            answer(502, b"<h1>Bad gateway</h1>", {"Content-Type": "text/html"}),
            answer(200, b"<h1>Sign in</h1>", {"Content-Type": "text/html"}),
            answer(400, b'{"error":"nonsense"}'),
            answer(400, b'["error"]'),
            answer(302, b"", {"Location": "http://127.0.0.1:1/elsewhere"}),
        ):
            self.answers = [answered]
            with self.assertRaises(KurzError) as caught:
                self.open(retries_max=0).links.get("lnk_1")
            self.assertEqual((caught.exception.code, caught.exception.details), ("unexpected_answer", None))

    def test_errors_can_be_sent_to_another_process(self) -> None:
        self.answers = [
            answer(409, b'{"error":{"code":"slug_taken","message":"Taken.","request_id":"req_1","details":{"slug":"a"}}}')
        ]
        with self.assertRaises(KurzError) as caught:
            self.open().links.get("lnk_1")
        errors: List[Exception] = [
            caught.exception,
            KurzConnectionError("timeout", "no response within 1 seconds"),
            WebhookError("duplicate", "dlv_1 was already processed."),
        ]
        for error in errors:
            for copied in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
                self.assertEqual((type(copied), str(copied), copied.args), (type(error), str(error), error.args))
                self.assertEqual({**vars(copied), "headers": None}, {**vars(error), "headers": None})
        unpickled = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual(unpickled.headers["Content-Type"], "application/json")
        self.assertEqual(unpickled.details, {"slug": "a"})

    def test_timeouts(self) -> None:
        done = threading.Event()

        def silent(handler: BaseHTTPRequestHandler) -> None:
            done.wait(60)

        def slow(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(200)
            handler.send_header("Content-Length", "1000000")
            handler.end_headers()
            while not done.wait(0.02):
                try:
                    handler.wfile.write(b"x")
                except OSError:
                    return

        try:
            for answered in (silent, slow):
                self.answers = [answered]
                with self.assertRaises(KurzConnectionError) as caught:
                    self.open(timeout=0.3, retries_max=0).links.get("lnk_1")
                self.assertEqual(caught.exception.reason, "timeout")
        finally:
            done.set()

    def test_connections_that_fail(self) -> None:
        unused = ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
        unused.server_close()
        nobody = Kurz(f"http://127.0.0.1:{unused.server_port}", "kurz_token", retries_max=0)
        with self.assertRaises(KurzConnectionError) as caught:
            nobody.me.get()
        self.assertEqual(caught.exception.reason, "network")
        cut = answer(200, LINK, {"Content-Length": str(len(LINK) + 10)})

        def cut_off(handler: BaseHTTPRequestHandler) -> None:
            cut(handler)
            handler.close_connection = True

        self.answers = [cut_off]
        with self.assertRaises(KurzConnectionError):
            self.open(retries_max=0).links.get("lnk_1")

    def test_a_stream_that_breaks_off(self) -> None:
        def part(handler: BaseHTTPRequestHandler) -> None:
            handler.protocol_version = "HTTP/1.1"
            handler.send_response(200)
            handler.send_header("Content-Type", "application/x-ndjson")
            handler.send_header("Transfer-Encoding", "chunked")
            handler.end_headers()
            handler.wfile.write(b'13\r\n{"id":"lnk_1"}\n{"id\r\n')
            handler.close_connection = True

        self.answers = [part]
        lines = self.open().links.export()
        self.assertEqual(next(lines)["id"], "lnk_1")
        with self.assertRaises(KurzConnectionError):
            next(lines)

    def test_options_are_checked(self) -> None:
        for url in ("", "s.example", "ftp://s.example", "https://", "https://s.example/?a=1"):
            with self.assertRaisesRegex(ValueError, "base_url"):
                Kurz(url, "kurz_token")
        for token in ("", "two words", "kurz_token\n", "ä"):
            with self.assertRaisesRegex(ValueError, "token"):
                Kurz(self.url, token)
        with self.assertRaisesRegex(ValueError, "timeout"):
            Kurz(self.url, "kurz_token", timeout=0)
        with self.assertRaisesRegex(ValueError, "retries_max"):
            Kurz(self.url, "kurz_token", retries_max=-1)
        self.assertEqual(Kurz(self.url + "/", "kurz_token").links.get("lnk_1"), {"id": "lnk_1"})

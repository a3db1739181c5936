from __future__ import annotations

import inspect
import itertools
import json
import os
import tarfile
import tempfile
import unittest
import uuid

from kurz import Kurz, KurzError
from kurz._operations import OPERATIONS
from kurz.types import LinkCreate

URL, TOKEN = os.environ["KURZ_URL"], os.environ["KURZ_TOKEN"]


def text() -> str:
    return str(uuid.uuid4())


class AgainstAServer(unittest.TestCase):
    def setUp(self) -> None:
        self.kurz = Kurz(URL, TOKEN)

    def fail_with(self, code: str, call: object) -> KurzError:
        assert callable(call)
        with self.assertRaises(KurzError) as caught:
            call()
        self.assertEqual(caught.exception.code, code)
        self.assertTrue((caught.exception.request_id or "").startswith("req_"))
        return caught.exception

    def test_a_link_from_beginning_to_end(self) -> None:
        tag = text()
        body: LinkCreate = {"destination_url": "https://example.com/sale", "tags": [tag], "title": "Grüße 🔗"}
        link = self.kurz.links.create(body)
        self.assertEqual(self.kurz.links.get(link["id"]), link)
        changed = self.kurz.links.update(link["id"], {"title": None}, if_match=link["version"])
        self.assertEqual((changed["title"], changed["version"], changed["tags"]), (None, 2, [tag]))
        error = self.fail_with(
            "precondition_failed", lambda: self.kurz.links.update(link["id"], {"title": "Old"}, if_match=1)
        )
        self.assertEqual((error.status, error.details), (412, {"current_version": 2}))
        self.assertEqual(self.kurz.links.pause(link["id"])["state"], "paused")
        self.assertEqual(self.kurz.links.resume(link["id"])["state"], "active")
        self.assertEqual(self.kurz.links.tags(link["id"], {"add": ["more"]})["tags"], ["more", tag][:: 1 if "more" < tag else -1])
        self.assertEqual(self.kurz.links.count(tag=[tag])["count"], 1)
        self.assertEqual(self.kurz.tags.get(tag)["link_count"], 1)
        versions = [version["version"] for version in self.kurz.links.all_versions(link["id"], limit=2)]
        self.assertEqual(versions, [5, 4, 3, 2, 1])
        self.assertEqual(self.kurz.links.revert(link["id"], 1)["title"], "Grüße 🔗")
        self.kurz.links.delete(link["id"])
        self.assertEqual(self.kurz.links.restore(link["id"])["state"], "active")
        self.kurz.links.delete(link["id"], permanent=True)
        self.fail_with("not_found", lambda: self.kurz.links.get(link["id"]))

    def test_a_key_creates_once(self) -> None:
        key = text()
        links = [
            self.kurz.links.create({"destination_url": "https://example.com/"}, idempotency_key=key) for _ in range(2)
        ]
        self.assertEqual(links[0]["id"], links[1]["id"])

    def test_upsert_and_many_at_once(self) -> None:
        external_id = f"order/{text()} ä"
        first = self.kurz.links.upsert(external_id, {"destination_url": "https://example.com/1"})
        second = self.kurz.links.upsert(external_id, {"destination_url": "https://example.com/2"})
        self.assertEqual((first["id"], second["version"]), (second["id"], 2))
        results = self.kurz.links.bulk(
            [
                {"op": "create", "link": {"destination_url": "https://example.com/3"}},
                {"op": "pause", "id": first["id"]},
                {"op": "pause", "id": "lnk_none"},
            ]
        )
        self.assertEqual((results["succeeded"], results["failed"]), (2, 1))
        error = self.fail_with(
            "operation_failed", lambda: self.kurz.links.bulk([{"op": "pause", "id": "lnk_none"}], atomic=True)
        )
        self.assertEqual(error.details["index"], 0)

    def test_pages_and_exports(self) -> None:
        tag = text()
        made = [
            self.kurz.links.create({"destination_url": f"https://example.com/{n}", "tags": [tag]})["id"]
            for n in range(5)
        ]
        page = self.kurz.links.list(tag=[tag], limit=2, sort="created_at")
        self.assertEqual(([link["id"] for link in page["data"]], page["has_more"]), (made[:2], True))
        self.assertEqual([link["id"] for link in self.kurz.links.all(tag=[tag], limit=2, sort="created_at")], made)
        first = itertools.islice(self.kurz.links.all(tag=[tag], limit=1), 1)
        self.assertEqual([link["id"] for link in first], made[-1:])
        some = list(self.kurz.links.all(tag=[tag], fields=["id", "slug"]))
        self.assertEqual({tuple(link) for link in some}, {("id", "slug")})
        self.assertEqual([link["id"] for link in self.kurz.links.export(tag=[tag])], made)
        self.assertEqual(list(self.kurz.links.export(tag=[text()])), [])
        table = b"".join(self.kurz.links.export_csv(tag=[tag])).decode().splitlines()
        self.assertEqual(len(table), 6)
        # Stops in the middle, and closes the connection.
        self.assertEqual(next(self.kurz.links.export())["id"][:4], "lnk_")
        self.assertEqual(self.kurz.links.list(state=["archived", "paused"], blocked=False, tag=[tag])["data"], [])

    def test_reports_pictures_and_an_archive(self) -> None:
        link = self.kurz.links.create({"destination_url": "https://example.com/"})
        report = self.kurz.links.analytics(link["id"], interval="7d", group_by=["country", "device"])
        self.assertEqual((report["totals"]["clicks"], sorted(report["breakdowns"])), (0, ["country", "device"]))
        self.assertIn("clicks", self.kurz.analytics.get(format="csv").splitlines()[0])
        days = self.kurz.analytics.get(from_="2026-01-01", to="2026-01-03")
        self.assertEqual(days["period"]["from"][:10], "2026-01-01")
        self.assertEqual(list(self.kurz.clicks.all()), [])
        self.assertEqual(self.kurz.links.qr(link["id"], size=128)[:8], b"\x89PNG\r\n\x1a\n")
        self.assertTrue(self.kurz.links.qr(link["id"], format="svg").startswith(b"<svg"))
        with tempfile.TemporaryFile() as file:
            for piece in self.kurz.account.export():
                file.write(piece)
            file.seek(0)
            with tarfile.open(fileobj=file) as archive:
                self.assertIn("manifest", archive.getnames()[0])

    def test_other_resources(self) -> None:
        identity = self.kurz.me.get()
        self.assertEqual((identity["api_version"], identity["demo"]), ("v1", False))
        link = self.kurz.links.create({"destination_url": "https://example.com/"})
        share = self.kurz.links.share(link["id"], {"min_visitors": 5})
        self.assertEqual(self.kurz.links.shares(link["id"]), [share])
        self.assertIn(share["id"], [each["id"] for each in self.kurz.shares.all()])
        self.kurz.shares.revoke(share["id"])
        self.assertEqual(self.kurz.links.resolve(link["id"])["location"], "https://example.com/")
        rules = self.kurz.links.resolve(
            link["id"],
            {"os": "iOS", "rules": [{"name": "ios", "when": {"os": ["iOS"]}, "destination_url": "https://ios.example/"}]},
        )
        self.assertEqual(rules["rule"], "ios")
        endpoint = self.kurz.webhooks.create({"url": "https://hooks.example/kurz"})
        self.assertTrue(endpoint["secret"].startswith("whsec_"))
        self.assertEqual(self.kurz.webhooks.disable(endpoint["id"])["enabled"], False)
        self.assertEqual(self.kurz.webhooks.enable(endpoint["id"], {"send_missed": False})["enabled"], True)
        self.assertNotEqual(self.kurz.webhooks.rotate(endpoint["id"])["secret"], endpoint["secret"])
        self.assertIn(endpoint["id"], [each["id"] for each in self.kurz.webhooks.list()])
        self.kurz.webhooks.delete(endpoint["id"])
        domain = self.kurz.domains.create({"name": f"go-{text()}.example"})
        self.assertEqual(self.kurz.domains.get(domain["id"])["status"], "pending")
        self.kurz.domains.delete(domain["id"])
        token = self.kurz.tokens.create({"name": "Python", "scopes": ["links:read"]})
        reader = Kurz(URL, token["token"])
        error = self.fail_with(
            "insufficient_scope", lambda: reader.links.create({"destination_url": "https://example.com/"})
        )
        self.assertEqual(error.details["required_scope"], "links:write")
        self.kurz.tokens.revoke(token["id"])
        self.fail_with("token_revoked", reader.me.get)

    def test_errors(self) -> None:
        error = self.fail_with("validation_failed", lambda: self.kurz.links.create({"destination_url": "nonsense"}))
        self.assertEqual((error.status, error.details["errors"][0]["field"]), (422, "destination_url"))
        self.assertIn("validation_failed, status 422, request req_", str(error))
        for wrong in ("", ".", ".."):
            with self.assertRaises(ValueError):
                self.kurz.links.get(wrong)
        for strange in ("a/b", "a?b", "%2e%2e", "ä", "\0", "x" * 300):
            self.fail_with("not_found", lambda id=strange: self.kurz.links.get(id))
        self.fail_with("invalid_token", Kurz(URL, "nonsense").me.get)

    def test_any_operation_by_its_id(self) -> None:
        response = self.kurz.request("links.list", query={"limit": 1})
        self.assertEqual((response.status, len(response.data["data"])), (200, 1))
        self.assertEqual(response.headers["x-request-id"], response.request_id)
        self.assertIn("application/json", response.headers["CONTENT-TYPE"])
        with self.assertRaises(ValueError):
            self.kurz.request("links.nothing")

    def test_every_operation_has_a_method(self) -> None:
        for operation_id in OPERATIONS:
            resource, method = operation_id.split(".")
            self.assertTrue(callable(getattr(getattr(self.kurz, resource), method)), operation_id)

    def test_every_method_is_documented(self) -> None:
        for resource in {operation_id.split(".")[0] for operation_id in OPERATIONS}:
            for name, method in inspect.getmembers(getattr(self.kurz, resource), inspect.ismethod):
                if not name.startswith("_"):
                    self.assertTrue(inspect.getdoc(method), f"{resource}.{name}")

    def test_it_shows_no_secret(self) -> None:
        self.assertNotIn(TOKEN, repr(self.kurz) + json.dumps(str(self.kurz)))

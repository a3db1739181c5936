import { afterAll, beforeAll, expect, test } from "bun:test";
import { type DnsServer, startDnsServer } from "#test/support/dns-server.ts";
import { txtLookup } from "./txt-lookup.ts";

let dns: DnsServer;

beforeAll(async () => {
  dns = await startDnsServer();
});
afterAll(() => dns.stop());

test("all TXT records of a name are returned", async () => {
  dns.set("_kurz.go.example", "first", "kurz-verify=1", "ä");
  const answer = await txtLookup([dns.address])("_kurz.go.example");
  expect(answer.ok && [...answer.values].sort()).toEqual(["first", "kurz-verify=1", "ä"].sort());
});

test("a name without records has none, whether it exists or not", async () => {
  dns.fail("empty.example", "noData");
  expect(await txtLookup([dns.address])("empty.example")).toEqual({ ok: true, values: [] });
  expect(await txtLookup([dns.address])("nowhere.example")).toEqual({ ok: true, values: [] });
});

test("a name server that fails or refuses is no answer", async () => {
  dns.fail("broken.example", "serverFailure");
  expect(await txtLookup([dns.address])("broken.example")).toEqual({ ok: false, problem: "the name server failed" });
  dns.fail("closed.example", "refused");
  expect(await txtLookup([dns.address])("closed.example")).toMatchObject({ ok: false });
});

test("a silent name server is given up within a time limit", async () => {
  dns.fail("silent.example", "silence");
  const answer = await txtLookup([dns.address])("silent.example");
  expect(answer).toEqual({ ok: false, problem: "the name server didn't answer in time" });
});

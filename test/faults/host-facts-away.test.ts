import { expect, test } from "bun:test";
import { hostFacts } from "#domains/host-facts.ts";
import { openPostgresRecords } from "#engines/records/postgres/postgres-records.ts";
import { freePort } from "#test/support/free-port.ts";

test("while the records are away, documents for apps and names for certificates answer 503", async () => {
  const records = openPostgresRecords({ url: `postgres://kurz@127.0.0.1:${freePort()}/kurz` });
  const { appDocument, tlsCheck } = hostFacts({ records, ownHosts: ["s.example"] });
  try {
    const document = "http://localhost/docs/.well-known/go.acme.example/assetlinks.json";
    const answer = await appDocument(new Request(document));
    expect([answer?.status, answer?.headers.get("retry-after")]).toEqual([503, "5"]);
    expect((await tlsCheck(new Request("http://localhost/tls-check?domain=go.acme.example")))?.status).toBe(503);
    // The instance's own name needs no records, and everything else is for others to answer.
    expect((await tlsCheck(new Request("http://localhost/tls-check?domain=s.example")))?.status).toBe(200);
    expect(await appDocument(new Request("http://localhost/docs"))).toBeNull();
  } finally {
    await records.close();
  }
});

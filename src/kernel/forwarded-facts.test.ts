import { expect, test } from "bun:test";
import { openFacts, sealFacts } from "./forwarded-facts.ts";

const facts = { clientAddress: "203.0.113.7", requestId: "req_1", scheme: "https" };
const secret = "a secret that all nodes share";
const now = Date.UTC(2026, 10, 16);

test("a node with the same secret reads what another one has written", () => {
  expect(openFacts(secret, sealFacts(secret, facts, now), now + 1000)).toEqual(facts);
});

test("nobody else can make or change it, and nobody can use it later", () => {
  const sealed = sealFacts(secret, facts, now);
  const [text = "", signature = ""] = sealed.split(".");
  const other = Buffer.from(JSON.stringify({ ...facts, clientAddress: "198.51.100.1", at: now })).toString("base64url");
  const forged = [sealFacts("another secret", facts, now), `${other}.${signature}`, text, `${text}.`, ".", "", "{}"];
  for (const value of forged) expect(openFacts(secret, value, now)).toBeUndefined();
  for (const ms of [-61_000, 61_000]) expect(openFacts(secret, sealed, now + ms)).toBeUndefined();
});

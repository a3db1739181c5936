import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { auditTexts as german } from "#console/texts/de/audit.ts";
import { auditTexts as english } from "#texts/audit.ts";
import { auditActor, auditSentence } from "./audit-text.ts";

const src = join(import.meta.dir, "..", "..", "..", "src");

/** What is noted about an account; what is about a person alone, as their passkeys, no account's log shows. */
const ofAccount = /^(access|account|domain|member|plan|token|webhook)\./;
/** Told to the operator only: the log goes with the account. */
const LAST = "account.deleted";

test.each([
  ["English", english],
  ["German", german],
])("every action that the server writes into an account's log has a sentence in %s", (_, { sentences }) => {
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => /(?<!\.test)\.ts$/.test(file));
  const writers = files.map((file) => readFileSync(join(src, file), "utf8")).filter((text) => /appendAudit/.test(text));
  const written = new Set(writers.flatMap((text) => text.match(/(?<=")[a-z_]+\.[a-z_]+(?=")/g) ?? []));
  const actions = [...written].filter((name) => ofAccount.test(name));
  expect(actions.length).toBeGreaterThan(15);
  expect(actions.filter((name) => name !== LAST && !(name in sentences))).toEqual([]);
});

const entry = { at: "2026-01-02T03:04:05.678Z", actor: "user:u1", actor_name: "Ada", from: "console", details: {} };

test("an entry reads as a sentence, by the names of who and what", () => {
  const invited = { ...entry, action: "member.invited", subject: "eve@example.com", subject_name: null };
  expect(auditSentence({ ...invited, details: { role: "viewer" } })).toBe("invited eve@example.com as viewer");
  const revoked = { ...entry, action: "token.revoked", subject: "4fJq81ZkWx0B", subject_name: "CI" };
  expect(auditSentence(revoked)).toBe("revoked the token “CI”");
  const paused = { ...entry, action: "link.paused", subject: "lnk_1", subject_name: "sale" };
  expect(auditSentence(paused)).toBe("paused /sale");
  const updated = { ...paused, action: "link.updated", details: { fields: ["destination_url", "tags", "title"] } };
  expect(auditSentence(updated)).toBe("changed the destination, the tags, and the title of /sale");
});

test("fields that follow from others are left out", () => {
  const details = { fields: ["expires_at", "expired", "password_protected", "password"] };
  const updated = { ...entry, action: "link.updated", subject: "lnk_1", subject_name: "sale", details };
  expect(auditSentence(updated)).toBe("changed the expiry and the password of /sale");
});

test("what nobody wrote a sentence for is told as it is", () => {
  const odd = { ...entry, action: "moon.landed", subject: "x", subject_name: null };
  expect(auditSentence(odd)).toBe("moon.landed x");
});

test.each([
  ["operator", null, "The operator"],
  ["blocklist", null, "The operator’s block list"],
  ["system", null, "The server"],
  ["token:4fJq", null, "The token 4fJq"],
  ["user:gone", null, "Someone who has left"],
  ["token:4fJq", "CI", "The token “CI”"],
  ["user:u1", "Ada", "Ada"],
])("%s by the name %p is told as %s", (actor, actor_name, told) => {
  expect(auditActor({ actor, actor_name })).toBe(told);
});

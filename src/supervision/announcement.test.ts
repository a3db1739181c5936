import { expect, test } from "bun:test";
import { formatAnnouncement } from "./announcement.ts";

const facts = { roles: ["redirect", "control"], dataDir: "/data", metrics: null, hint: undefined } as const;

test("a server that others can open, but that expects this machine's name, says how to change that", () => {
  const text = formatAnnouncement({
    ...facts,
    baseUrl: "http://localhost:8080",
    listens: "0.0.0.0:8080",
    unexpectedAddress: "http://192.168.1.5:8080",
  });
  expect(text).toContain("signing in works only at http://localhost:8080.");
  expect(text).toContain("Set KURZ_BASE_URL to the address in the browser, such as http://192.168.1.5:8080.");
});

test("one whose address fits says nothing of it", () => {
  const address = { baseUrl: "http://localhost:8080", listens: "127.0.0.1:8080", unexpectedAddress: null };
  expect(formatAnnouncement({ ...facts, ...address })).not.toContain("KURZ_BASE_URL");
});

test("a node with one role says what it serves", () => {
  const address = { baseUrl: "https://s.example", listens: "127.0.0.1:8080", unexpectedAddress: null };
  expect(formatAnnouncement({ ...facts, ...address })).not.toContain("Serves");
  const text = formatAnnouncement({ ...facts, ...address, roles: ["redirect"] });
  expect(text).toContain("Serves   short links only (KURZ_ROLES=redirect)");
});

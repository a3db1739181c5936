import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findPasswordProblem, hashPassword, PASSWORD_LENGTH_MIN, verifyPassword } from "./password.ts";

const EMAIL = "ada.lovelace@example.com";

test.each([
  "qwerty123456",
  "QWERTY123456",
  "123456789012",
  "passwordpassword",
  "kurz kurz kurz kurz",
  "Kurz-2026!!!!",
  "ada.lovelace@example.com",
  "lovelace1234",
  "LoveLace.Example",
  "short",
  "x".repeat(129),
])("%j is refused", (password) => {
  expect(findPasswordProblem(password, EMAIL)).toBeString();
});

test.each([
  "three small grey herons",
  "x".repeat(128),
  "short links are lovely",
  "lovelace has a difference engine",
  "😀😀😀😀😀😀",
])("%j is taken", (password) => {
  expect(findPasswordProblem(password, EMAIL)).toBeNull();
});

test("the shipped list has at least 3000 otherwise valid passwords, sorted and without duplicates", () => {
  const text = readFileSync(join(import.meta.dir, "common-passwords.txt"), "utf8");
  const lines = text.trimEnd().split("\n");
  expect(lines.length).toBeGreaterThanOrEqual(3000);
  expect(lines.filter((line) => line.length < PASSWORD_LENGTH_MIN || line !== line.toLowerCase())).toEqual([]);
  expect(lines).toEqual([...new Set(lines)].sort());
});

test("a password is used byte for byte", async () => {
  const hash = await hashPassword("  spaces around me  ");
  expect(hash).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
  expect(await verifyPassword("  spaces around me  ", hash)).toBe(true);
  expect(await verifyPassword("spaces around me", hash)).toBe(false);
});

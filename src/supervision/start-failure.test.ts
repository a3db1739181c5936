import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { RecordsUnavailable } from "#engines/records/records.ts";
import { startFailureText } from "./start-failure.ts";

function failureOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("expected a failure");
}

test("what an operator can fix is one line with a remedy", () => {
  const missing = failureOf(() => mkdirSync("/proc/kurz"));
  const taken = Object.assign(new Error("Failed to listen at 127.0.0.1"), { code: "EADDRINUSE" });
  const database = failureOf(() => new Database("/proc/version", { readonly: true }).run("select 1 from t"));
  for (const error of [missing, taken, database]) {
    expect(startFailureText(error)).not.toMatch(/\n|\bat .*:\d+:\d+/);
  }
  expect(startFailureText(taken)).toBe(
    "Failed to listen at 127.0.0.1 (EADDRINUSE); stop the other program, or choose another KURZ_PORT",
  );
});

test("a server that is away is one line", () => {
  const away = "DATABASE_URL: PostgreSQL at 127.0.0.1:5432 can't be reached";
  expect(startFailureText(new RecordsUnavailable(away))).toBe(away);
});

test("a bug comes with its stack", () => {
  expect(startFailureText(new TypeError("x is undefined"))).toMatch(/x is undefined[\s\S]*start-failure\.test\.ts:\d+/);
  expect(startFailureText("odd")).toBe("odd");
});

import { expect, test } from "bun:test";
import { refuseOldVersion } from "./migrate.ts";

test.each([
  [90_624, "PostgreSQL 9.6 is too old; Kurz needs 15 or newer"],
  [130_014, "PostgreSQL 13 is too old; Kurz needs 15 or newer"],
  [149_999, "PostgreSQL 14 is too old; Kurz needs 15 or newer"],
])("the server version %p is refused", (number, message) => {
  expect(() => refuseOldVersion(number)).toThrow(message);
});

test.each([150_000, 150_006, 160_002, 180_000])("the server version %p is accepted", (number) => {
  expect(() => refuseOldVersion(number)).not.toThrow();
});

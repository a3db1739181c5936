import { afterAll, expect, test } from "bun:test";
import { toLocal } from "./local-instant.ts";

const { TZ } = process.env;
afterAll(() => {
  // Where tests are, without a variable.
  process.env.TZ = TZ ?? "Etc/UTC";
});

// A year is typed digit by digit, and the field must keep the time meanwhile.
const typed = ["0002-03-01T10:00", "0020-03-01T10:00", "0202-03-01T10:00", "2026-03-01T10:00", "2026-07-31T23:59"];

test.each(["Europe/Berlin", "America/New_York", "Asia/Kolkata", "UTC"])(
  "a local time in %s stays what it is",
  (zone) => {
    process.env.TZ = zone;
    expect(typed.map((text) => toLocal(new Date(text).toISOString()))).toEqual(typed);
  },
);

test("an instant is shown in the zone of the person, and no instant as nothing", () => {
  process.env.TZ = "Europe/Berlin";
  expect(toLocal("2026-03-01T10:00:00.000Z")).toBe("2026-03-01T11:00");
  expect(toLocal("")).toBe("");
});

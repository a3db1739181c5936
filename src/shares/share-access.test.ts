import { expect, test } from "bun:test";
import { shareAccess } from "./share-access.ts";

const share = { id: "shr_1", password_hash: "$argon2id$one" };
const HOURS_12 = 12 * 3_600_000;
const { grant, isGranted } = shareAccess("secret");

test("a proof is valid for twelve hours", () => {
  const access = grant(share, 1000);
  expect([1000, 1000 + HOURS_12 - 1, 1000 + HOURS_12].map((now) => isGranted(share, access, now))).toEqual([
    true,
    true,
    false,
  ]);
});

test("a proof is for no other share, password or instance, and nothing else is a proof", () => {
  const access = grant(share, 1000);
  expect(isGranted({ ...share, id: "shr_2" }, access, 1000)).toBe(false);
  expect(isGranted({ ...share, password_hash: "$argon2id$two" }, access, 1000)).toBe(false);
  expect(shareAccess("other").isGranted(share, access, 1000)).toBe(false);
  const signature = access.split(".")[1];
  for (const forged of [null, "", ".", "NaN.", `Infinity.${signature}`, `9e99.${signature}`, access.slice(0, -1)]) {
    expect([forged, isGranted(share, forged, 1000)]).toEqual([forged, false]);
  }
});

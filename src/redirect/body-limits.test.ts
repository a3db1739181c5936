import { expect, test } from "bun:test";
import { setLogo } from "#contract/console/logo.ts";
import { releasedEndpoints } from "#contract/index.ts";
import { BODY_BYTES_MAX } from "#contract/limits.ts";
import { arrivalMsMax, bodyBytesMax } from "./body-limits.ts";

test("every body that an endpoint accepts is passed on", () => {
  for (const { path, bodyBytesMax: limit = BODY_BYTES_MAX } of [...releasedEndpoints, setLogo]) {
    expect(bodyBytesMax(path)).toBeGreaterThanOrEqual(limit);
  }
});

test("an ordinary body has fifteen seconds at most, a larger one more time at a minimum rate", () => {
  expect(arrivalMsMax(BODY_BYTES_MAX)).toBeWithin(10_000, 15_000);
  expect(arrivalMsMax(700_000)).toBeWithin(30_000, 60_000);
});

import { afterAll, beforeAll, expect, test } from "bun:test";
import { changeRecords } from "#test/support/change-records.ts";
import { type DomainStage, startDomainStage } from "#test/support/domain-stage.ts";
import { killAndReplace } from "#test/support/killed-process.ts";
import { until } from "#test/support/until.ts";

const DAY_MS = 86_400_000;
// The first look is half a minute after the start of the process.
const CHECKED_MS_MAX = 300_000;

let stage: DomainStage;
beforeAll(async () => {
  stage = await startDomainStage();
});
afterAll(() => stage.stop());

test("a running server looks verified domains up again once a day, and reports a record that is gone", async () => {
  const { kurz } = await stage.api.newCaller();
  const { server } = stage.api;
  const [kept, gone] = [await stage.verified(kurz), await stage.verified(kurz)];
  stage.forget(gone);
  const before = Date.now();
  const due = before - 2 * DAY_MS;
  changeRecords(server, "update domains set missing_since = ? where id = ?", due, gone.id);
  // Only now are they due: control may look at any moment.
  changeRecords(server, "update domains set last_checked_at = ?", due);
  // Its successor begins to wait anew, however long all this took.
  await killAndReplace(server, "control");
  await until(
    "both domains are checked",
    async () => {
      const { data } = await kurz.domains.list();
      return data.every(({ last_checked_at }) => Date.parse(last_checked_at ?? "") >= before);
    },
    CHECKED_MS_MAX,
  );
  expect(await kurz.domains.get(kept.id)).toMatchObject({ status: "verified", last_problem: null });
  expect(await kurz.domains.get(gone.id)).toMatchObject({
    status: "verified",
    last_problem: expect.stringContaining("There is no TXT record"),
  });
});

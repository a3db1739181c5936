import { expect, test } from "bun:test";
import fc from "fast-check";
import type { ReportRequest } from "#engines/clicks/clicks-engine.ts";
import { anyClick } from "./clicks.arbitraries.ts";
import { type ClicksLab, wholeWeek } from "./clicks.lab.ts";
import type { TestClick } from "./clicks.oracle.ts";

/** What a clicks engine guarantees about link tags. */
export function tagsConformance(lab: ClicksLab): void {
  const { reopen, ingest, tag, expectSame } = lab;

  test("a link's latest tags count, even after the history is cleared", async () => {
    await ingest(fc.sample(anyClick, { numRuns: 100, seed: 13 }));
    expect(await lab.engine.linkTagsPosition()).toBe(-1);
    await tag(1, ["old", "spring"], 5);
    await tag(2, ["spring"], 6);
    await tag(1, ["new", "it's"], 7);
    await tag(2, [], 8);
    const request: ReportRequest = { ...wholeWeek, groupBy: ["tag"], limit: 10 };
    await expectSame(request);
    await expectSame({ ...request, filters: { tag: ["it's", null] } });
    await lab.engine.compact(0);
    await reopen();
    await expectSame(request);
    expect(await lab.engine.linkTagsPosition()).toBe(8);
  });

  test("all tags are replaced at once, or none are", async () => {
    const byTag: ReportRequest = { ...wholeWeek, groupBy: ["tag"] };
    const tagsOf = async () => [...((await lab.engine.report(byTag)).breakdowns.get("tag")?.items ?? [])];
    async function* batches(fail: boolean) {
      yield [{ accountNo: 1, linkNo: 2, tags: ["new"] }];
      if (fail) throw new Error("broken off");
      yield [{ accountNo: 1, linkNo: 3, tags: ["new", "other"] }];
    }
    const [click] = fc.sample(anyClick, { numRuns: 1, seed: 17 }) as [TestClick];
    await ingest([1, 2, 3].map((link_no) => ({ ...click, account_no: 1, link_no, bot: false })));
    await tag(1, ["old"], 90);
    const before = await tagsOf();
    await expect(lab.engine.replaceLinkTags(batches(true), 7)).rejects.toThrow("broken off");
    expect(await tagsOf()).toEqual(before);
    expect(await lab.engine.linkTagsPosition()).toBe(90);
    await lab.engine.replaceLinkTags(batches(false), 7);
    expect((await tagsOf()).map(({ key, clicks }) => [key, clicks])).toEqual([
      ["new", 2],
      ["other", 1],
      [null, 1],
    ]);
    await reopen();
    expect(await lab.engine.linkTagsPosition()).toBe(7);
  });

  test("the position is kept without a change of tags, and whatever is erased", async () => {
    expect(await lab.engine.linkTagsPosition()).toBe(-1);
    await lab.engine.setLinkTags([], 3);
    expect(await lab.engine.linkTagsPosition()).toBe(3);
    await tag(1, ["gone"], 8);
    await lab.engine.eraseLinks([{ accountNo: 1, linkNo: 1 }]);
    await lab.engine.eraseAccount(1);
    await lab.engine.compact(0);
    expect(await lab.engine.linkTagsPosition()).toBe(8);
  });
}

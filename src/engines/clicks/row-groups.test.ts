import { expect, test } from "bun:test";
import fc from "fast-check";
import { BATCH_ROWS_MAX, GROUP_ROWS, GroupFill } from "./row-groups.ts";

test("whatever the size of batches, groups are filled to more than three quarters and never beyond", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: BATCH_ROWS_MAX }), (batchRows) => {
      const fill = new GroupFill();
      let rows = batchRows;
      while (!fill.isFullAfter(batchRows)) rows += batchRows;
      expect(rows).toBeLessThanOrEqual(GROUP_ROWS);
      expect(rows).toBeGreaterThan((GROUP_ROWS * 3) / 4);
    }),
  );
});

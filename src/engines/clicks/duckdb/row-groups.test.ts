import { expect, test } from "bun:test";
import fc from "fast-check";
import { BATCH_ROWS_MAX, GROUP_ROWS, GroupFill } from "./row-groups.ts";

test("whatever the batch sizes, groups are more than three quarters full and never overfull", () => {
  const batches = fc.infiniteStream(fc.integer({ min: 1, max: BATCH_ROWS_MAX }));
  fc.assert(
    fc.property(batches, (sizes) => {
      const fill = new GroupFill();
      let rows = 0;
      for (const size of sizes) {
        rows += size;
        if (fill.isFullAfter(size)) break;
      }
      expect(rows).toBeLessThanOrEqual(GROUP_ROWS);
      expect(rows).toBeGreaterThan((GROUP_ROWS * 3) / 4);
    }),
  );
});

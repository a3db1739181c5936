import { expect, test } from "bun:test";
import fc from "fast-check";
import { layOut, smallestSize } from "./layout.ts";

const modules = fc.integer({ min: 1, max: 40 }).map((version) => 17 + 4 * version);
const margin = fc.integer({ min: 0, max: 16 });

test("modules are whole pixels, centered, with at least the requested margin", () => {
  fc.assert(
    fc.property(modules, margin, fc.integer({ min: 64, max: 2048 }), (count, quiet, size) => {
      const layout = layOut(count, { size, margin: quiet });
      if (!layout) return expect(size).toBeLessThan(smallestSize(count, quiet));
      const after = size - layout.offset - count * layout.scale;
      expect(Number.isInteger(layout.scale) && layout.scale >= 1).toBe(true);
      expect(Math.min(layout.offset, after)).toBeGreaterThanOrEqual(quiet * layout.scale);
      expect(Math.abs(layout.offset - after)).toBeLessThanOrEqual(3);
    }),
  );
});

test("the smallest size works, and the one below it does not", () => {
  fc.assert(
    fc.property(modules, margin, (count, quiet) => {
      const size = smallestSize(count, quiet);
      expect(layOut(count, { size, margin: quiet })?.scale).toBe(1);
      expect(layOut(count, { size: size - 1, margin: quiet })).toBeNull();
    }),
  );
});

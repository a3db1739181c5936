import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { GenerationMap } from "./generation-map.ts";

describe("GenerationMap", () => {
  test("never exceeds its limit, and returns what was last set", () => {
    const actions = fc.array(fc.tuple(fc.constantFrom("get", "set", "delete"), fc.integer({ min: 0, max: 30 })), {
      maxLength: 300,
    });
    fc.assert(
      fc.property(actions, (steps) => {
        const map = new GenerationMap<number>({ weightMax: 10 });
        const model = new Map<string, number>();
        steps.forEach(([action, number], index) => {
          const key = String(number);
          if (action === "set") {
            map.set(key, index);
            model.set(key, index);
          } else if (action === "delete") {
            map.delete(key);
            model.delete(key);
          } else {
            const value = map.get(key);
            if (value !== undefined) expect(value).toBe(model.get(key) as number);
          }
          expect(map.size).toBeLessThanOrEqual(10);
        });
      }),
    );
  });

  test("keeps what is used while other entries come and go", () => {
    const map = new GenerationMap<number>({ weightMax: 10 });
    map.set("hot", 1);
    for (let n = 0; n < 1000; n += 1) {
      map.set(`cold${n}`, n);
      expect(map.get("hot")).toBe(1);
    }
    expect(map.get("cold0")).toBeUndefined();
  });

  test("heavy entries count for many", () => {
    const map = new GenerationMap<string>({ weightMax: 20, weightOf: (value) => value.length });
    for (let n = 0; n < 50; n += 1) map.set(String(n), "12345");
    expect(map.size).toBeLessThanOrEqual(4);
  });

  test("deleting and setting the same key forever evicts nothing else", () => {
    const map = new GenerationMap<number>({ weightMax: 10 });
    map.set("stays", 1);
    for (let n = 0; n < 100; n += 1) {
      map.set("moves", n);
      map.delete("moves");
      map.set("moves", n);
    }
    expect(map.get("stays")).toBe(1);
    map.clear();
    expect(map.size).toBe(0);
  });
});

import { expect, test } from "bun:test";
import { fitSize, type Picture, resizePicture } from "./picture.ts";

const filled = (width: number, height: number, pixel: readonly number[]): Picture => ({
  width,
  height,
  rgba: Uint8Array.from({ length: width * height * 4 }, (_, at) => pixel[at % 4] ?? 0),
});

test("a single-color picture stays that color at any size", () => {
  for (const [width, height] of [
    [1, 1],
    [7, 3],
    [40, 90],
    [200, 10],
  ] as const) {
    const { rgba } = resizePicture(filled(40, 20, [12, 34, 56, 255]), width, height);
    expect(rgba).toEqual(filled(width, height, [12, 34, 56, 255]).rgba);
  }
});

test("the color of transparent pixels does not bleed into others", () => {
  const half: Picture = { width: 2, height: 1, rgba: Uint8Array.of(200, 0, 0, 255, 0, 255, 0, 0) };
  const { rgba } = resizePicture(half, 1, 1);
  expect([...rgba]).toEqual([200, 0, 0, 128]);
});

test("proportions are kept, and no side becomes smaller than a pixel", () => {
  expect(fitSize(filled(300, 150, [0]), 100)).toEqual({ width: 100, height: 50 });
  expect(fitSize(filled(1000, 1, [0]), 100)).toEqual({ width: 100, height: 1 });
  expect(fitSize(filled(10, 20, [0]), 100)).toEqual({ width: 50, height: 100 });
});

import { expect, test } from "bun:test";
import type { QrQuery } from "#contract/qr.ts";
import { renderImage } from "#qr/render-image.ts";
import { encodeMatrix } from "#shared/qr-matrix.ts";
import { solidPng } from "#test/support/pictures.ts";
import { plainDesign, type QrOptions, qrPresets } from "./qr-options.ts";
import { judgeQr, readQrGeometry } from "./qr-verdict.ts";

const TEXT = "https://s.example/spring-sale?qr=1";
const options: QrOptions = { ...plainDesign, size: 1024, mark: true };

function svgOf(change: Partial<QrQuery>, accountLogo: Uint8Array | null = null): string {
  const query = { ...options, format: "svg", margin: 4, ...change } as const;
  const image = renderImage({ text: TEXT, query, accountLogo });
  if ("problem" in image) throw new Error(image.problem.kind);
  return new TextDecoder().decode(image.bytes);
}

test("the geometry of the server's image is read in every style and size", () => {
  const { size: modules } = encodeMatrix(TEXT, "M");
  for (const style of ["square", "rounded", "dots"] as const) {
    for (const size of [64, 256, 512, 1024, 2048]) {
      const { scale, ...rest } = readQrGeometry(svgOf({ style, size }), size);
      expect(rest).toEqual({ modules, logoShare: 0 });
      expect(scale).toBeGreaterThanOrEqual(Math.floor(size / (modules + 9)));
    }
  }
});

test("the share of a logo is read, built-in or the account's own", () => {
  for (const svg of [svgOf({ logo: "star" }), svgOf({}, solidPng(60, 60, [200, 30, 90, 255]))]) {
    const { logoShare } = readQrGeometry(svg, 1024);
    expect(logoShare).toBeGreaterThan(0.01);
    expect(logoShare).toBeLessThan(0.1);
  }
});

const sharp = { modules: 29, scale: 20, logoShare: 0 };

test("a code is judged by contrast, size and logo, in words", () => {
  expect(judgeQr(options, { ...sharp, logoShare: 0.058 })).toEqual({
    tone: "good",
    title: "Scans easily",
    notes: [
      "Strong contrast (21:1).",
      "Print it at least 15 mm wide.",
      "The logo covers 6% of the code, which still scans.",
    ],
  });
  const faint = judgeQr({ ...options, color: "888888" }, sharp);
  expect([faint.tone, faint.notes[0]]).toEqual([
    "warn",
    "The contrast is low (3.5:1): some scanners need 4.5:1. Pick a darker color or a lighter background.",
  ]);
  const small = judgeQr({ ...options, size: 64 }, { ...sharp, scale: 1 });
  expect([small.tone, small.notes[1]]).toEqual([
    "warn",
    "At 64 pixels each square is only 1 pixel wide. Pick a larger PNG, or use the SVG.",
  ]);
});

test("every preset scans easily", () => {
  for (const { name, ...design } of qrPresets) {
    expect([name, judgeQr({ ...options, ...design }, sharp).tone]).toEqual([name, "good"]);
  }
});

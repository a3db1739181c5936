import { describe, expect, test } from "bun:test";
import { acceptsCoding, textResponse } from "./text-response.ts";

const LONG = JSON.stringify(Array.from({ length: 100 }, (_, no) => ({ no, title: "grüße" })));
const SHORT = JSON.stringify({ title: "grüße" });

const respond = (text: string, accepted: string | null, headers: Record<string, string> = {}): Response =>
  textResponse(text, { status: 201, headers, accepted });
const unzip = async (response: Response): Promise<string> =>
  new TextDecoder().decode(Bun.gunzipSync(await response.arrayBuffer()));

describe("a long text", () => {
  test("is compressed for clients that accept gzip, and decompresses to the same text", async () => {
    const response = respond(LONG, "gzip, br", { "x-own": "kept" });
    expect(response.status).toBe(201);
    expect(Object.fromEntries(response.headers)).toEqual({
      "content-encoding": "gzip",
      vary: "Accept-Encoding",
      "x-own": "kept",
    });
    const { byteLength } = await response.clone().arrayBuffer();
    expect(byteLength).toBeLessThan(LONG.length / 4);
    expect(await unzip(response)).toBe(LONG);
  });

  test("is not compressed for others, but sends Vary", async () => {
    const response = respond(LONG, null, { vary: "Origin" });
    expect(response.headers.get("content-encoding")).toBeNull();
    expect(response.headers.get("vary")).toBe("Origin, Accept-Encoding");
    expect(await response.text()).toBe(LONG);
  });

  test("is not compressed with an entity tag, which stands for exactly these bytes", async () => {
    const response = respond(LONG, "gzip", { etag: '"7"' });
    expect(Object.fromEntries(response.headers)).toEqual({ etag: '"7"' });
    expect(await response.text()).toBe(LONG);
  });
});

test("a short text is not compressed", async () => {
  const response = respond(SHORT, "gzip");
  expect(Object.fromEntries(response.headers)).toEqual({});
  expect(await response.text()).toBe(SHORT);
});

test.each([
  ["gzip, deflate, br, zstd", true],
  ["GZIP;q=0.5", true],
  ["br;q=1.0, gzip ; q=0.001 , *;q=0", true],
  ["*", true],
  ["br, *;q=0.1", true],
  ["gzip;q=0, *", false],
  ["gzip;q=0.000", false],
  ["*;q=0", false],
  ["identity", false],
  ["not-gzip, gzip-not", false],
  ["", false],
  [null, false],
])("gzip by %j: %p", (header, expected) => {
  expect(acceptsCoding(header, "gzip")).toBe(expected);
});

import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { LARGE_TEXT, openPassThroughStage } from "./fixtures/pass-through-stage.ts";

const stage = openPassThroughStage();
const { startServer, streamCancelled } = stage;
afterEach(() => stage.reset());
afterAll(() => stage.stop());

describe("an answer from control", () => {
  test("is passed on unchanged if it is a redirect, a 304, compressed or sets cookies", async () => {
    const { url } = startServer();
    const moved = await fetch(`${url}/api/moved`, { redirect: "manual" });
    expect([moved.status, moved.headers.get("location")]).toEqual([302, "/api/echo"]);
    const unchanged = await fetch(`${url}/api/unchanged`);
    expect([unchanged.status, unchanged.headers.get("etag")]).toEqual([304, '"7"']);
    const cookies = await fetch(`${url}/api/cookies`);
    expect(cookies.headers.getSetCookie()).toEqual(["a=1", "b=2; Expires=Wed, 01 Jan 2031 00:00:00 GMT"]);
    const zipped = await fetch(`${url}/api/zipped`, { decompress: false });
    expect(zipped.headers.get("content-encoding")).toBe("gzip");
    expect(Buffer.from(Bun.gunzipSync(await zipped.arrayBuffer())).toString()).toBe("zipped");
  });

  test("arrives whole with its length if it is large, and for HEAD with the length alone", async () => {
    const { url } = startServer();
    const response = await fetch(`${url}/api/large`);
    expect(response.headers.get("x-request-id")).toBe("from_control");
    expect(await response.text()).toBe(LARGE_TEXT);
    const head = await fetch(`${url}/api/large`, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, String(LARGE_TEXT.length)]);
  });

  test("loses hop-by-hop headers, and always has a request id", async () => {
    const { url } = startServer();
    const { headers } = await fetch(`${url}/api/hops`);
    expect([headers.get("x-private"), headers.get("keep-alive"), headers.get("te")]).toEqual([null, null, null]);
    expect(headers.get("x-request-id")).toBe("req_test0001");
  });

  test("is streamed as it is written, and cancelled in control when the client disconnects", async () => {
    const { url } = startServer();
    const leave = new AbortController();
    const response = await fetch(`${url}/api/events`, { signal: leave.signal });
    const reader = response.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("data: tick\n\n");
    leave.abort();
    await streamCancelled();
  });
});

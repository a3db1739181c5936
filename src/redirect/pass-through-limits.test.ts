import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { RawConnection } from "#test/support/raw-connection.ts";
import { until } from "#test/support/until.ts";
import { openPassThroughStage } from "./fixtures/pass-through-stage.ts";

const stage = openPassThroughStage();
const { startServer, waiting, release } = stage;
afterEach(() => stage.reset());
afterAll(() => stage.stop());

describe("when control can't answer", () => {
  const expectUnavailable = async (response: Response): Promise<void> => {
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("1");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toEqual({
      error: { code: "unavailable", message: expect.any(String), request_id: "req_test0001" },
    });
  };

  test("the API answers 503 at once in its envelope, and a page with a page", async () => {
    const { url } = startServer({ socketPath: "/nowhere/control.sock" });
    await expectUnavailable(await fetch(`${url}/api/v1/me`));
    await expectUnavailable(await fetch(`${url}/api`, { method: "POST", body: "{}" }));
    await expectUnavailable(await fetch(`${url}/api?x`));
    const docs = await fetch(`${url}/docs`);
    expect([docs.status, docs.headers.get("content-type")]).toEqual([503, "text/html; charset=utf-8"]);
  });

  test("a request that waits for another control is answered within the same time", async () => {
    const gate = {
      enter: (signal: AbortSignal) => new Promise<never>((_, reject) => signal.addEventListener("abort", reject)),
    };
    const { url } = startServer({ gate, headTimeoutMs: 50 });
    await expectUnavailable(await fetch(`${url}/api/echo`));
  });

  test("requests beyond the limit are refused while others wait, and accepted afterwards", async () => {
    const { url } = startServer({ inFlightMax: 1 });
    const waited = fetch(`${url}/api/wait`);
    await until("it waits in control", () => waiting() === 1);
    await expectUnavailable(await fetch(`${url}/api/echo`));
    release();
    expect(await (await waited).text()).toBe("waited");
    for (const path of ["large", "echo", "cookies", "large", "moved"]) {
      const response = await fetch(`${url}/api/${path}`, { redirect: "manual" });
      expect(response.status).toBeLessThan(400);
      await response.text();
    }
  });

  test("requests from one address leave room for those from another", async () => {
    const { url } = startServer({ inFlightMax: 3 });
    const ask = (path: string, client: string): Promise<Response> =>
      fetch(`${url}/api/${path}`, { headers: { "x-test-client": client } });
    const waited = [ask("wait", "2001:db8::1"), ask("wait", "2001:db8::2")];
    await until("both wait in control", () => waiting() === 2);
    await expectUnavailable(await ask("echo", "2001:db8::3"));
    expect((await ask("echo", "2001:db8:0:1::1")).status).toBe(200);
    release();
    for (const response of await Promise.all(waited)) expect(response.status).toBe(200);
  });

  test("a request counts only once its body has arrived, and without a token isn't waited for", async () => {
    const { url, port } = startServer({ inFlightMax: 1 });
    const head = (fields: string) => `POST /api/echo HTTP/1.1\r\nHost: a\r\n${fields}Content-Length: 5\r\n\r\n`;
    const slow = await RawConnection.open(port);
    slow.send(`${head("Authorization: Bearer t\r\n")}ab`);
    const nameless = await RawConnection.open(port);
    nameless.send(`${head("")}ab`);
    const answer = await nameless.answer();
    expect([answer.status, answer.headers.get("connection")]).toEqual([200, "close"]);
    expect(JSON.parse(answer.text)).toMatchObject({ body: "", headers: { "x-kurz-unread-body": "5" } });
    expect((await fetch(`${url}/api/echo`)).status).toBe(200);
    slow.send("cde");
    expect((await slow.answer()).text).toContain('"body":"abcde"');
    slow.close();
    nameless.close();
  });

  test("event streams don't count as ordinary requests and have a limit of their own", async () => {
    const { url } = startServer({ inFlightMax: 1, streamsMax: 2 });
    const first = await fetch(`${url}/api/events`);
    const second = await fetch(`${url}/api/events`);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect((await fetch(`${url}/api/echo`)).status).toBe(200);
    await expectUnavailable(await fetch(`${url}/api/events`));
    release();
    await Promise.all([first.text(), second.text()]);
    expect((await fetch(`${url}/api/events`)).status).toBe(200);
  });

  test("a request that control never answers ends with 503", async () => {
    const { url } = startServer({ headTimeoutMs: 50 });
    await expectUnavailable(await fetch(`${url}/api/wait`));
  });
});

import { afterEach, describe, expect, test } from "bun:test";
import { ClicksUnavailable } from "../clicks-engine.ts";
import { type ClickHouseSession, openSession } from "./session.ts";

interface Asked {
  readonly query: string;
  readonly url: URL;
  readonly body: Buffer;
}

/** Answers as a ClickHouse server would. */
function serve(answer: (asked: Asked) => Response | Promise<Response>) {
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const url = new URL(request.url);
      const body = Buffer.from(await request.arrayBuffer());
      return answer({ url, body, query: url.searchParams.get("query") ?? body.toString() });
    },
  });
}

const exception = (code: number, name: string): Response =>
  new Response(`Code: ${code}. DB::Exception: something happened. (${name}) (version 26.7.2.1 (official build))`, {
    status: 500,
    headers: { "X-ClickHouse-Exception-Code": String(code) },
  });

describe("a ClickHouse session", () => {
  let server: ReturnType<typeof serve> | null = null;
  let session: ClickHouseSession | null = null;

  const open = (port: number): ClickHouseSession => {
    session = openSession({ url: `http://user:secret@127.0.0.1:${port}/kurz`, connectionsMax: 2, graceMs: 50 });
    return session;
  };
  const against = (answer: (asked: Asked) => Response | Promise<Response>): ClickHouseSession => {
    server = serve(answer);
    return open(server.port ?? 0);
  };

  afterEach(async () => {
    await session?.close();
    await server?.stop(true);
    server = null;
    session = null;
  });

  test("is unavailable while nothing listens", async () => {
    const gone = serve(() => new Response());
    const port = gone.port ?? 0;
    await gone.stop(true);
    const rows = open(port).rows("select 1");
    await expect(rows).rejects.toBeInstanceOf(ClicksUnavailable);
    await expect(rows).rejects.toThrow("unavailable");
  });

  test("gives up on a server that never answers", async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    const rows = against(() => promise).rows("select 1", { timeoutMs: 50 });
    await expect(rows).rejects.toBeInstanceOf(ClicksUnavailable);
    await expect(rows).rejects.toThrow("took too long");
    resolve(new Response());
  });

  test.each([
    [159, "TIMEOUT_EXCEEDED", "took too long"],
    [394, "QUERY_WAS_CANCELLED", "took too long"],
    [202, "TOO_MANY_SIMULTANEOUS_QUERIES", "unavailable"],
    [241, "MEMORY_LIMIT_EXCEEDED", "unavailable"],
    [243, "NOT_ENOUGH_SPACE", "unavailable"],
    [252, "TOO_MANY_PARTS", "unavailable"],
    [516, "AUTHENTICATION_FAILED", "unavailable"],
  ])("can be tried again after error %i %s", async (code, name, message) => {
    const problem = against(() => exception(code, name)).run("insert into t values (1)");
    await expect(problem).rejects.toBeInstanceOf(ClicksUnavailable);
    await expect(problem).rejects.toThrow(message);
  });

  test("doesn't hide a mistake in a statement", async () => {
    const problem = against(() => exception(62, "SYNTAX_ERROR"))
      .run("selct 1")
      .catch((error: unknown) => error);
    expect(await problem).not.toBeInstanceOf(ClicksUnavailable);
    expect(await problem).toBeInstanceOf(Error);
  });

  test("binds strings, and waits for inserts to be stored", async () => {
    const asked: URL[] = [];
    const rows = await against(({ url }) => {
      asked.push(url);
      return new Response('["a",1]\n[null,2]\n');
    }).rows("select {x:String}", { values: { x: "it's" } });
    expect(rows).toEqual([
      ["a", 1],
      [null, 2],
    ]);
    const parameters = Object.fromEntries(asked[0]?.searchParams ?? []);
    expect(parameters).toMatchObject({ param_x: "it\\'s", database: "kurz", async_insert: "0" });
  });

  test("sends the rows of an insert as they are", async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const bodies: Asked[] = [];
    await against((asked) => {
      bodies.push(asked);
      return new Response();
    }).insert("insert into clicks format RowBinary", bytes, { settings: { insert_deduplication_token: "7" } });
    const [insert] = bodies;
    expect(insert?.query).toStartWith("insert into clicks format RowBinary");
    expect(insert?.url.searchParams.get("insert_deduplication_token")).toBe("7");
    expect(insert?.body).toEqual(Buffer.from(bytes));
  });
});

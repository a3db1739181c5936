import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { dirname } from "node:path";
import { dataPaths } from "#config/data-paths.ts";
import { loadConfig } from "#config/load-config.ts";
import type { Config } from "#config/settings.ts";
import { CLIENT_HEADER } from "#kernel/internal-headers.ts";
import { noClicks } from "#redirect/click-sink.ts";
import { type LinkFile, openLinkFile } from "#test/support/link-file.ts";
import { RawConnection } from "#test/support/raw-connection.ts";
import { until } from "#test/support/until.ts";
import { type OpenRedirect, openRedirect } from "./redirect.ts";

const TIMEOUT_MS = 600_000;
const DOWNLOAD_BYTES = 16 * 1024 * 1024;
const UPLOAD_BYTES = 900_000;

let file: LinkFile;
let control: Bun.Server<undefined>;
let server: OpenRedirect;
let clicks = 0;
let openStreams = 0;

beforeAll(async () => {
  file = openLinkFile();
  file.add({ slug: "abc", destination_url: "https://example.com/" });
  const { controlSocket } = dataPaths(file.dataDir);
  mkdirSync(dirname(controlSocket), { recursive: true });
  control = Bun.serve({
    unix: controlSocket,
    routes: {
      "/api/method": ({ method }) => new Response(method),
      "/api/who": (request) => new Response(request.headers.get(CLIENT_HEADER)),
      "/console/length": async (request) => new Response(String((await request.arrayBuffer()).byteLength)),
      "/api/large": () => new Response(new Uint8Array(DOWNLOAD_BYTES).fill("Z".charCodeAt(0))),
      "/api/events": () => new Response(events(), { headers: { "content-type": "text/event-stream" } }),
    },
    fetch: () => new Response("none", { status: 404 }),
  });
  server = start();
  await fetch(`http://127.0.0.1:${server.port}/abc`, { redirect: "manual" });
  clicks = 0;
});

afterAll(async () => {
  await server.stop();
  await control.stop(true);
  file.close();
}, TIMEOUT_MS);

const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const start = (change: Partial<Config> = {}, written = soon): OpenRedirect =>
  openRedirect(
    { ...loadConfig({ KURZ_DATA_DIR: file.dataDir }), port: 0, ...change },
    {
      ...noClicks,
      record() {
        clicks += 1;
        return written();
      },
    },
  );

function events(): ReadableStream<Uint8Array> {
  let timer: ReturnType<typeof setInterval> | undefined;
  return new ReadableStream({
    start(controller) {
      openStreams += 1;
      timer = setInterval(() => controller.enqueue(new TextEncoder().encode("data: x\n\n")), 20);
    },
    cancel() {
      openStreams -= 1;
      clearInterval(timer);
    },
  });
}

const get = (path: string, fields = ""): string => `GET ${path} HTTP/1.1\r\nHost: s.example\r\n${fields}\r\n`;

async function readLocations(connection: RawConnection, count: number): Promise<(string | null)[]> {
  const locations: (string | null)[] = [];
  while (locations.length < count) locations.push((await connection.answer()).headers.get("location"));
  return locations;
}

const visits = (count: number): string => Array.from({ length: count }, (_, n) => get(`/abc?n=${n}`)).join("");
const locationsOf = (count: number): string[] => Array.from({ length: count }, (_, n) => `https://example.com/?n=${n}`);

test("visits that do not wait for each other are answered in their order and counted", async () => {
  const connection = await RawConnection.open(server.port);
  const before = clicks;
  connection.send(visits(300));
  expect(await readLocations(connection, 300)).toEqual(locationsOf(300));
  expect(clicks - before).toBe(300);
  connection.close();
});

test("a connection comes back to the lane after requests of every other kind", async () => {
  const connection = await RawConnection.open(server.port);
  const others = [
    get("/api/who"),
    get("/nosuch"),
    get("/abc+"),
    get("/abc", "X-Odd: \t\r\n"),
    "POST /console/length HTTP/1.1\r\nHost: s.example\r\nContent-Length: 5\r\n\r\nabcde",
  ];
  for (const other of others) {
    // The HTTP server would close a connection on which the next request does not wait.
    connection.send(visits(3) + other + visits(3));
    expect(await readLocations(connection, 3)).toEqual(locationsOf(3));
    expect([200, 302, 404]).toContain((await connection.answer()).status);
    expect(await readLocations(connection, 3)).toEqual(locationsOf(3));
  }
  connection.close();
});

test("every request is answered that does not wait, and so is one with a body that nobody reads", async () => {
  const connection = await RawConnection.open(server.port);
  const withBody = get("/api/who", "Content-Length: 20\r\n") + get("/abc").slice(0, 20);
  connection.send(withBody + withBody + visits(1));
  expect([(await connection.answer()).text, (await connection.answer()).text]).toEqual(["127.0.0.1", "127.0.0.1"]);
  expect(await readLocations(connection, 1)).toEqual(locationsOf(1));
  connection.close();
});

test.each(["FOO", "get", "TRACE", "M-SEARCH", "x"])("the method %s is answered like any other", async (method) => {
  const connection = await RawConnection.open(server.port);
  connection.send(
    `${get("/abc", "Content-Length: 3\r\n").replace("GET", method)}abc${get("/api/method").replace("GET", method)}`,
  );
  const { status, headers } = await connection.answer();
  expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  expect((await connection.answer()).text).toBe("PROPFIND");
  connection.send(visits(1));
  expect(await readLocations(connection, 1)).toEqual(locationsOf(1));
  connection.close();
});

test(
  "a client that reads nothing is not read any more, and loses nothing",
  async () => {
    const count = 40_000;
    const earlier = clicks;
    const { socket, received } = await openSlow(server.port, visits(count));
    await until("the server has stopped reading", async () => {
      const before = clicks;
      await Bun.sleep(200);
      return clicks === before && clicks > earlier;
    });
    expect(clicks - earlier).toBeLessThan(count);
    socket.resume();
    await until("everything has arrived", () => received().split("Location: ").length > count, TIMEOUT_MS);
    const locations = [...received().matchAll(/^Location: (.*)\r$/gm)].map(([, location]) => location);
    expect(locations).toEqual(locationsOf(count));
    socket.destroy();
  },
  TIMEOUT_MS,
);

test(
  "a large answer reaches a client that starts to read late",
  async () => {
    const { socket, received } = await openSlow(server.port, get("/api/large"));
    await Bun.sleep(500);
    socket.resume();
    const isComplete = (): boolean => received().length === received().indexOf("\r\n\r\n") + 4 + DOWNLOAD_BYTES;
    await until("everything has arrived", isComplete, TIMEOUT_MS);
    expect(received().split("Z").length - 1).toBe(DOWNLOAD_BYTES);
    socket.destroy();
  },
  TIMEOUT_MS,
);

test("an upload arrives whole, with and without its length told", async () => {
  const body = "a".repeat(UPLOAD_BYTES);
  const connection = await RawConnection.open(server.port);
  const head = "POST /console/length HTTP/1.1\r\nHost: s.example\r\n";
  connection.send(`${head}Content-Length: ${UPLOAD_BYTES}\r\n\r\n${body}`);
  expect((await connection.answer()).text).toBe(String(UPLOAD_BYTES));
  connection.send(`${head}Transfer-Encoding: chunked\r\n\r\n${UPLOAD_BYTES.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
  expect((await connection.answer()).text).toBe(String(UPLOAD_BYTES));
  connection.close();
});

test("an event stream flows, and ends at control when its reader leaves", async () => {
  const { socket, received } = await openSlow(server.port, get("/api/events"));
  socket.resume();
  await until("events arrive", () => received().split("data: x").length > 5);
  expect(openStreams).toBe(1);
  socket.destroy();
  await until("control notices", () => openStreams === 0);
});

describe("the address of a client", () => {
  const ask = async (port: number, localAddress: string): Promise<string> => {
    const { socket, received } = await openSlow(port, get("/api/who", "Connection: close\r\n"), localAddress);
    socket.resume();
    await new Promise((resolve) => socket.on("close", resolve));
    return received().split("\r\n\r\n")[1] ?? "";
  };

  test("stays its own behind the lane", async () => {
    const addresses = Array.from({ length: 50 }, (_, n) => `127.0.1.${n + 1}`);
    expect(await Promise.all(addresses.map((address) => ask(server.port, address)))).toEqual(addresses);
  });

  test("stays its own without the lane", async () => {
    const plain = start({ fastLane: false });
    expect(await ask(plain.port, "127.0.2.1")).toBe("127.0.2.1");
    await plain.stop();
  });

  test("is nobody's for whoever finds the HTTP server behind the lane", async () => {
    for (const localAddress of ["127.0.0.1", "127.0.2.1"]) {
      const { socket, received } = await openSlow(server.httpPort, get("/api/who"), localAddress);
      socket.resume();
      await new Promise((resolve) => socket.on("close", resolve));
      expect(received()).toStartWith("HTTP/1.1 421 ");
    }
  });
});

test.each([
  ["from the lane", visits(2), 2],
  ["from the HTTP server", get("/healthz"), 1],
])("a client that ends its side with the request still gets the answer %s", async (_whence, requests, answers) => {
  const { socket, received } = await openSlow(server.port, "");
  socket.resume();
  socket.end(requests);
  await new Promise((resolve) => socket.on("close", resolve));
  expect(received().split("HTTP/1.1 ").length - 1).toBe(answers);
});

test("an orderly stop loses no request of clients that keep their connections", async () => {
  const leaving = start();
  const paths = ["/abc", "/abc?x=1", "/api/who", "/nosuch"];
  let answered = 0;
  const clients = Array.from({ length: 16 }, async (_, client) => {
    const connection = await RawConnection.open(leaving.port);
    for (let turn = 0; ; turn += 1) {
      const { headers } = await connection.request({ target: paths[(client + turn) % paths.length] ?? "/" });
      answered += 1;
      if (headers.get("connection") === "close") return connection.close();
    }
  });
  await until("everybody is served", () => answered > 500);
  const stopped = leaving.stop();
  await Promise.all(clients);
  await stopped;
  await expect(RawConnection.open(leaving.port)).rejects.toThrow();
});

test("a request that waits behind a visit while the process leaves is still answered", async () => {
  const written = Promise.withResolvers<void>();
  const leaving = start({}, () => written.promise);
  await fetch(`http://127.0.0.1:${leaving.port}/abc`, { method: "HEAD", redirect: "manual" });
  const connection = await RawConnection.open(leaving.port);
  const before = clicks;
  connection.send(get("/abc") + get("/healthz"));
  await until("the visit waits", () => clicks > before);
  const stopped = leaving.stop();
  await until("nobody is let in any more", () =>
    RawConnection.open(leaving.port).then(
      (late) => {
        late.close();
        return false;
      },
      () => true,
    ),
  );
  written.resolve();
  expect((await connection.answer()).status).toBe(302);
  expect((await connection.answer()).status).toBe(200);
  connection.close();
  await stopped;
});

/** Sends the text and leaves everything that comes back unread until it is resumed. */
async function openSlow(port: number, text: string, localAddress = "127.0.0.1") {
  const socket: Socket = connect({ port, host: "127.0.0.1", localAddress, noDelay: true });
  let received = "";
  socket.setEncoding("latin1");
  socket.on("data", (part: string) => {
    received += part;
  });
  socket.on("error", () => {});
  socket.pause();
  await new Promise((resolve) => socket.on("connect", resolve));
  socket.write(text);
  return { socket, received: () => received };
}

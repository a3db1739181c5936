import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { freePort } from "#test/support/free-port.ts";
import { until } from "#test/support/until.ts";
import { closeSockets, openListeningSockets } from "./listening-sockets.ts";

const fixture = join(import.meta.dir, "fixtures", "accepting-child.ts");
const children: Bun.Subprocess[] = [];
const opened: number[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill("SIGKILL");
    await child.exited;
  }
  closeSockets(opened.splice(0));
});

function open(hostname: string, port: number, count: number): readonly number[] {
  const sockets = openListeningSockets(hostname, port, count) ?? [];
  opened.push(...sockets);
  return sockets;
}

/** A process that answers each connection with its name. */
function startChild(socket: number, name: string): Bun.Subprocess {
  const child = Bun.spawn([process.execPath, fixture, name], { stdio: ["ignore", "inherit", "inherit", socket] });
  children.push(child);
  return child;
}

async function ask(hostname: string, port: number): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = "";
  await Bun.connect({
    hostname,
    port,
    socket: {
      data(_, bytes) {
        text += bytes.toString();
      },
      close: () => resolve(text),
    },
  });
  return promise;
}

test.each(["127.0.0.1", "::1"])("a process accepts from a socket that it was handed, at %s", async (hostname) => {
  const port = freePort();
  const [socket] = open(hostname, port, 1);
  startChild(socket ?? 0, "first");
  expect(await ask(hostname, port)).toBe("first");
});

test("a connection that waits when its process is killed is served by the next one", async () => {
  const port = freePort();
  const [socket] = open("127.0.0.1", port, 1);
  const first = startChild(socket ?? 0, "first");
  expect(await ask("127.0.0.1", port)).toBe("first");
  // Stopped, so that it can't accept, but the kernel does for it.
  first.kill("SIGSTOP");
  const waiting = ask("127.0.0.1", port);
  first.kill("SIGKILL");
  await first.exited;
  startChild(socket ?? 0, "second");
  expect(await waiting).toBe("second");
});

test("several processes share the port, each with its own socket", async () => {
  const port = freePort();
  const sockets = open("127.0.0.1", port, 2);
  expect(sockets.length).toBe(2);
  for (const [no, socket] of sockets.entries()) startChild(socket, `process ${no}`);
  const seen = new Set<string>();
  await until("both have answered", async () => {
    seen.add(await ask("127.0.0.1", port));
    return seen.size === 2;
  });
});

test("what isn't an address, or is in use by a program that doesn't share it, gets no sockets", () => {
  expect(openListeningSockets("localhost", freePort(), 1)).toBeUndefined();
  expect(openListeningSockets("127.0.0.1", 0, 1)).toBeUndefined();
  const other = Bun.listen({ hostname: "127.0.0.1", port: 0, exclusive: true, socket: { data() {} } });
  expect(openListeningSockets("127.0.0.1", other.port, 2)).toBeUndefined();
  other.stop(true);
});

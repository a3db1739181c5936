import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { dataPaths } from "#config/data-paths.ts";
import { type ChangePublisher, openChangePublisher } from "#engines/coordination/change-publisher.ts";
import type { RedirectReader } from "#engines/records/redirect-reader.ts";
import { openSqliteRedirectReader } from "#engines/records/sqlite/redirect-reader.ts";
import { freePort } from "#test/support/free-port.ts";
import { type LinkFile, openLinkFile } from "#test/support/link-file.ts";
import { until } from "#test/support/until.ts";

const childScript = `
import { loadConfig } from "#config/load-config.ts";
import { startRedirect } from "#processes/redirect.ts";
await startRedirect(loadConfig(process.env), { writer: 0, epoch: 1 });`;

let file: LinkFile;
let reader: RedirectReader;
let publisher: ChangePublisher;
let port: number;
const children: Bun.Subprocess[] = [];

/** The product's own second is too little on a busy machine, where nothing replaces a process that was killed. */
async function startPublisher(ackTimeoutMs = 120_000): Promise<void> {
  const socketPath = dataPaths(file.dataDir).changesSocket;
  publisher = await openChangePublisher({ socketPath, records: reader, ackTimeoutMs });
}

async function spawnRedirect(): Promise<Bun.Subprocess> {
  const ready = Promise.withResolvers<void>();
  const child = Bun.spawn([process.execPath, "-e", childScript], {
    cwd: join(import.meta.dir, "..", ".."),
    // Without settings for the tests themselves, which the product doesn't know.
    env: { KURZ_PORT: String(port), KURZ_DATA_DIR: file.dataDir, KURZ_RATE_LIMIT_PER_MINUTE: "0" },
    stdio: ["ignore", "inherit", "inherit"],
    ipc: (message: { type: string }) => {
      if (message.type === "ready") ready.resolve();
    },
  });
  children.push(child);
  void child.exited.then((code) => ready.reject(new Error(`it has ended before it was ready, with ${code}`)));
  await ready.promise;
  return child;
}

const untilBothSubscribe = (): Promise<number> => until("both subscribe", () => publisher.subscribers() === 2);

/** On a connection of its own, so that any of the processes may get it. */
const open = async (slug: string): Promise<number> =>
  (await fetch(`http://127.0.0.1:${port}/${slug}`, { redirect: "manual", keepalive: false })).status;

async function countStale(flips: number, afterCommit: () => Promise<void>): Promise<number> {
  let stale = 0;
  for (let flip = 0; flip < flips; flip += 1) {
    const isPaused = flip % 2 === 0;
    file.set("abc", { state: isPaused ? "paused" : "active" });
    await afterCommit();
    if ((await open("abc")) !== (isPaused ? 404 : 302)) stale += 1;
  }
  return stale;
}

beforeAll(async () => {
  file = openLinkFile();
  file.add({ slug: "abc" });
  reader = openSqliteRedirectReader(file.path);
  port = freePort();
  await startPublisher();
  await Promise.all([spawnRedirect(), spawnRedirect()]);
  await untilBothSubscribe();
});

afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  publisher.close();
  await reader.close();
  file.close();
});

describe("two redirect processes", () => {
  test("never redirect a paused link after its pause was published, 1000 times over", async () => {
    expect(await countStale(1000, () => publisher.publish())).toBe(0);
    expect(publisher.subscribers()).toBe(2);
  }, 600_000);

  test("open a link at once although they knew its slug as unknown", async () => {
    for (let n = 0; n < 50; n += 1) {
      const slug = `new${n}`;
      expect([await open(slug), await open(slug), await open(slug)]).toEqual([404, 404, 404]);
      file.add({ slug });
      await publisher.publish();
      expect([await open(slug), await open(slug), await open(slug)]).toEqual([302, 302, 302]);
    }
  });

  test("see every commit while control is away, and again when it is back", async () => {
    publisher.close();
    expect(await countStale(200, async () => {})).toBe(0);
    await startPublisher();
    expect(await countStale(200, () => publisher.publish())).toBe(0);
    await untilBothSubscribe();
    expect(await countStale(200, () => publisher.publish())).toBe(0);
  }, 600_000);

  test("see what a dying control committed but never told", async () => {
    for (let round = 0; round < 10; round += 1) {
      await untilBothSubscribe();
      file.set("abc", { state: "active" });
      await publisher.publish();
      expect([await open("abc"), await open("abc")]).toEqual([302, 302]);
      file.set("abc", { state: "paused" });
      publisher.close();
      await startPublisher();
      await publisher.publish();
      await untilBothSubscribe();
      expect([await open("abc"), await open("abc"), await open("abc")]).toEqual([404, 404, 404]);
    }
  });

  test("keep the promise when one of them hangs: it is killed and the other goes on", async () => {
    publisher.close();
    await startPublisher(10_000);
    await untilBothSubscribe();
    file.set("abc", { state: "active" });
    await publisher.publish();
    const [hung] = children;
    hung?.kill("SIGSTOP");
    file.set("abc", { state: "paused" });
    await publisher.publish();
    await hung?.exited;
    expect(hung?.signalCode).toBe("SIGKILL");
    expect([await open("abc"), await open("abc")]).toEqual([404, 404]);
  });

  test("leave in order when they are told to, with exit code 0", async () => {
    const child = await spawnRedirect();
    child.send({ type: "stop" });
    expect(await child.exited).toBe(0);
  });
});

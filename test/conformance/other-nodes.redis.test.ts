import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import type { ChangeNotice } from "#engines/coordination/change-messages.ts";
import { openChangePublisher } from "#engines/coordination/change-publisher.ts";
import { openChangeSubscription } from "#engines/coordination/change-subscription.ts";
import type { Coordination } from "#engines/coordination/coordination.ts";
import { announceChanges, followOtherNodes } from "#engines/coordination/other-nodes.ts";
import type { RedirectReader } from "#engines/records/redirect-reader.ts";
import { openSqliteRedirectReader } from "#engines/records/sqlite/redirect-reader.ts";
import { openTestNode } from "#test/support/coordination-nodes.ts";
import { type LinkFile, openLinkFile } from "#test/support/link-file.ts";
import { ownKey } from "#test/support/own-key.ts";
import { type RedisServer, startRedisServer } from "#test/support/redis-server.ts";
import { until } from "#test/support/until.ts";

const NEVER_MS = 3_600_000;

let server: RedisServer;
let file: LinkFile;
let reader: RedirectReader;
const cleanUps: (() => unknown)[] = [];

beforeEach(async () => {
  server = await startRedisServer();
  file = openLinkFile();
  reader = openSqliteRedirectReader(file.path);
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  await reader.close();
  file.close();
  await server.stop();
});

/** A node with one redirect process, over records that the test writes to like another node. */
async function openFollower(name: string, pollMs: number) {
  const node = await openTestNode(server, { answerMsMax: 500 });
  const socketPath = join(file.dataDir, name, "changes.sock");
  const publisher = await openChangePublisher({ socketPath, records: reader });
  const notices: ChangeNotice[] = [];
  let isWelcome = false;
  const redirect = openChangeSubscription({
    socketPath,
    onWelcome() {
      isWelcome = true;
    },
    onChanges: (notice) => notices.push(notice),
    onBlocked() {},
    onCounted() {},
    onLost() {},
  });
  const problems: unknown[] = [];
  const follower = followOtherNodes({
    signals: node.signals,
    publisher,
    onProblem: (_message, error) => problems.push(error),
    pollMs,
  });
  cleanUps.push(
    () => node.close(),
    () => publisher.close(),
    () => redirect.close(),
    () => follower.stop(),
  );
  await until("the redirect process is subscribed", () => isWelcome);
  const knows = (slug: string): boolean => notices.some(({ keys }) => keys?.includes(ownKey(slug)));
  return { node, knows };
}

async function openWriter(): Promise<Coordination> {
  const node = await openTestNode(server);
  cleanUps.push(() => node.close());
  return node;
}

test("redirect processes of every node learn at once what one node has changed", async () => {
  const followers = [await openFollower("a", NEVER_MS), await openFollower("b", NEVER_MS)];
  const writer = await openWriter();
  for (let n = 0; n < 20; n += 1) {
    file.add({ slug: `slug-${n}` });
    announceChanges(writer.signals);
    await until("all know it", () => followers.every(({ knows }) => knows(`slug-${n}`)));
  }
});

test("a change whose signal got lost is noticed after the connection is back, without another signal", async () => {
  const { node, knows } = await openFollower("a", NEVER_MS);
  await server.kill();
  await until("the server is away", () => node.stats()?.isUp === false);
  file.add({ slug: "meanwhile" });
  await server.start();
  await until("it is known", () => knows("meanwhile"));
});

test("while the server is away, changes are noticed by looking", async () => {
  const { node, knows } = await openFollower("a", 20);
  await server.kill();
  await until("the server is away", () => node.stats()?.isUp === false);
  file.add({ slug: "meanwhile" });
  await until("it is known", () => knows("meanwhile"));
  expect(node.stats()?.isUp).toBe(false);
});

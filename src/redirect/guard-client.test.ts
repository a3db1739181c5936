import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "#test/support/until.ts";
import type { GuardQuestion } from "#visits/link-guard.ts";
import { guardClient } from "./guard-client.ts";

let directory: string;
let control: Bun.Server<undefined>;
let held: (() => void)[];
let ask: ReturnType<typeof guardClient>;

/** Control that answers the questions of one party only once it is allowed to. */
const isHeld = ({ network, linkNo }: GuardQuestion): boolean => network === "192.0.2.1" && linkNo === 1;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kurz-guard-"));
  held = [];
  const unix = join(directory, "guards.sock");
  control = Bun.serve({
    unix,
    async fetch(request) {
      if (isHeld((await request.json()) as GuardQuestion)) await new Promise<void>((resolve) => held.push(resolve));
      return Response.json({ result: "open" });
    },
  });
  ask = guardClient(unix);
});

afterEach(async () => {
  await control.stop(true);
  rmSync(directory, { recursive: true });
});

const byPassword = { linkNo: 1, password: "tulip", network: "192.0.2.1", usesClick: true };
const byClick = { ...byPassword, password: null };

test.each([
  ["a network that enters many passwords", byPassword, { ...byPassword, network: "192.0.2.2" }],
  ["a link that many people open", byClick, { ...byClick, linkNo: 2 }],
])("%s doesn't keep others waiting", async (_, busy, other) => {
  const asked = Array.from({ length: 200 }, () => ask(busy).catch(() => "refused"));
  await until("control has some of them", () => held.length > 0);
  // Held up as they are, an answer can only come past them.
  expect(await ask(other)).toEqual({ result: "open" });
  const release = setInterval(() => {
    for (const answer of held.splice(0)) answer();
  }, 1);
  expect(await Promise.all(asked)).toContainEqual({ result: "open" });
  clearInterval(release);
});

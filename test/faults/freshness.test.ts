import { afterAll, expect, test } from "bun:test";
import { sendToServer } from "#commands/admin-client.ts";
import { dataPaths } from "#config/data-paths.ts";
import { type OwnedConnection, openToEveryProcess } from "#test/support/kept-connections.ts";
import { startKurzWithApi } from "#test/support/link-api.ts";
import { startLoad } from "#test/support/load.ts";
import { askOnce } from "#test/support/raw-connection.ts";
import type { RawAnswer } from "#test/support/raw-message.ts";

// Thousands of changes, each checked in every process: minutes on a busy machine.
const TIMEOUT_MS = 600_000;
const PROCESSES = 3;
// A change takes about as long, so visits meet every phase of it; without a rest, most of the work would be theirs.
const VISITOR_REST_MS = 10;

const { kurz, account, api } = await startKurzWithApi({
  env: { KURZ_REDIRECT_PROCESSES: String(PROCESSES), KURZ_RATE_LIMIT_PER_MINUTE: "0" },
});
const judges = await openToEveryProcess(kurz, 1);
const visitors = await openToEveryProcess(kurz, 2);
afterAll(async () => {
  for (const { connection } of [...judges, ...visitors]) connection.close();
  await kurz.stop();
});

const operate = (command: string, input: Record<string, string>): Promise<unknown> =>
  sendToServer(dataPaths(kurz.dataDir).adminSocket, command, input);

interface Step {
  readonly change: () => Promise<unknown>;
  /** What the link answers after the change, in the words of `describeAnswer`. */
  readonly shows: string;
}

const describeAnswer = ({ status, headers }: RawAnswer): string =>
  [status, headers.get("location")].filter((part) => part !== null).join(" ");

/**
 * What every visitor has to see at a path now. After each change a new connection asks first and then every process is
 * asked, which also fills its cache for the next change. Visitors on open connections ask every 10 ms: one who asks
 * after a change was acknowledged and is answered before the next begins must see it.
 */
class Watched {
  path = "/";
  #expected: string | undefined;
  #changes = 0;
  readonly wrong: string[] = [];

  async step({ change, shows }: Step): Promise<void> {
    this.#expected = undefined;
    this.#changes += 1;
    await change();
    this.#expected = shows;
    this.#judge(await askOnce(kurz.port, { target: this.path }), "a new connection");
    await Promise.all(
      judges.map(async ({ connection, pid }) =>
        this.#judge(await connection.request({ target: this.path }), `process ${pid}`),
      ),
    );
  }

  async visit({ connection, pid }: OwnedConnection): Promise<void> {
    const [expected, changes] = [this.#expected, this.#changes];
    const answer = await connection.request({ target: this.path });
    if (expected !== undefined && this.#changes === changes) this.#judge(answer, `a visitor of process ${pid}`);
  }

  #judge(answer: RawAnswer, by: string): void {
    const seen = describeAnswer(answer);
    if (seen !== this.#expected) this.wrong.push(`${this.path}: ${seen} instead of ${this.#expected}, by ${by}`);
  }
}

async function watching(work: (watched: Watched) => Promise<void>): Promise<void> {
  const watched = new Watched();
  const loads = visitors.map((visitor) => startLoad(1, () => watched.visit(visitor), VISITOR_REST_MS));
  await work(watched).finally(() => Promise.all(loads.map((load) => load.stop())));
  expect(watched.wrong).toEqual([]);
}

const to = (destination: string): string => `302 ${destination}`;

function alternate(name: string, times: number, stepsFor: (link: { id: string; slug: string }) => readonly Step[]) {
  test(
    name,
    () =>
      watching(async (watched) => {
        const link = await api.create();
        watched.path = `/${link.slug}`;
        const steps = stepsFor(link);
        for (let round = 0; round < times; round += 1) for (const step of steps) await watched.step(step);
      }),
    TIMEOUT_MS,
  );
}

alternate("once pause answers, no process redirects, and once resume answers, all do: 1000 times", 1000, ({ id }) => [
  { change: () => api.act(id, "pause"), shows: "404" },
  { change: () => api.act(id, "resume"), shows: to("https://example.com/") },
]);

alternate("once a new destination is acknowledged, every process redirects there", 150, ({ id }) =>
  ["https://example.com/a", "https://example.org/b"].map((destination_url) => ({
    change: () => api.update(id, { destination_url }),
    shows: to(destination_url),
  })),
);

alternate("once archive answers, the link is gone everywhere", 100, ({ id }) => [
  { change: () => api.act(id, "archive"), shows: "410" },
  { change: () => api.act(id, "unarchive"), shows: to("https://example.com/") },
]);

alternate("once the operator has blocked a link, it is gone everywhere", 100, ({ slug: link }) => [
  { change: () => operate("links block", { link, reason: "phishing" }), shows: "410" },
  { change: () => operate("links unblock", { link }), shows: to("https://example.com/") },
]);

alternate("once the operator has suspended an account, its links are gone everywhere", 100, () => [
  { change: () => operate("accounts suspend", { account }), shows: "410" },
  { change: () => operate("accounts resume", { account }), shows: to("https://example.com/") },
]);

test(
  "an unknown slug redirects everywhere as soon as its link is created, and is gone as soon as it is deleted",
  () =>
    watching(async (watched) => {
      for (let round = 0; round < 150; round += 1) {
        const slug = `fresh-${round}`;
        let id = "";
        // Visited first, so that processes cache that there is no such link.
        const watchPath = async (path: string): Promise<void> => {
          watched.path = path;
        };
        await watched.step({ change: () => watchPath(`/${slug}`), shows: "404" });
        await watched.step({
          change: async () => {
            ({ id } = await api.create({ slug }));
          },
          shows: to("https://example.com/"),
        });
        await watched.step({ change: () => api.delete(id), shows: "410" });
        await watched.step({ change: () => api.restore(id), shows: to("https://example.com/") });
        await watched.step({ change: () => api.delete(id), shows: "410" });
      }
    }),
  TIMEOUT_MS,
);

test(
  "a command in a terminal applies everywhere when it ends",
  () =>
    watching(async (watched) => {
      const link = await api.create();
      watched.path = `/${link.slug}`;
      const run = async (...args: string[]): Promise<void> => expect((await kurz.kurz(args)).code).toBe(0);
      await watched.step({ change: () => run("links", "block", link.slug, "--reason", "malware"), shows: "410" });
      await watched.step({ change: () => run("links", "unblock", link.id), shows: to("https://example.com/") });
      await watched.step({ change: () => run("accounts", "suspend", account), shows: "410" });
      await watched.step({ change: () => run("accounts", "resume", account), shows: to("https://example.com/") });
    }),
  TIMEOUT_MS,
);

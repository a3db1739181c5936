import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runUpgrade } from "#test/fleet/upgrade-run.ts";
import { runKurz, startKurz } from "#test/support/kurz-server.ts";
import { LinkApi } from "#test/support/link-api.ts";
import { sharedPostgres } from "#test/support/postgres-server.ts";
import { visitOnce } from "#test/support/steady-visitors.ts";
import { until } from "#test/support/until.ts";

const TEST_MS_MAX = 900_000;

test(
  "nodes of two releases that can share a database are upgraded one after another, and no visitor notices",
  async () => {
    // The release before isn't there in every checkout; `npm run drill:upgrade` takes any.
    const { isShared, checks } = await runUpgrade({ before: join(import.meta.dir, "..", "..") });
    expect(isShared).toBe(true);
    expect(checks.map(({ what, found }) => [what, found])).toEqual(
      checks.map(({ what, expected }) => [what, expected]),
    );
    expect(checks.length).toBe(8);
  },
  TEST_MS_MAX,
);

test(
  "a node whose database a newer release has changed beyond it redirects links that it knows, and answers 503 for all else",
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "kurz-newer-schema-"));
    const postgres = await sharedPostgres();
    const database = await postgres.newDatabase();
    const env = {
      DATABASE_URL: postgres.urlOf(database),
      KURZ_SECRET_KEY: "a secret key for tests, long enough",
      KURZ_REDIRECT_PROCESSES: "1",
    };
    const kurz = await startKurz({ dataDir, env });
    try {
      const api = new LinkApi(kurz.url, await kurz.newToken(await kurz.newAccount()));
      const [known, unseen] = [await api.create(), await api.create()];
      const outcomeOf = async (slug: string) => (await visitOnce(kurz, slug)).outcome;
      expect(await outcomeOf(known.slug)).toBe(302);
      await postgres.administer(
        `alter table links rename column key to moved_elsewhere;
        insert into migrations (id, name, applied_at, works_from) values (9999, 'future', 0, 9999)`,
        database,
      );
      const expectKnownOnly = async () =>
        expect([await outcomeOf(known.slug), await outcomeOf(unseen.slug), await outcomeOf("missing")]).toEqual([
          302, 503, 503,
        ]);
      await expectKnownOnly();
      // A client tries again later, or on another node.
      const destination_url = "https://example.com/";
      for (const request of [api.ask("GET", "/links"), api.ask("POST", "/links", { destination_url })]) {
        const { status, headers } = await request;
        expect([status, headers.get("retry-after")]).toEqual([503, expect.stringMatching(/^\d+$/)]);
      }
      // Processes that are replaced don't change that, and its own control can't come back.
      const logged = kurz.output.stderr.length;
      for (const pid of kurz.processes("control")) process.kill(pid, "SIGKILL");
      await until("control is refused", () => kurz.output.stderr.slice(logged).includes("written by a newer Kurz"));
      await expectKnownOnly();
      // After several failed look-ups, the records aren't asked for half a second.
      await until("the node is ready", async () => (await fetch(`${kurz.url}/readyz`)).ok);
      await kurz.stop();
      const where = { KURZ_DATA_DIR: dataDir, KURZ_PORT: String(kurz.port), KURZ_METRICS_ADDR: "off" };
      const again = await runKurz(["serve"], { ...env, ...where });
      expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("written by a newer Kurz (schema 9999") });
    } finally {
      await kurz.stop();
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
  TEST_MS_MAX,
);

import { expect, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { killAndReplace } from "#test/support/killed-process.ts";
import { startKurzWithApi } from "#test/support/link-api.ts";
import { until } from "#test/support/until.ts";
import { visit } from "#test/support/visit.ts";

const TIMEOUT_MS = 600_000;
const FILES = [
  "admin.sock",
  "backup.sock",
  "changes.sock",
  "control.sock",
  "guards.sock",
  "metrics.sock",
  "lock-holder.json",
];

test(
  "deleted sockets, alone or with their directory, are recreated, and the log says so",
  async () => {
    const { kurz, api } = await startKurzWithApi({ env: { KURZ_REDIRECT_PROCESSES: "1" } });
    try {
      const link = await api.create();
      const run = join(kurz.dataDir, "run");
      const logged = (): number => kurz.output.stderr.split("was deleted and has been restored").length - 1;
      const exist = (): boolean => FILES.every((name) => existsSync(join(run, name)));

      for (const name of FILES) rmSync(join(run, name));
      await until("they exist again", () => exist() && logged() === FILES.length);
      rmSync(run, { recursive: true });
      // A command that runs meanwhile waits for them.
      expect(await kurz.kurz(["accounts", "list"])).toMatchObject({ code: 0 });
      await until("they exist again", () => exist() && logged() === 2 * FILES.length);
      for (const name of FILES) expect(kurz.output.stderr).toContain(`"file":"${name}"`);

      // Open connections don't need the files; a new process does.
      await killAndReplace(kurz, "redirect");
      await until("it reaches control", async () => (await api.ask("GET", "/me")).status === 200);
      expect((await visit(kurz, `/${link.slug}`)).status).toBe(302);
      await api.act(link.id, "pause");
      expect((await visit(kurz, `/${link.slug}`)).status).toBe(404);
      expect((await kurz.kurz(["doctor"])).stdout).toContain(`running as process ${kurz.supervisor.pid}`);
    } finally {
      await kurz.stop();
    }
  },
  TIMEOUT_MS,
);

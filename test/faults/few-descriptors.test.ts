import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { startKurzWithApi } from "#test/support/link-api.ts";
import { askOnce, RawConnection } from "#test/support/raw-connection.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 60_000;
const SPARE = 60;
const SLOW_CLIENTS = 100;

test(
  "a redirect process without a file descriptor left serves kept connections, and everybody when clients have left",
  async () => {
    const { kurz, api } = await startKurzWithApi({ env: { KURZ_REDIRECT_PROCESSES: "1" } });
    try {
      const { slug } = await api.create();
      const [pid = 0] = kurz.processes("redirect");
      const descriptors = (): number => readdirSync(`/proc/${pid}/fd`).length;
      const kept = await RawConnection.open(kurz.port);
      const visit = { target: `/${slug}` };
      expect((await kept.request(visit)).status).toBe(302);
      const before = descriptors();
      const limit = before + SPARE;
      const lowered = Bun.spawnSync(["prlimit", "--pid", String(pid), `--nofile=${limit}:${limit}`]);
      expect(lowered.stderr.toString()).toBe("");

      const slow = Array.from({ length: SLOW_CLIENTS }, () => connect({ host: "127.0.0.1", port: kurz.port }));
      for (const client of slow) client.on("error", () => {}).write("GET /half HT");
      await until("no descriptor is left", () => descriptors() === limit);
      await until("nothing can be handed over", () => kurz.output.stderr.includes("a request failed"));
      expect((await kept.request(visit)).status).toBe(302);
      for (const client of slow) client.end();

      await until("their descriptors are free", () => descriptors() <= before, TIMEOUT_MS);
      expect((await askOnce(kurz.port, visit)).status).toBe(302);
      expect((await api.ask("GET", "/me")).status).toBe(200);
      expect(kurz.processes("redirect")).toEqual([pid]);
    } finally {
      await kurz.stop();
    }
  },
  TIMEOUT_MS,
);

import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { BROWSER } from "#test/support/click-counts.ts";
import { startKurzWithApi } from "#test/support/link-api.ts";
import { askOnce, RawConnection } from "#test/support/raw-connection.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;
const DESCRIPTORS = 256;
const SLOW_CLIENTS = 400;
const NEWCOMERS = 50;
const IDLE_CLIENTS = 300;
/** An unfinished head, and a body of which one byte has arrived. */
const BEGINNINGS = [
  "GET /half HT",
  "POST /api/v1/links HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer t\r\nContent-Length: 100\r\n\r\n{",
];

test(
  "neither unfinished nor idle connections use up a redirect process's file descriptors",
  async () => {
    const { kurz, api } = await startKurzWithApi({
      env: { KURZ_REDIRECT_PROCESSES: "1", KURZ_RATE_LIMIT_PER_MINUTE: "0" },
    });
    try {
      const link = await api.create();
      const visit = { target: `/${link.slug}`, headers: [["User-Agent", BROWSER]] as const };
      const [pid = 0] = kurz.processes("redirect");
      const descriptors = (): number => readdirSync(`/proc/${pid}/fd`).length;
      let visits = 0;
      const visitOver = async (connection: RawConnection): Promise<void> => {
        visits += 1;
        expect((await connection.request(visit)).status).toBe(302);
      };
      const everyoneIsServed = async (): Promise<void> => {
        for (let round = 0; round < 20; round += 1) {
          visits += 1;
          expect((await askOnce(kurz.port, visit)).status).toBe(302);
          expect((await api.ask("GET", "/me")).status).toBe(200);
          expect(descriptors()).toBeLessThan(DESCRIPTORS);
        }
      };
      const lowered = Bun.spawnSync(["prlimit", "--pid", String(pid), `--nofile=${DESCRIPTORS}:${DESCRIPTORS}`]);
      expect(lowered.stderr.toString()).toBe("");
      // It notices within a second, and accepts every connection until then.
      await until("the limit is known", async () => {
        for (let n = 0; n < 10; n += 1) (await RawConnection.open(kurz.port)).send("GET /half HT");
        return kurz.output.stderr.includes("file descriptors ran short");
      });

      for (const beginning of BEGINNINGS) {
        const slow = Array.from({ length: SLOW_CLIENTS }, () => connect({ host: "127.0.0.1", port: kurz.port }));
        for (const client of slow) client.on("error", () => {}).write(beginning);
        await everyoneIsServed();
        // A client that was served stays connected, although others connect and stay too.
        const served = await RawConnection.open(kurz.port);
        await visitOver(served);
        for (let n = 0; n < NEWCOMERS; n += 1) await visitOver(await RawConnection.open(kurz.port));
        await visitOver(served);
        for (const client of slow) client.destroy();
      }

      const kept = await RawConnection.open(kurz.port);
      for (let n = 0; n < IDLE_CLIENTS; n += 1) {
        await visitOver(await RawConnection.open(kurz.port));
        await visitOver(kept);
      }
      await everyoneIsServed();
      expect(kurz.processes("redirect")).toEqual([pid]);
      expect(kurz.output.stderr).not.toContain("a request failed");
      await until("every visit is counted", async () => (await api.get(link.id)).click_count === visits, TIMEOUT_MS);
    } finally {
      await kurz.stop();
    }
  },
  TIMEOUT_MS,
);

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mmdbFile } from "#clicks/classify/fixtures/mmdb-file.ts";
import { dataPaths } from "#config/data-paths.ts";
import { readExposition } from "#test/support/exposition.ts";
import type { KurzServer } from "#test/support/kurz-server.ts";
import { type LinkApi, startKurzWithApi } from "#test/support/link-api.ts";
import { until } from "#test/support/until.ts";

const directory = mkdtempSync(join(tmpdir(), "kurz-geo-"));
const path = join(directory, "city.mmdb");
let kurz: KurzServer;
let api: LinkApi;

beforeAll(async () => {
  writeFileSync(path, mmdbFile({ country: "DE", city: "Ulm" }));
  truncateSync(path, 40);
  ({ kurz, api } = await startKurzWithApi({ env: { KURZ_REDIRECT_PROCESSES: "1", KURZ_GEO_MMDB: path } }));
  await api.create({ slug: "somewhere" });
});
afterAll(async () => {
  await kurz?.stop();
  rmSync(directory, { recursive: true });
});

const visit = async (): Promise<number> =>
  (await fetch(`${kurz.url}/somewhere`, { redirect: "manual", keepalive: false }).catch(() => null))?.status ?? 0;

async function unusable(): Promise<number | undefined> {
  const unix = dataPaths(kurz.dataDir).metricsSocket;
  return readExposition(await (await fetch("http://localhost/metrics", { unix })).text()).get("kurz_geo_file_unusable");
}

async function killRedirect(): Promise<void> {
  const [old] = kurz.processes("redirect");
  process.kill(old ?? 0, "SIGKILL");
  await until("another process serves", async () => {
    const [pid] = kurz.processes("redirect");
    return pid !== undefined && pid !== old && (await visit()) === 302;
  });
}

test("a truncated geo file leaves the links up, is told in one line, and is a problem for the doctor", async () => {
  expect(await visit()).toBe(302);
  await killRedirect();
  const lines = kurz.output.stderr.split("\n").filter((line) => line.includes("the geo database cannot be used"));
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    expect(JSON.parse(line).error).toBe(
      `KURZ_GEO_MMDB ${path}: it is not a complete MaxMind database (mmdb); ` +
        "using the bundled country data until the file is mended",
    );
  }
  await until("the metric says so", async () => (await unusable()) === 1);
  const { code, stdout } = await kurz.kurz(["doctor"]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^problem +geo database +KURZ_GEO_MMDB .*not a complete MaxMind database/m);
});

test("the mended file is used without a restart, and a start without it goes on", async () => {
  const [pid] = kurz.processes("redirect");
  writeFileSync(path, mmdbFile({ country: "DE", city: "Ulm" }));
  await until("it is read", async () => (await unusable()) === 0, 30_000);
  expect(kurz.processes("redirect")).toEqual([pid ?? 0]);
  expect((await kurz.kurz(["doctor"])).stdout).toMatch(/^ok +geo database/m);
  rmSync(path);
  await killRedirect();
  expect(kurz.output.stderr).toContain("there is no such file");
});

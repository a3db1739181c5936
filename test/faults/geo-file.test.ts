import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mmdbFile } from "#clicks/classify/fixtures/mmdb-file.ts";
import { dataPaths } from "#config/data-paths.ts";
import { readExposition } from "#test/support/exposition.ts";
import { killAndReplace } from "#test/support/killed-process.ts";
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

/** The log lines about the file: each process writes one when it starts. */
const complaints = (): string[] =>
  kurz.output.stderr.split("\n").filter((line) => line.includes("the geo database cannot be used"));

test("with a truncated geo file links keep redirecting, the log has one line, and the doctor reports a problem", async () => {
  expect(await visit()).toBe(302);
  await killAndReplace(kurz, "redirect");
  expect(await visit()).toBe(302);
  await until("both processes have logged it", () => complaints().length === 2);
  for (const line of complaints()) {
    expect(JSON.parse(line).error).toBe(
      `KURZ_GEO_MMDB ${path}: it is not a complete MaxMind database (mmdb); ` +
        "using the bundled country data until the file is fixed",
    );
  }
  await until("the metric reports it", async () => (await unusable()) === 1);
  const { code, stdout } = await kurz.kurz(["doctor"]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^problem +geo database +KURZ_GEO_MMDB .*not a complete MaxMind database/m);
});

test("the repaired file is used without a restart, and a process starts without one", async () => {
  const [pid] = kurz.processes("redirect");
  writeFileSync(path, mmdbFile({ country: "DE", city: "Ulm" }));
  await until("the file is read", async () => (await unusable()) === 0);
  expect(kurz.processes("redirect")).toEqual([pid ?? 0]);
  expect((await kurz.kurz(["doctor"])).stdout).toMatch(/^ok +geo database/m);
  rmSync(path);
  await killAndReplace(kurz, "redirect");
  expect(await visit()).toBe(302);
  await until("the log says so", () => kurz.output.stderr.includes("there is no such file"));
});

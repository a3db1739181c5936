import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mmdbFile } from "#clicks/classify/fixtures/mmdb-file.ts";
import { dataPaths } from "#config/data-paths.ts";
import { readExposition } from "#test/support/exposition.ts";
import { type FreezableDisk, mountFreezableDisk } from "#test/support/frozen-disk.ts";
import { startHostileReceiver } from "#test/support/hostile-receivers.ts";
import { type KurzWithApi, startKurzWithApi } from "#test/support/link-api.ts";
import { operatorOf } from "#test/support/operator.ts";
import { until } from "#test/support/until.ts";
import { atMost, millis, type Row } from "../report.ts";
import { SUBJECT_ENV } from "../stage.ts";
import { type VisitsReport, visitSteadily } from "../steady-visits.ts";
import { startTricklingClients } from "../trickling-clients.ts";
import type { Bench } from "./bench-definition.ts";

const LINKS = 50;
const VISITS = { connections: 32, thinkMs: 20 };
const ALONE_SECONDS = 5;
const FREEZE_MS = 10_000;
const TROUBLE_SECONDS = 16;
const LEAD_MS = 2000;
const DESCRIPTORS_MAX = 1024;
const TRICKLING_CLIENTS = 2000;
const FLOODING_ENDPOINTS = 5;
const TIMES_MAX = 5;

export const allAtOnce: Bench = {
  name: "all-at-once",
  about:
    "redirects through a frozen disk, too few descriptors, a bad geo file, trickled uploads and flooding receivers",
  async run(stage) {
    await using undo = new AsyncDisposableStack();
    const disk = mountFreezableDisk(512);
    undo.defer(() => disk.remove());
    const geoFile = join(tmpdir(), `kurz-all-at-once-${process.pid}.mmdb`);
    undo.defer(() => rmSync(geoFile, { force: true }));
    writeFileSync(geoFile, mmdbFile({ country: "DE" }));
    const env = { ...SUBJECT_ENV, KURZ_TRUST_PROXY: "0", KURZ_GEO_MMDB: geoFile };
    const server = await startKurzWithApi({ dataDir: join(disk.path, "data"), env });
    undo.defer(async () => void (await server.kurz.stop()));
    const links = await createLinks(server);
    const visits = { port: server.kurz.port, slugs: links.map(({ slug }) => slug), ...VISITS };
    const before = processesOf(server);

    stage.say("alone");
    const alone = await visitSteadily({ ...visits, seconds: ALONE_SECONDS });
    stage.say("with everything that can go wrong");
    const trouble = await startTrouble(server, geoFile);
    undo.defer(() => trouble.stop());
    const beside = visitSteadily({ ...visits, seconds: TROUBLE_SECONDS });
    await Bun.sleep(LEAD_MS);
    await freeze(disk);
    const inTrouble = await beside;
    await trouble.stop();
    stage.say("counting");
    const lost = await countLost(server, alone.redirected + inTrouble.redirected, links);
    return [
      ...rowsOf(alone, inTrouble),
      {
        name: "clicks neither counted nor reported lost",
        ours: String(lost.unknown),
        target: "0",
        isOk: lost.unknown === 0,
      },
      { name: "clicks reported lost", ours: String(lost.reported), target: "0", isOk: lost.reported === 0 },
      {
        name: "processes that were replaced",
        ours: String(processesOf(server).filter((pid) => !before.includes(pid)).length),
        target: "0",
        isOk: processesOf(server).every((pid) => before.includes(pid)),
      },
    ];
  },
};

async function createLinks({ api }: KurzWithApi) {
  return Promise.all(Array.from({ length: LINKS }, () => api.create()));
}

const processesOf = ({ kurz }: KurzWithApi): number[] => [...kurz.processes("redirect"), ...kurz.processes("control")];

async function freeze(disk: FreezableDisk): Promise<void> {
  disk.freeze();
  await Bun.sleep(FREEZE_MS);
  disk.thaw();
}

/** Everything but the frozen disk, which has to thaw before anything can be counted. */
async function startTrouble({ kurz, account, api }: KurzWithApi, geoFile: string): Promise<{ stop(): Promise<void> }> {
  const undo = new AsyncDisposableStack();
  for (let at = 0; at < FLOODING_ENDPOINTS; at += 1) {
    const receiver = await startHostileReceiver("interim");
    undo.defer(() => receiver.stop());
    await operatorOf(kurz).newEndpoint(account, receiver.url);
  }
  await api.create();
  for (const pid of kurz.processes("redirect")) {
    const { exitCode } = Bun.spawnSync([
      "prlimit",
      "--pid",
      String(pid),
      `--nofile=${DESCRIPTORS_MAX}:${DESCRIPTORS_MAX}`,
    ]);
    if (exitCode !== 0) throw new Error("the descriptor limit could not be set");
  }
  const clients = await startTricklingClients(kurz.port, TRICKLING_CLIENTS);
  undo.defer(() => clients.stop());
  writeFileSync(geoFile, "not a database");
  return { stop: () => undo.disposeAsync() };
}

function rowsOf(alone: VisitsReport, beside: VisitsReport): Row[] {
  const others = Object.entries({ ...alone.others, ...beside.others }).map(([what, times]) => `${times} × ${what}`);
  return [
    {
      name: "visits of known links that were not redirected",
      ours: others.join(", ") || "0",
      target: "0",
      isOk: others.length === 0,
    },
    { name: "  redirected meanwhile", ours: String(beside.redirected) },
    { name: "  slowest answer", ours: millis(beside.slowest), baseline: millis(alone.slowest) },
    { name: "  p50", ours: millis(beside.p50), baseline: millis(alone.p50), ratio: beside.p50 / alone.p50 },
    atMost(
      { name: "  p99", ours: millis(beside.p99), baseline: millis(alone.p99), ratio: beside.p99 / alone.p99 },
      TIMES_MAX,
    ),
  ];
}

/** Waits until all clicks are accounted for, or their number no longer changes. */
async function countLost({ kurz, api }: KurzWithApi, answered: number, links: readonly { id: string }[]) {
  let reported = 0;
  let unknown = answered;
  const count = async (): Promise<boolean> => {
    const counts = await Promise.all(links.map(async ({ id }) => (await api.get(id)).click_count));
    reported = await countReportedLost(kurz.dataDir);
    unknown = answered - reported - counts.reduce((sum, clicks) => sum + clicks, 0);
    return unknown <= 0;
  };
  await until("all clicks are counted", count, 60_000).catch(() => {});
  return { reported, unknown };
}

async function countReportedLost(dataDir: string): Promise<number> {
  const { metricsSocket } = dataPaths(dataDir);
  const metrics = readExposition(await (await fetch("http://localhost/metrics", { unix: metricsSocket })).text());
  const dropped = [...metrics].filter(([series]) => series.startsWith("kurz_clicks_dropped_total"));
  return dropped.reduce((sum, [, clicks]) => sum + clicks, 0);
}

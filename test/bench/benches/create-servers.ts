import { join } from "node:path";
import type { BareInserts } from "../bare-postgres-insert.ts";
import { interleave } from "../interleave.ts";
import { type LoadReport, runLoad } from "../load.ts";
import { micros, millis, type Row } from "../report.ts";
import type { Stage, Subject } from "../stage.ts";
import { median, medianRatio } from "../statistics.ts";
import type { Bench } from "./bench-definition.ts";

const SECONDS = 2;
/** Until its code is compiled, a server needs up to three times as much CPU. */
export const WARM_UP_SECONDS = 9;
const INSERTS = { one: 1000, together: 4000 };
const TOGETHER = 16;

export const createServers: Bench = {
  name: "create-servers",
  about: "`POST /links` with records on PostgreSQL compared to a bare `pg` insert, equally durable, and to SQLite",
  async run(stage) {
    const [embedded, onServers] = [await stage.small(), await stage.smallOnServers()];
    if (!stage.isQuick)
      for (const subject of [embedded, onServers]) await measureCreates(stage, subject, TOGETHER, WARM_UP_SECONDS);
    return [
      ...(await compare(stage, embedded, onServers, 1, INSERTS.one)),
      ...(await compare(stage, embedded, onServers, TOGETHER, INSERTS.together)),
    ];
  },
};

export interface Creates {
  /** CPU per link in microseconds: of Kurz or the bare client, and of PostgreSQL. */
  readonly cpu: number;
  readonly postgres: number;
  /** Latencies in milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

async function compare(
  stage: Stage,
  embedded: Subject,
  onServers: Subject,
  inFlight: number,
  inserts: number,
): Promise<Row[]> {
  const { ours, bare, files } = await interleave(stage.rounds, {
    ours: () => measureCreates(stage, onServers, inFlight),
    bare: () => measureBare(stage, inFlight, inserts),
    files: () => measureCreates(stage, embedded, inFlight),
  });
  const many = inFlight === 1 ? "one at a time" : `${inFlight} at a time`;
  const row = (
    name: string,
    of: (creates: Creates) => number,
    format: (value: number) => string,
    baseline: readonly Creates[],
  ): Row => ({
    name: `${name}, ${many}`,
    ours: format(median(ours.map(of))),
    baseline: format(median(baseline.map(of))),
    ratio: medianRatio(ours.map(of), baseline.map(of)),
  });
  return [
    row("CPU of Kurz per POST /links, beside a bare pg client", ({ cpu }) => cpu, micros, bare),
    row("CPU of PostgreSQL per POST /links, beside a bare insert", ({ postgres }) => postgres, micros, bare),
    row("p50 of POST /links, beside a bare insert", ({ p50 }) => p50, millis, bare),
    row("p99 of POST /links, beside a bare insert", ({ p99 }) => p99, millis, bare),
    row("CPU of Kurz per POST /links, beside embedded records", ({ cpu }) => cpu, micros, files),
    row("p50 of POST /links, beside embedded records", ({ p50 }) => p50, millis, files),
  ];
}

export async function measureCreates(
  stage: Stage,
  { server, bigToken, all }: Subject,
  inFlight: number,
  seconds = SECONDS,
): Promise<Creates> {
  const { postgresMicros } = await stage.servers();
  const before = postgresMicros();
  const { cpu, requests, streams }: LoadReport = await runLoad(
    {
      url: server.url,
      token: bigToken,
      seconds,
      streams: [{ name: "create", inFlight, method: "POST", targets: ["/api/v1/links"] }],
    },
    [all],
  );
  return {
    cpu: cpu[0] ?? Number.NaN,
    postgres: (postgresMicros() - before) / requests,
    p50: streams[0]?.p50 ?? Number.NaN,
    p99: streams[0]?.p99 ?? Number.NaN,
  };
}

async function measureBare(stage: Stage, inFlight: number, inserts: number): Promise<Creates> {
  const { postgres, postgresMicros } = await stage.servers();
  const script = join(import.meta.dir, "..", "bare-postgres-insert.ts");
  const before = postgresMicros();
  const child = Bun.spawn(
    [process.execPath, script, postgres.adminUrlOf("postgres"), String(inserts), String(inFlight)],
    { stdout: "pipe", stderr: "inherit" },
  );
  const text = await new Response(child.stdout).text();
  if (text === "") throw new Error("the bare inserts failed");
  const bare = JSON.parse(text) as BareInserts;
  return { ...bare, postgres: (postgresMicros() - before) / bare.inserted };
}

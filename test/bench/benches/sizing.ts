import { readFileSync } from "node:fs";
import { bytesPerJournalledClick } from "../journal-size.ts";
import { memoryOf, waitUntilIdle } from "../process-figures.ts";
import { bytes, micros, type Row } from "../report.ts";
import { POPULAR_LINES, type Stage, type SubjectOnServers } from "../stage.ts";
import { median } from "../statistics.ts";
import { runWrk } from "../wrk.ts";
import type { Bench } from "./bench-definition.ts";
import { measureCreates, WARM_UP_SECONDS } from "./create-servers.ts";

const CROWD = 50_000;
const CREATES_AT_ONCE = 16;
const JOURNALLED_CLICKS = 200_000;
/** A line of the path files. */
const PATH_BYTES = 10;
/** No more than a redirect process keeps. */
const OPENED_MAX = 300_000;
/** For the clicks of as many links to be counted. */
const COUNTED_MS_MAX = 180_000;

/** What one redirect, click or link costs each part of a deployment. docs/cluster.md multiplies. */
export const sizing: Bench = {
  name: "sizing",
  about: "what a redirect, a click, a link and a change cost each part of a deployment on servers",
  async run(stage) {
    const subject = await stage.largeOnServers();
    const perLink = await databaseBytesPerLink(stage, subject);
    return [
      ...(await redirectRows(stage, subject)),
      ...(await lookUpRows(stage, subject)),
      ...(await createRows(stage, subject)),
      { name: "bytes per click in the journal", ours: bytes(await bytesPerJournalledClick(JOURNALLED_CLICKS)) },
      ...perLink,
    ];
  },
};

async function redirectRows(stage: Stage, { server, data, redirect, control }: SubjectOnServers): Promise<Row[]> {
  const { postgresMicros } = await stage.servers();
  const rounds: number[][] = [];
  for (let round = 0; round <= stage.rounds; round += 1) {
    const before = postgresMicros();
    const { cpu, requests } = await runWrk(
      { url: server.url, pathFile: data.popularFile, lines: POPULAR_LINES, visitors: CROWD, seconds: 2 },
      [redirect, control],
    );
    if (round > 0) rounds.push([...cpu, (postgresMicros() - before) / requests]);
  }
  return ["the redirect process", "control, to ingest and count its click", "PostgreSQL, to count its click"].map(
    (who, index) => ({
      name: `CPU per cached redirect: ${who}`,
      ours: micros(median(rounds.map((round) => round[index] ?? Number.NaN))),
    }),
  );
}

/** Opens links that the process hasn't cached yet, and notes what it keeps of them. */
async function lookUpRows(stage: Stage, { server, data, redirect, control }: SubjectOnServers): Promise<Row[]> {
  const { postgresMicros } = await stage.servers();
  const lines = readFileSync(data.coldFile).byteLength / PATH_BYTES;
  const wanted = Math.min(lines, OPENED_MAX);
  const memoryBefore = memoryOf(redirect).resident;
  const before = postgresMicros();
  let opened = 0;
  let redirectMicros = 0;
  while (opened < wanted) {
    const { requests, cpu } = await runWrk(
      { url: server.url, pathFile: data.coldFile, firstLine: opened, lines: lines - opened, visitors: CROWD },
      [redirect],
    );
    opened += requests;
    redirectMicros += (cpu[0] ?? Number.NaN) * requests;
  }
  // Each is the only click of its link, so counting them takes longer than opening them.
  await waitUntilIdle(control, COUNTED_MS_MAX);
  const cached = Math.min(opened, lines);
  return [
    { name: "CPU per redirect that isn't cached: the redirect process", ours: micros(redirectMicros / opened) },
    {
      name: "CPU per redirect that isn't cached: PostgreSQL, its click included",
      ours: micros((postgresMicros() - before) / opened),
    },
    {
      name: "memory per cached link in a redirect process",
      ours: bytes(((memoryOf(redirect).resident - memoryBefore) * 1024 ** 2) / cached),
    },
  ];
}

async function createRows(stage: Stage, subject: SubjectOnServers): Promise<Row[]> {
  await measureCreates(stage, subject, CREATES_AT_ONCE, WARM_UP_SECONDS);
  const creates = [];
  for (let round = 0; round < stage.rounds; round += 1) {
    creates.push(await measureCreates(stage, subject, CREATES_AT_ONCE));
  }
  return [
    { name: "CPU per POST /links: Kurz", ours: micros(median(creates.map(({ cpu }) => cpu))) },
    { name: "CPU per POST /links: PostgreSQL", ours: micros(median(creates.map(({ postgres }) => postgres))) },
  ];
}

async function databaseBytesPerLink(stage: Stage, { database, data }: SubjectOnServers): Promise<Row[]> {
  const { postgres } = await stage.servers();
  const { rows } = await postgres.administer(
    `select sum(pg_table_size(oid)) as tables, sum(pg_indexes_size(oid)) as indexes
     from pg_class where relname in ('links', 'link_tags', 'link_counts')`,
    database,
  );
  const [{ tables, indexes }] = rows as [{ tables: string; indexes: string }];
  const size = data.links.toLocaleString("en");
  return [
    { name: `bytes per link in PostgreSQL, tables, ${size} links`, ours: bytes(Number(tables) / data.links) },
    { name: `bytes per link in PostgreSQL, indexes, ${size} links`, ours: bytes(Number(indexes) / data.links) },
  ];
}

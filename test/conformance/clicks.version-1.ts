import { DuckDBInstance } from "@duckdb/node-api";
import type { clickTexts } from "#engines/clicks/click-format.ts";
import type { TestClick } from "./clicks.oracle.ts";

// In the order of that release.
const texts = [
  ...["country", "region", "city", "referrer", "language", "device", "browser", "os", "source"],
  ...["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"],
];
const textColumns = texts.map((name) => `${name} varchar`).join(", ");

/** The tables of the first release's clicks file; the last three may be missing in it. */
const SCHEMA = `
create table schema_version (version integer not null);
insert into schema_version values (1);
create table clicks (
  at_ms bigint not null, account_no uinteger not null, link_no uinteger not null, bot boolean not null,
  visitor ubigint, ${textColumns}
);
create table ingested (segment varchar not null, position bigint not null);
create table erased_links (account_no uinteger not null, link_no uinteger not null);
create table erased_accounts (account_no uinteger not null);
create table link_tags (
  position bigint not null, account_no uinteger not null, link_no uinteger not null, tags varchar[] not null
);
create table summaries (
  account_no uinteger not null, link_no uinteger not null, slot uinteger not null, previous_slot uinteger,
  visitors uinteger not null, clicks uinteger not null, qr_scans uinteger not null, bot_hits uinteger not null
);
create table summarised (account_no uinteger not null, link_no uinteger not null, day uinteger not null);
create table summarised_days (day uinteger not null);
create table compacted_clicks (
  slot uinteger not null, account_no uinteger not null, link_no uinteger not null, bot boolean not null, ${textColumns},
  clicks uinteger not null
);
create table compacted_visitors (
  day uinteger not null, account_no uinteger not null, link_no uinteger not null, with_bots boolean not null,
  clicks uinteger not null, visitors uinteger not null
);`;

const literal = (text: string | null): string => (text === null ? "null" : `'${text.replaceAll("'", "''")}'`);

const valuesOf = (click: TestClick): string =>
  `(${[
    ...[click.at_ms, click.account_no, click.link_no, click.bot],
    click.visitor === null ? "null" : BigInt(`0x${click.visitor}`),
    ...texts.map((name) => literal(click[name as (typeof clickTexts)[number] | "source"])),
  ].join(", ")})`;

export interface Version1 {
  readonly clicks: readonly TestClick[];
  /** Stored as counts. */
  readonly compacted?: readonly TestClick[];
  /** How often the clicks are stored. */
  readonly times?: number;
}

/** A clicks file as the first release left it. */
export async function writeVersion1(path: string, { clicks, compacted = [], times = 1 }: Version1): Promise<void> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  await connection.run(SCHEMA);
  await connection.run("insert into ingested values ('kept', 77)");
  if (clicks.length > 0) {
    await connection.run(`create temp table samples as from clicks limit 0`);
    await connection.run(`insert into samples values ${clicks.map(valuesOf).join(", ")}`);
    await connection.run(`insert into clicks select samples.* from samples, range(${times})`);
  }
  for (const click of compacted) {
    const values = texts.map((name) => literal(click[name as (typeof clickTexts)[number] | "source"]));
    const slot = Math.floor(click.at_ms / 900_000);
    const numbers = [slot, click.account_no, click.link_no, click.bot];
    await connection.run(`insert into compacted_clicks values (${[...numbers, ...values, 1].join(", ")})`);
  }
  await connection.run("force checkpoint");
  connection.closeSync();
  instance.closeSync();
}

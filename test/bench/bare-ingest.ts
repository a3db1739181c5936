import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { GroupFill } from "#engines/clicks/duckdb/row-groups.ts";
import { benchClicks } from "./data/bench-clicks.ts";
import { plainColumns, plainLines } from "./data/plain-lines.ts";

const WARM_UP_BATCHES = 2;

const NUMBERS: Readonly<Record<string, string>> = {
  at_ms: "bigint",
  account_no: "uinteger",
  link_no: "uinteger",
  bot: "boolean",
};
const columns = plainColumns.map((name) => [name, NUMBERS[name] ?? "varchar"] as const);

/** The same clicks with all texts into a plain DuckDB table, one transaction per batch. Prints µs of CPU per click. */
async function measure(directory: string, clicks: number, batchLines: number): Promise<number> {
  const batches = writeBatches(directory, clicks, batchLines);
  const instance = await DuckDBInstance.create(join(directory, "bare.duckdb"), {
    ...{ threads: "1", memory_limit: "512MB", checkpoint_threshold: "1GB", preserve_insertion_order: "false" },
  });
  const connection = await instance.connect();
  const table = columns.map(([name, type]) => `${name} ${name === "visitor" ? "ubigint" : type}`);
  await connection.run(`create table clicks (${table.join(", ")})`);
  const types = columns.map(([name, type]) => `'${name}': '${type}'`).join(", ");
  let before = process.cpuUsage();
  let lines = 0;
  const group = new GroupFill();
  for (const [index, batch] of batches.entries()) {
    if (index === WARM_UP_BATCHES) {
      before = process.cpuUsage();
      lines = 0;
    }
    await connection.run(`insert into clicks select * replace (try_cast('0x' || visitor as ubigint) as visitor)
      from read_csv('${batch.file}', columns = {${types}}, delim = '\t',
      nullstr = '', new_line = '\\n', header = false, auto_detect = false, quote = '', escape = '')`);
    lines += batch.lines;
    if (!group.isFullAfter(batch.lines)) continue;
    await connection.run("checkpoint");
    group.clear();
  }
  await connection.run("checkpoint");
  const { user, system } = process.cpuUsage(before);
  connection.closeSync();
  instance.closeSync();
  return (user + system) / lines;
}

function writeBatches(directory: string, clicks: number, batchLines: number): { file: string; lines: number }[] {
  const lines = [...plainLines(benchClicks(clicks, clicks))];
  return Array.from({ length: Math.ceil(lines.length / batchLines) }, (_, index) => {
    const batch = lines.slice(index * batchLines, (index + 1) * batchLines);
    const file = join(directory, `batch-${index}.tsv`);
    writeFileSync(file, batch.join(""));
    return { file, lines: batch.length };
  });
}

const [, , directory = "", clicks = "", batchLines = ""] = Bun.argv;
process.stdout.write(String(await measure(directory, Number(clicks), Number(batchLines))));

import { Database } from "bun:sqlite";
import { bareLinkColumns, bareLinkRow } from "./bare-link.ts";

const WARM_UP = 300;

/** Inserts the row of a new link into a plain table, equally durable, one commit each. Prints µs per insert. */
function measure(path: string, count: number): number {
  const database = new Database(path);
  database.run("pragma journal_mode = wal");
  database.run("pragma synchronous = full");
  database.run(`create table links (no integer primary key, ${bareLinkColumns.join(", ")})`);
  database.run("create unique index links_key on links (key)");
  const insert = database.prepare(
    `insert into links (${bareLinkColumns.join(", ")}) values (${bareLinkColumns.map(() => "?").join(", ")})`,
  );
  const rows = Array.from({ length: WARM_UP + count }, (_, number) => bareLinkRow(number));
  for (const row of rows.slice(0, WARM_UP)) insert.run(...row);
  const before = process.cpuUsage();
  for (const row of rows.slice(WARM_UP)) insert.run(...row);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

const [, , path = "", count = ""] = Bun.argv;
process.stdout.write(String(measure(path, Number(count))));

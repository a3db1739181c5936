import { Database } from "bun:sqlite";
import { newId } from "#kernel/ids.ts";
import { searchTextOf } from "#links/link-fields.ts";
import { newSlug } from "#links/slug.ts";
import { newLinkBody } from "./new-link.ts";

const WARM_UP = 300;
const COLUMNS =
  "id account_no slug destination_url title tags utm state state_before_archive expires_at blocked_reason blocked_at " +
  "blocked_by click_count last_clicked_at created_via version created_at updated_at paused_at archived_at search_text";

/** Inserts the row of a new link into a plain table, equally durable, one commit each. Prints µs per insert. */
function measure(path: string, count: number): number {
  const database = new Database(path);
  database.run("pragma journal_mode = wal");
  database.run("pragma synchronous = full");
  const names = COLUMNS.split(" ");
  database.run(`create table links (no integer primary key, ${names.join(", ")})`);
  database.run("create unique index links_slug on links (slug)");
  const insert = database.prepare(
    `insert into links (${names.join(", ")}) values (${names.map(() => "?").join(", ")})`,
  );
  const rows = Array.from({ length: WARM_UP + count }, (_, number) => rowOf(number));
  for (const row of rows.slice(0, WARM_UP)) insert.run(...row);
  const before = process.cpuUsage();
  for (const row of rows.slice(WARM_UP)) insert.run(...row);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

function rowOf(number: number): (string | number | null)[] {
  const { tags, ...body } = newLinkBody(number);
  const slug = newSlug();
  const text = searchTextOf(slug, { ...body, tags, utm: {}, expires_at: null });
  const now = Date.now();
  const stated = [newId("lnk"), 1, slug, body.destination_url, body.title, JSON.stringify(tags), "{}", "active"];
  return [...stated, null, null, null, null, null, 0, 0, "api", 1, now, now, null, null, text];
}

const [, , path = "", count = ""] = Bun.argv;
process.stdout.write(String(measure(path, Number(count))));

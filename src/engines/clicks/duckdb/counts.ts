import { rm } from "node:fs/promises";
import { join } from "node:path";
import { nextTurn } from "#kernel/next-turn.ts";
import { type ClickCount, type CountBatch, checkCounts } from "../click-counts.ts";
import { clickTexts, type TextGroup, textGroups } from "../click-format.ts";
import type { Ingested } from "../clicks-engine.ts";
import { SLOT_MS, SLOTS_PER_DAY } from "../slots.ts";
import { readTsv, writeFileOf } from "./files.ts";
import { REWRITE_AGAIN } from "./rewrite.ts";
import { visitorOfDay } from "./schema.ts";
import { inTransaction, int, type Session } from "./session.ts";
import type { ShapeNumbers } from "./shapes.ts";

export const COUNTS_FILE = "counts.tsv";

const columns = {
  slot: "uinteger",
  link_no: "uinteger",
  bot: "boolean",
  qr: "boolean",
  ...Object.fromEntries(textGroups.map(({ name }) => [`${name}_no`, "uinteger"])),
  clicks: "uinteger",
  has_hour: "boolean",
  known: "uinteger",
  earlier: "uinteger",
  all_known: "uinteger",
  by_visitor: "boolean",
  visitor: "varchar",
};

const SHARED = `bot, qr, ${textGroups.map(({ name }) => `${name}_no`).join(", ")}`;

// So the event loop continues after a few milliseconds.
const ROWS_AT_ONCE = 2000;

interface CountsTo {
  readonly writer: Session;
  readonly shapes: ShapeNumbers;
  readonly directory: string;
}

/** Call as the only writer, outside a transaction. */
export async function storeCountBatch({ writer, shapes, directory }: CountsTo, batch: CountBatch): Promise<Ingested> {
  checkCounts(batch, clickTexts);
  const { accountNo, importId, no } = batch;
  if ((await findLastBatch(writer, accountNo, importId)) >= no) return { clicks: 0 };
  const file = join(directory, COUNTS_FILE);
  try {
    await stageCounts(file, batch.counts, shapes);
    return await inTransaction(writer, "begin", () => insertCounts(writer, batch, readTsv(file, columns)));
  } finally {
    await rm(file, { force: true });
  }
}

const textsOf = (count: ClickCount, { texts }: TextGroup): string => texts.map(({ name }) => count[name]).join("\t");

async function stageCounts(file: string, counts: readonly ClickCount[], shapes: ShapeNumbers): Promise<void> {
  const numbers = await shapes.find(textGroups.map((group) => new Set(counts.map((count) => textsOf(count, group)))));
  const line = (count: ClickCount): string => {
    const { at_ms, link_no, bot, source, clicks, has_hour, cut, visitor } = count;
    const shape = textGroups.map((group, index) => numbers[index]?.get(textsOf(count, group)));
    const flags = [bot, source === "qr"];
    const masks = [cut.known, cut.earlier, cut.all];
    return `${[at_ms / SLOT_MS, link_no, ...flags, ...shape, clicks, has_hour, ...masks, visitor !== undefined, visitor ?? ""].join("\t")}\n`;
  };
  await writeFileOf(file, async (append) => {
    for (let start = 0; start < counts.length; start += ROWS_AT_ONCE) {
      await append(
        counts
          .slice(start, start + ROWS_AT_ONCE)
          .map(line)
          .join(""),
      );
      await nextTurn();
    }
  });
}

async function insertCounts(session: Session, batch: CountBatch, lines: string): Promise<Ingested> {
  const { accountNo, importId, no, counts, visitors } = batch;
  const account = int(accountNo);
  const isErased = `exists (from erased_accounts where account_no = ${account}) or link_no in (
    select link_no from erased_links where account_no = ${account})`;
  const rows = `from ${lines} where not (${isErased})`;
  const [row] =
    counts.length === 0
      ? []
      : await session.rows(`select count(*)::double, coalesce(sum(clicks) filter (earlier = 0), 0)::double ${rows}`);
  const [stored = 0, clicks = 0] = (row ?? []).map(Number);
  if (stored > 0) {
    await session.run(`
      insert into imported_clicks
      select slot, ${account}, link_no, ${SHARED}, clicks, has_hour, known, earlier, all_known ${rows} and not by_visitor`);
    await session.run(`
      insert into imported_visits
      select slot, ${account}, link_no, ${SHARED},
        ${visitorOfDay("('0x' || visitor)::ubigint", `slot // ${SLOTS_PER_DAY}`)}, clicks ${rows} and by_visitor`);
  }
  // Their texts are in the file now.
  if (stored < counts.length) await session.run(REWRITE_AGAIN);
  for (let start = 0; start < visitors.length; start += ROWS_AT_ONCE) {
    const values = visitors
      .slice(start, start + ROWS_AT_ONCE)
      .map(
        (of) =>
          `(${int(of.day)}, ${account}, ${int(of.linkNo)}, ${of.withBots}, ${int(of.clicks)}, ${int(of.visitors)})`,
      );
    await session.run(`
      insert into imported_visitors
      from (values ${values.join(", ")}) v (day, account_no, link_no, with_bots, clicks, visitors) where not (${isErased})`);
  }
  await session.run(`insert into imported_batches values (${account}, $1, ${int(no)})`, [importId]);
  return { clicks };
}

export async function findLastBatch(session: Session, accountNo: number, importId: string): Promise<number> {
  const [row] = await session.rows(
    `select coalesce(max(no), 0)::double from imported_batches where account_no = ${int(accountNo)} and import = $1`,
    [importId],
  );
  return Number(row?.[0]);
}

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { GenerationMap } from "#kernel/generation-map.ts";
import { nextTurn } from "#kernel/next-turn.ts";
import { type TextGroup, textGroups } from "../click-format.ts";
import { readTsv, writeFileOf } from "./files.ts";
import { int, type Session } from "./session.ts";

/** Tab-separated texts, for each group. */
export type WantedTexts = readonly ReadonlySet<string>[];

export const textsFileOf = ({ table }: TextGroup): string => `${table}.tsv`;

const REMEMBERED_MAX = 100_000;
const ROWS_AT_ONCE = 2000;

interface GroupNumbers {
  readonly definition: TextGroup;
  readonly known: GenerationMap<number>;
  next: number;
}

/**
 * The numbers of text groups in an open file. What is used is remembered. Texts that aren't remembered get a new number,
 * even if they had one long ago: reports group by texts, so that only costs a row.
 */
export class ShapeNumbers {
  readonly #session: Session;
  readonly #directory: string;
  readonly #groups: GroupNumbers[] = [];

  constructor(session: Session, directory: string) {
    this.#session = session;
    this.#directory = directory;
  }

  /** Stores what is new. Returns the numbers by texts, for each group. */
  async find(wanted: WantedTexts): Promise<readonly ReadonlyMap<string, number>[]> {
    if (this.#groups.length === 0) await this.#load();
    const found: ReadonlyMap<string, number>[] = [];
    for (const [index, group] of this.#groups.entries())
      found.push(await this.#findIn(group, wanted[index] ?? new Set()));
    return found;
  }

  async #findIn(group: GroupNumbers, wanted: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> {
    const found = new Map<string, number>();
    const missing: string[] = [];
    for (const texts of wanted) {
      const no = group.known.get(texts);
      if (no === undefined) missing.push(texts);
      else found.set(texts, no);
    }
    if (missing.length === 0) return found;
    const first = group.next;
    const file = join(this.#directory, textsFileOf(group.definition));
    const rows = missing.map((texts, index) => `${first + index}\t${complete(texts, group)}\n`);
    await writeFileOf(file, (append) => append(rows.join("")));
    const columns = Object.fromEntries(group.definition.texts.map(({ name }) => [name, "varchar"]));
    try {
      const source = readTsv(file, { no: "uinteger", ...columns });
      await this.#session.run(`insert into ${group.definition.table} from ${source}`);
    } finally {
      await rm(file, { force: true });
    }
    for (const [index, texts] of missing.entries()) {
      group.known.set(texts, first + index);
      found.set(texts, first + index);
    }
    group.next += missing.length;
    return found;
  }

  async #load(): Promise<void> {
    const groups = textGroups.map(
      (definition): GroupNumbers => ({ definition, known: new GenerationMap({ weightMax: REMEMBERED_MAX }), next: 0 }),
    );
    for (const group of groups) {
      const { table, texts } = group.definition;
      const [row] = await this.#session.rows(`select coalesce(max(no) + 1, 0)::double from ${table}`);
      group.next = Number(row?.[0]);
      const columns = texts.map(({ name }) => `coalesce(${name}, '')`).join(", ");
      for (let from = Math.max(0, group.next - REMEMBERED_MAX / 2); from < group.next; from += ROWS_AT_ONCE) {
        const rows = await this.#session.rows(
          `select no::double, concat_ws('\t', ${columns}) from ${table}
          where no >= ${int(from)} and no < ${int(from + ROWS_AT_ONCE)}`,
        );
        for (const [no, texts] of rows) group.known.set(String(texts), Number(no));
        await nextTurn();
      }
    }
    this.#groups.push(...groups);
  }
}

/** Earlier formats may have fewer texts. */
function complete(texts: string, { definition }: GroupNumbers): string {
  const fields = texts.split("\t");
  return definition.texts.map((_, index) => fields[index] ?? "").join("\t");
}

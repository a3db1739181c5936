import type { ImportItem } from "../../import-source.ts";

const VALUES_MAX = 1000;

export interface UnknownValue {
  readonly what: string;
  /** What becomes of clicks that have it. */
  readonly countsAs: "unknown" | "clicks by people";
}

/** What a file with clicks says and reports can't tell, by value: rows may be many. */
export class UnknownValues {
  readonly #rows = new Map<string, UnknownValue & { readonly line: number; rows: number }>();
  #others = 0;

  add(value: UnknownValue, line: number): void {
    const found = this.#rows.get(value.what);
    if (found) found.rows += 1;
    else if (this.#rows.size < VALUES_MAX) this.#rows.set(value.what, { ...value, line, rows: 1 });
    else this.#others += 1;
  }

  *notes(): Generator<ImportItem> {
    for (const { what, countsAs, line, rows } of this.#rows.values()) {
      const many = rows === 1 ? "1 row counts" : `${rows} rows count`;
      yield { type: "note", line: clicksLine(line), what: `${what}: ${many} as ${countsAs}.` };
    }
    if (this.#others > 0) {
      yield { type: "note", line: "", what: `There are ${this.#others} more rows with such values.` };
    }
  }
}

export const clicksLine = (line: number): string => `${line} of the clicks`;

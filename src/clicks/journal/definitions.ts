/** Texts that many clicks share, as one line of the journal: a number, a tab, and the texts. */
export interface Definition {
  /** Unique in the life of the process that writes it. */
  readonly no: number;
  /** The number as a field of a click line. */
  readonly field: string;
  readonly line: string;
  /** The block that last used it. */
  blockNo: number;
}

/** The tab-separated texts by number. */
export type Definitions = ReadonlyMap<number, string>;

export const defineTexts = (no: number, texts: string): Definition => ({
  no,
  field: String(no),
  line: `${no}\t${texts}\n`,
  blockNo: 0,
});

export function readDefinitions(bytes: Buffer, into: Map<number, string>): void {
  if (bytes.length === 0) return;
  for (const line of bytes.toString().split("\n")) {
    const tab = line.indexOf("\t");
    if (tab > 0) into.set(Number(line.slice(0, tab)), line.slice(tab + 1));
  }
}

/** One line of the table. */
export interface Row {
  readonly name: string;
  readonly ours: string;
  readonly baseline?: string;
  readonly ratio?: number;
  /** Where the true ratio is, as far as the samples tell. */
  readonly range?: readonly [from: number, to: number];
  readonly target?: string;
  readonly isOk?: boolean;
  /** The samples differ too much to tell. */
  readonly isUnclear?: boolean;
}

export const micros = (value: number): string => `${value.toFixed(1)} µs`;
export const millis = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} ms`;
export const bytes = (value: number): string => `${value.toFixed(0)} B`;
export const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;
export const megabytes = (value: number): string => `${value.toFixed(0)} MB`;

/** A row that must not exceed its baseline by more than this factor. */
export const atMost = (row: Row & { readonly ratio: number }, times: number): Row => ({
  ...row,
  target: `≤ ${times} ×`,
  isOk: row.ratio <= times,
  isUnclear: row.range !== undefined && row.range[0] <= times && times < row.range[1],
});

const HEADINGS = ["what", "ours", "baseline", "ratio", "target", ""];

export function formatTable(rows: readonly Row[]): string {
  const lines = [HEADINGS, ...rows.map(cellsOf)];
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((cells) => (cells[column] ?? "").length)));
  return lines
    .map((cells) => cells.map((cell, column) => pad(cell, widths[column] ?? 0, column)).join("  "))
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

const cellsOf = ({ name, ours, baseline, ratio, range, target, isOk, isUnclear }: Row): string[] => [
  name,
  ours,
  baseline ?? "",
  ratio === undefined
    ? ""
    : `${ratio.toFixed(2)} ×${range ? ` (${range.map((end) => end.toFixed(2)).join("–")})` : ""}`,
  target ?? "",
  isUnclear ? "unclear" : verdictOf(isOk),
];

function verdictOf(isOk: boolean | undefined): string {
  if (isOk === undefined) return "";
  return isOk ? "ok" : "MISSED";
}

const pad = (cell: string, width: number, column: number): string =>
  column === 0 || column > 3 ? cell.padEnd(width) : cell.padStart(width);

import { fitText, padEnd, padStart, widthOf } from "./text-width.ts";
import { styled, type View } from "./view.ts";

interface Column {
  readonly head: string;
  readonly align?: "right";
  /** Gives way where there isn't room for everything. */
  readonly shrinks?: true;
}

const GAP = "  ";
const SHRUNK_COLUMNS_MIN = 12;

/** Aligned columns that fit the terminal. */
export function formatTable(columns: readonly Column[], rows: readonly (readonly string[])[], view: View): string {
  const wanted = columns.map(({ head }, at) => Math.max(widthOf(head), ...rows.map((row) => widthOf(row[at] ?? ""))));
  const widths = view.columns === null ? wanted : shrink(columns, wanted, view.columns);
  const line = (cells: readonly string[]): string =>
    columns
      .map(({ align }, at) => {
        const width = widths[at] ?? 0;
        const cell = fitText(cells[at] ?? "", width, view);
        return align === "right" ? padStart(cell, width) : padEnd(cell, width);
      })
      .join(GAP)
      .trimEnd();
  const head = styled(line(columns.map(({ head: name }) => name)), "bold", view);
  return [head, ...rows.map(line)].join("\n");
}

/** Takes columns away from the widest of those that may shrink, until all fit. */
function shrink(columns: readonly Column[], wanted: readonly number[], available: number): number[] {
  const widths = [...wanted];
  const excess = () => widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1)) - available;
  while (excess() > 0) {
    const candidates = columns.flatMap(({ shrinks }, at) =>
      shrinks && (widths[at] ?? 0) > SHRUNK_COLUMNS_MIN ? [at] : [],
    );
    const widest = candidates.toSorted((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0))[0];
    if (widest === undefined) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

/** A name and a value per line. */
export function formatFields(fields: readonly (readonly [name: string, value: string])[], view: View): string {
  const width = Math.max(...fields.map(([name]) => widthOf(name)));
  return fields
    .map(([name, value]) => `${styled(padEnd(name, width), "dim", view)}${GAP}${value}`.trimEnd())
    .join("\n");
}

import { padStart, widthOf } from "./text-width.ts";

const EIGHTHS = ["", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] as const;
const ROWS = 8;
const BAR_COLUMNS_MAX = 6;

export interface Bar {
  readonly label: string;
  readonly value: number;
}

interface ChartOptions {
  readonly columns: number;
  /** Whether blocks of eighths can be shown; otherwise the chart is ASCII. */
  readonly hasBlocks: boolean;
}

const figure = (value: number): string => value.toLocaleString("en-US");

/** Bars with an axis, in no more columns than there are. Bars that don't fit are added up in groups. */
export function drawChart(bars: readonly Bar[], { columns, hasBlocks }: ChartOptions): string {
  if (bars.length === 0) return "";
  const marks = hasBlocks
    ? { axis: "┤", side: "│", corner: "└", floor: "─" }
    : { axis: "+", side: "|", corner: "+", floor: "-" };
  const { grouped, top, axisColumns, room } = fitBars(bars, columns);
  const span = Math.min(BAR_COLUMNS_MAX, Math.max(1, Math.floor(room / grouped.length)));
  // Wide bars stand apart from each other.
  const gap = span > 1 ? 1 : 0;
  const cells = grouped.map(({ value }) => cellsOf(value / top, value > 0, hasBlocks));
  const rows = Array.from({ length: ROWS }, (_, row) => {
    const level = ROWS - 1 - row;
    const label = level === ROWS - 1 ? `${figure(top)} ${marks.axis}` : ` ${marks.side}`;
    const line = cells.map((column) => (column[level] ?? " ").repeat(span - gap) + " ".repeat(gap)).join("");
    return padStart(label, axisColumns + 1) + line.trimEnd();
  });
  const width = grouped.length * span - gap;
  const floor = padStart(`0 ${marks.corner}`, axisColumns + 1) + marks.floor.repeat(width);
  return [...rows, floor, " ".repeat(axisColumns + 1) + axisLabels(grouped, span, width)]
    .map((row) => row.trimEnd())
    .join("\n");
}

/** In groups as small as have room beside the axis, whose width depends on the highest group. */
function fitBars(bars: readonly Bar[], columns: number) {
  for (let size = 1; ; size += 1) {
    const grouped = groupBars(bars, size);
    const top = Math.max(1, ...grouped.map(({ value }) => value));
    const axisColumns = widthOf(figure(top)) + 1;
    const room = Math.max(1, columns - axisColumns - 1);
    if (grouped.length <= room) return { grouped, top, axisColumns, room };
  }
}

function groupBars(bars: readonly Bar[], size: number): readonly Bar[] {
  return Array.from({ length: Math.ceil(bars.length / size) }, (_, at) => {
    const group = bars.slice(at * size, (at + 1) * size);
    return { label: group[0]?.label ?? "", value: group.reduce((total, { value }) => total + value, 0) };
  });
}

/** From the bottom up. Even a single click among thousands can be seen. */
function cellsOf(share: number, isSome: boolean, hasBlocks: boolean): readonly string[] {
  if (!hasBlocks) return Array.from({ length: Math.max(isSome ? 1 : 0, Math.round(share * ROWS)) }, () => "#");
  const eighths = Math.max(isSome ? 1 : 0, Math.round(share * ROWS * 8));
  return Array.from({ length: Math.ceil(eighths / 8) }, (_, row) => EIGHTHS[Math.min(8, eighths - row * 8)] ?? "");
}

/** The first label on the left, the last one on the right, and between them as many as have room. */
function axisLabels(bars: readonly Bar[], span: number, width: number): string {
  const widest = Math.max(...bars.map(({ label }) => widthOf(label)));
  let line = "";
  for (const [at, { label }] of bars.entries()) {
    const start = at * span;
    const isLast = at === bars.length - 1;
    const fits = start >= line.length + (line === "" ? 0 : 2) && start + widthOf(label) <= width;
    // The next label must not collide with the last one.
    if (fits && (isLast || line === "" || start + 2 * widest + 4 <= width)) line = line.padEnd(start) + label;
  }
  const last = bars.at(-1)?.label ?? "";
  const place = width - widthOf(last);
  return bars.length > 1 && !line.endsWith(last) && place >= line.length + 2 ? line.padEnd(place) + last : line;
}

/** One bar that lies: eighths of a block from the left. */
export function drawBar(share: number, columns: number, hasBlocks: boolean): string {
  if (!hasBlocks) return "#".repeat(Math.round(share * columns));
  const eighths = Math.round(share * columns * 8);
  const part = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8] ?? "";
  return "█".repeat(Math.floor(eighths / 8)) + part;
}

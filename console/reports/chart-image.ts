import { reportTexts } from "#texts/reports.ts";
import type { Progress } from "./progress.ts";

const texts = reportTexts.picture;

/** What a picture of the chart shows. */
export interface ChartPicture {
  readonly title: string;
  /** Below the title: the period, and what it is compared with. */
  readonly note: string;
  readonly values: readonly (number | null)[];
  readonly earlier: readonly (number | null)[];
  readonly progress: Progress;
  readonly ticks: readonly { readonly value: number; readonly label: string }[];
  readonly labels: readonly { readonly index: number; readonly text: string }[];
}

const WIDTH = 1200;
const HEIGHT = 630;
/** Sharp on dense screens, too. */
const SCALE = 2;
const plot = { left: 90, right: WIDTH - 48, top: 150, bottom: HEIGHT - 70 };

type Pen = CanvasRenderingContext2D;
const colorNames = ["card", "text", "soft", "line", "faint", "accent", "accent-soft"] as const;
type Colors = { readonly [N in (typeof colorNames)[number]]: string };

/** The chart as a PNG in the colours of the page, drawn from scratch: nothing of the page's text or layout gets into it. */
export async function drawChart(picture: ChartPicture): Promise<Blob> {
  const canvas = Object.assign(document.createElement("canvas"), { width: WIDTH * SCALE, height: HEIGHT * SCALE });
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error(texts.unsupported);
  pen.scale(SCALE, SCALE);
  const colors = readColors();
  pen.fillStyle = colors.card;
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  drawFrame(pen, picture, colors);
  drawLines(pen, picture, colors);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!blob) throw new Error(texts.failed);
  return blob;
}

/** As the page shows them now: a variable may hold one colour for each theme. */
function readColors(): Colors {
  const probe = document.body.appendChild(document.createElement("span"));
  const found = colorNames.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, getComputedStyle(probe).color];
  });
  probe.remove();
  return Object.fromEntries(found);
}

function write(
  pen: Pen,
  text: string,
  x: number,
  y: number,
  { color, size, weight = 400, align = "left" }: TextLook,
): void {
  pen.font = `${weight} ${size}px ${getComputedStyle(document.body).fontFamily}`;
  pen.fillStyle = color;
  pen.textAlign = align;
  pen.fillText(text, x, y);
}

interface TextLook {
  readonly color: string;
  readonly size: number;
  readonly weight?: number;
  readonly align?: CanvasTextAlign;
}

function drawFrame(pen: Pen, picture: ChartPicture, colors: Colors): void {
  const { title, note, ticks, labels } = picture;
  write(pen, title, 48, 70, { color: colors.text, size: 34, weight: 600 });
  write(pen, note, 48, 106, { color: colors.soft, size: 20 });
  pen.strokeStyle = colors.line;
  pen.lineWidth = 1;
  for (const { value, label } of ticks) {
    const y = scaleOf(picture).yOf(value);
    stroke(pen, [
      { x: plot.left, y },
      { x: plot.right, y },
    ]);
    write(pen, label, plot.left - 14, y + 6, { color: colors.faint, size: 17, align: "right" });
  }
  for (const { index, text } of labels) {
    const x = scaleOf(picture).xOf(index);
    const align = x > plot.right - 30 ? "right" : "center";
    write(pen, text, x, HEIGHT - 34, { color: colors.faint, size: 17, align });
  }
}

interface Spot {
  readonly x: number;
  readonly y: number;
}

function scaleOf({ values, ticks }: ChartPicture) {
  const end = Math.max(1, values.length - 1);
  const top = Math.max(1, ...ticks.map(({ value }) => value));
  return {
    xOf: (index: number): number => plot.left + (index / end) * (plot.right - plot.left),
    yOf: (value: number): number => plot.bottom - (value / top) * (plot.bottom - plot.top),
  };
}

function drawLines(pen: Pen, picture: ChartPicture, colors: Colors): void {
  const { values, earlier, progress } = picture;
  const { xOf, yOf } = scaleOf(picture);
  const spotsOf = (of: readonly (number | null)[]): Spot[] =>
    of.flatMap((value, index) => (value === null ? [] : [{ x: xOf(index), y: yOf(value) }]));
  const known = spotsOf(values.slice(0, progress.last + 1));
  const steady = progress.isOpen && known.length > 1 ? known.slice(0, -1) : known;
  fillBelow(pen, steady, colors["accent-soft"]);
  Object.assign(pen, {
    lineJoin: "round",
    lineCap: "round",
    lineWidth: 2,
    strokeStyle: colors.faint,
    globalAlpha: 0.6,
  });
  stroke(pen, spotsOf(earlier.slice(0, values.length)));
  Object.assign(pen, { lineWidth: 3.5, strokeStyle: colors.accent, globalAlpha: 1 });
  stroke(pen, steady);
  const last = known.at(-1);
  if (!progress.isOpen || !last) return;
  pen.setLineDash([4, 9]);
  stroke(pen, known.slice(-2));
  pen.setLineDash([]);
  pen.fillStyle = colors.card;
  pen.beginPath();
  pen.arc(last.x, last.y, 6, 0, 2 * Math.PI);
  pen.fill();
  pen.stroke();
}

function stroke(pen: Pen, spots: readonly Spot[]): void {
  pen.beginPath();
  for (const { x, y } of spots) pen.lineTo(x, y);
  pen.stroke();
}

function fillBelow(pen: Pen, spots: readonly Spot[], color: string): void {
  const [first, last] = [spots[0], spots.at(-1)];
  if (!first || !last) return;
  pen.beginPath();
  pen.moveTo(first.x, plot.bottom);
  for (const { x, y } of spots) pen.lineTo(x, y);
  pen.lineTo(last.x, plot.bottom);
  pen.fillStyle = color;
  pen.fill();
}

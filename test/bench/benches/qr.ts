import { QrQuery } from "#contract/qr.ts";
import { renderImage } from "#qr/render-image.ts";
import { interleave } from "../interleave.ts";
import { runLoad } from "../load.ts";
import { atMost, micros, millis, type Row } from "../report.ts";
import { POPULAR_LINES, type Subject } from "../stage.ts";
import { median, medianRatio } from "../statistics.ts";
import { type Burst, runWrk } from "../wrk.ts";
import type { Bench } from "./bench-definition.ts";

const DRAWINGS = 200;
const BURST = 200;
const SECONDS = 2;
const THINK_MS = 10;
const LEAD_MS = 500;
const TIMES_MAX = 2;

const looks = [
  { name: "a PNG of 512 pixels", query: { format: "png" }, microsMax: 2000 },
  { name: "the same in dots", query: { format: "png", style: "dots" }, microsMax: 2000 },
  { name: "an SVG", query: { format: "svg" }, microsMax: 500 },
  { name: "the same in dots", query: { format: "svg", style: "dots" }, microsMax: 500 },
] as const;

export const qr: Bench = {
  name: "qr",
  about: "the CPU cost of drawing and of fetching a code, and redirect p99 during a burst of 200 requests for codes",
  async run(stage) {
    const subject = await stage.small();
    return [
      ...looks.map(drawingRow),
      ...(await fetchingRows(subject, stage.isQuick ? 1 : 3)),
      ...(await burstRows(subject, stage.isQuick ? 1 : 4)),
    ];
  },
};

/** In this process, after a warm-up, each code different. */
function drawingRow({ name, query, microsMax }: (typeof looks)[number]): Row {
  const draw = (index: number): void => {
    renderImage({ text: `https://s.example/${index}-spring-sale`, query: QrQuery.parse(query), accountLogo: null });
  };
  for (let index = 0; index < DRAWINGS; index += 1) draw(index);
  const rounds = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    for (let index = 0; index < DRAWINGS; index += 1) draw(index);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / DRAWINGS;
  });
  const cost = median(rounds);
  return { name: `CPU to draw ${name}`, ours: micros(cost), target: `≤ ${microsMax} µs`, isOk: cost <= microsMax };
}

async function fetchingRows({ server, data, bigToken, all }: Subject, rounds: number): Promise<Row[]> {
  const ask = (query: string) => () =>
    runLoad(
      {
        url: server.url,
        token: bigToken,
        seconds: 1,
        streams: [{ name: "qr", inFlight: 16, method: "GET", targets: [`/api/v1/links/${data.middle.id}/qr${query}`] }],
      },
      [all],
    );
  const results = await interleave(rounds, { png: ask(""), svg: ask("?format=svg") });
  return Object.entries(results).map(([format, reports]) => ({
    name: `CPU per GET /links/{id}/qr, ${format}, all processes`,
    ours: micros(median(reports.map(({ cpu }) => cpu[0] ?? 0))),
  }));
}

async function burstRows(subject: Subject, rounds: number): Promise<Row[]> {
  const { alone, codes, plain } = await interleave(rounds, {
    alone: () => open(subject),
    codes: () => openBeside(subject, (index) => `/api/v1/links/${subject.data.middle.id}/qr?size=${500 + index}`),
    plain: () => openBeside(subject, () => "/api/v1/me"),
  });
  const p99 = (runs: typeof alone): number[] => runs.map((run) => run.p99);
  const compare = (name: string, runs: typeof alone) => ({
    name,
    ours: millis(median(p99(runs))),
    baseline: millis(median(p99(alone))),
    ratio: medianRatio(p99(runs), p99(alone)),
  });
  return [
    atMost(compare(`redirect p99 beside a burst of ${BURST} requests for codes`, codes), TIMES_MAX),
    compare(`redirect p99 beside a burst of ${BURST} calls that draw nothing`, plain),
  ];
}

const open = ({ server, data }: Subject) =>
  runWrk({ url: server.url, pathFile: data.popularFile, lines: POPULAR_LINES, seconds: SECONDS, thinkMs: THINK_MS });

/** The burst is in the middle of the measurement. */
async function openBeside(subject: Subject, targetOf: (index: number) => string): Promise<Burst> {
  const measured = open(subject);
  await Bun.sleep(LEAD_MS);
  const headers = { Authorization: `Bearer ${subject.bigToken}` };
  const answers = await Promise.all(
    Array.from({ length: BURST }, async (_, index) => {
      const response = await fetch(subject.server.url + targetOf(index), { headers });
      await response.bytes();
      return response.status;
    }),
  );
  const problem = answers.find((status) => status !== 200);
  if (problem !== undefined) throw new Error(`the API answered the burst with ${problem}`);
  return measured;
}

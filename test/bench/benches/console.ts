import { copyFileSync, rmSync } from "node:fs";
import { dataPaths } from "#config/data-paths.ts";
import { buildConsole } from "#console/build.ts";
import { CONSOLE_DIST } from "#console-server/console-files.ts";
import { launchWholeBrowser } from "#test/support/browser.ts";
import { startKurz } from "#test/support/kurz-server.ts";
import { type ListVisit, openList, openReport, type ReportVisit } from "../console-pages.ts";
import { openSession } from "../console-session.ts";
import type { Loaded, Work } from "../console-visit.ts";
import { prepareClicks } from "../data/prepared-clicks.ts";
import { BIG_SHARE } from "../data/prepared-data.ts";
import { interleave } from "../interleave.ts";
import { millis, type Row } from "../report.ts";
import { type Stage, SUBJECT_ENV } from "../stage.ts";
import { median, medianRatio } from "../statistics.ts";
import type { Bench } from "./bench-definition.ts";

const CLICKS = { full: 20_000_000, quick: 1_000_000 };
const FIRST_LOAD_BYTES_MAX = 200_000;
const LIST_MS_MAX = 1000;
const REPORT_MS_MAX = 2000;
const LETTER_MS_MAX = 50;
const FILTERED_MS_MAX = 400;
const CARDS_MS_MAX = 5000;
const LIST_CPU_MS_MAX = 300;
const REPORT_CPU_MS_MAX = 500;
const LOADING_TASK_MS_MAX = 200;
const TYPING_TASK_MS_MAX = 50;

export const console: Bench = {
  name: "console",
  about: "the list of links and the account report in a browser: time until usable, and bytes loaded",
  async run(stage) {
    const clicks = stage.isQuick ? CLICKS.quick : CLICKS.full;
    // The build in the directory may be older than the source.
    await buildConsole(CONSOLE_DIST);
    const browser = await launchWholeBrowser();
    const large = await startSubject(stage, clicks);
    try {
      const small = await stage.small();
      const few = await openSession(small.server, small.data.bigAccount);
      const many = await openSession(large.server, large.account);
      const visits = await interleave(stage.rounds, {
        few: () => openList(browser, few),
        many: () => openList(browser, many),
        report: () => openReport(browser, many),
      });
      return [...listRows(visits.many, visits.few, large.links), ...reportRows(visits.report, clicks)];
    } finally {
      await browser.close();
      await large.stop();
    }
  },
};

/** Many links, and many clicks on the first of them, in one account. */
async function startSubject(stage: Stage, clicks: number) {
  const { summarised } = await prepareClicks(clicks, (text) => stage.say(text));
  const { dataDir, bigAccount } = await stage.prepare("large");
  copyFileSync(summarised, dataPaths(dataDir).clicks);
  const server = await startKurz({ dataDir, env: SUBJECT_ENV });
  return {
    server,
    account: bigAccount,
    links: stage.largeLinks * BIG_SHARE,
    async stop() {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function listRows(many: readonly ListVisit[], few: readonly ListVisit[], links: number): Row[] {
  const compare = (name: string, read: (visit: ListVisit) => number, msMax: number): Row => {
    const [ours, baseline] = [many.map(read), few.map(read)];
    return { ...limited(name, ours, msMax), baseline: millis(median(baseline)), ratio: medianRatio(ours, baseline) };
  };
  const name = `list of ${links.toLocaleString("en")} links, beside 900`;
  return [
    compare(`${name}: until it can be used`, ({ interactive }) => interactive, LIST_MS_MAX),
    compare("  a first letter until it shows", ({ letter }) => letter, LETTER_MS_MAX),
    compare("  last key of a word until what it finds", ({ filtered }) => filtered, FILTERED_MS_MAX),
    compare("  CPU of the page to load", ({ loading }) => loading.cpu, LIST_CPU_MS_MAX),
    compare("  CPU of the page for a word", ({ typing }) => typing.cpu, LIST_CPU_MS_MAX),
    longest(
      "  longest task while it loads",
      many.map(({ loading }) => loading),
      LOADING_TASK_MS_MAX,
    ),
    longest(
      "  longest task while a word is typed",
      many.map(({ typing }) => typing),
      TYPING_TASK_MS_MAX,
    ),
    ...loadedRows(many, FIRST_LOAD_BYTES_MAX),
  ];
}

function reportRows(visits: readonly ReportVisit[], clicks: number): Row[] {
  const loading = visits.map((visit) => visit.loading);
  return [
    limited(
      `report of ${clicks / 1e6} M clicks: until totals and chart show`,
      visits.map(({ shown }) => shown),
      REPORT_MS_MAX,
    ),
    limited(
      "  until all lists of values do",
      visits.map(({ complete }) => complete),
      CARDS_MS_MAX,
    ),
    limited(
      "  CPU of the page to load",
      loading.map(({ cpu }) => cpu),
      REPORT_CPU_MS_MAX,
    ),
    longest("  longest task while it loads", loading, LOADING_TASK_MS_MAX),
    ...loadedRows(visits),
  ];
}

function limited(name: string, values: readonly number[], msMax: number): Row {
  const ms = median(values);
  return { name, ours: millis(ms), target: `≤ ${msMax} ms`, isOk: ms <= msMax };
}

function longest(name: string, work: readonly Work[], msMax: number): Row {
  const values = work.map((one) => one.longest);
  return { ...limited(name, values, msMax), ...(median(values) === 0 && { ours: "< 50 ms" }) };
}

function loadedRows(visits: readonly { readonly loaded: Loaded }[], bytesMax?: number): Row[] {
  const of = (kind: keyof Loaded): number => median(visits.map(({ loaded }) => loaded[kind]));
  const parts = [of("script"), of("style"), of("data")];
  const total = parts.reduce((sum, bytes) => sum + bytes);
  return [
    {
      name: "  loaded, compressed",
      ours: kilobytes(total),
      ...(bytesMax !== undefined && { target: `≤ ${kilobytes(bytesMax)}`, isOk: total <= bytesMax }),
    },
    { name: "  of it script · style · data", ours: parts.map(kilobytes).join(" · ") },
  ];
}

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

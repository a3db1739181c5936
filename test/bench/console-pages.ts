import type { Browser } from "playwright-core";
import { DAY_MS } from "#engines/clicks/slots.ts";
import type { ConsoleClient } from "#test/support/console-client.ts";
import { type Loaded, visitConsole, type Work } from "./console-visit.ts";
import { COMMON_WORD } from "./data/link-rows.ts";
import { END_MS, START_MS } from "./data/prepared-clicks.ts";

// Faster than most people type.
const KEY_PAUSE_MS = 60;

export interface ListVisit {
  /** Until the first link is on screen, and until a letter typed at that moment is. */
  readonly interactive: number;
  readonly letter: number;
  readonly loading: Work;
  /** From the last key of a word to the matching links. */
  readonly filtered: number;
  readonly typing: Work;
  readonly loaded: Loaded;
}

const LIST_WATCH = `
  const box = () => document.querySelector('[aria-label="Search links"]');
  const rows = () => [...document.querySelectorAll('ul[aria-label="Links"] > li')];
  probe.found = (word) => probe
    .when(() => rows().length > 0 && rows().every((row) => row.textContent.includes(word)))
    .then((shown) => shown - probe.keyAt);
  probe.interactive = probe.when(() => box() && rows().length > 0).then(async (shown) => {
    box().focus();
    document.execCommand("insertText", false, "a");
    const interactive = await probe.when(() => box().value === "a");
    document.execCommand("delete");
    return { interactive, letter: interactive - shown };
  });
`;

export async function openList(browser: Browser, client: ConsoleClient): Promise<ListVisit> {
  const visit = await visitConsole(browser, client, { path: "links", watch: LIST_WATCH });
  const { page } = visit;
  const { interactive, letter } = await page.evaluate<{ interactive: number; letter: number }>("probe.interactive");
  await page.waitForLoadState("networkidle");
  const loaded = await visit.loaded();
  const loading = await visit.takeWork();
  await page.getByLabel("Search links").focus();
  await page.keyboard.type(COMMON_WORD, { delay: KEY_PAUSE_MS });
  const filtered = await page.evaluate<number>(`probe.found("${COMMON_WORD}")`);
  const typing = await visit.takeWork();
  await visit.close();
  return { interactive, letter, loading, filtered, typing, loaded };
}

export interface ReportVisit {
  /** Until totals and chart are on screen. */
  readonly shown: number;
  /** Until all lists of values are. */
  readonly complete: number;
  readonly loading: Work;
  readonly loaded: Loaded;
}

const REPORT_WATCH = `
  const isThere = (selector) => document.querySelector(selector) !== null;
  probe.shown = probe.when(() => isThere("[role=slider]") && !isThere("[aria-label='Loading the report']"));
  probe.complete = probe.shown.then(() => probe.when(() => !isThere("main [aria-label^=Loading]")));
`;

export async function openReport(browser: Browser, client: ConsoleClient): Promise<ReportVisit> {
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const path = `reports?from=${day(START_MS)}&to=${day(END_MS + DAY_MS)}`;
  const visit = await visitConsole(browser, client, { path, watch: REPORT_WATCH });
  const shown = await visit.page.evaluate<number>("probe.shown");
  const complete = await visit.page.evaluate<number>("probe.complete");
  const failures = await visit.page.getByText("This could not be loaded").count();
  if (failures > 0) throw new Error(`${failures} parts of the report could not be loaded`);
  const loading = await visit.takeWork();
  const loaded = await visit.loaded();
  await visit.close();
  return { shown, complete, loading, loaded };
}

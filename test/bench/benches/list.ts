import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listLinks } from "#contract/links.ts";
import { cursorCodec } from "#links/link-cursor.ts";
import { COMMON_TAG, COMMON_WORD, RARE_TAG, RARE_WORD } from "../data/link-rows.ts";
import { runLoad, type StreamReport } from "../load.ts";
import { millis, type Row } from "../report.ts";
import type { Stage, Subject } from "../stage.ts";
import type { Bench } from "./bench-definition.ts";

const REQUESTS = 120;
const SECONDS_MAX = 2;
const FLAT_TIMES = 2;
const FLAT_MS = 20;

interface Question {
  readonly name: string;
  readonly account: "big" | "small";
  readonly query: string | ((subject: Subject) => string);
  /** Other than the list of links. */
  readonly path?: "/links" | "/links/count" | "/tags";
}

const questions: readonly Question[] = [
  { name: "first page", account: "big", query: "" },
  { name: "page in the middle", account: "big", query: ({ data, server }) => middleQuery(server.dataDir, data.middle) },
  { name: "sort by clicks", account: "big", query: "sort=-click_count" },
  { name: "fewest clicks first", account: "big", query: "sort=click_count" },
  { name: "sort by title", account: "big", query: "sort=title" },
  { name: "sort by title, descending", account: "big", query: "sort=-title" },
  { name: "one destination", account: "big", query: "destination_url=https://www.spring-1.example/none" },
  { name: "archived", account: "big", query: "state=archived" },
  { name: "rare tag", account: "big", query: `tag=${RARE_TAG}` },
  { name: "common tag", account: "big", query: `tag=${COMMON_TAG}` },
  { name: "any of two tags", account: "big", query: `tag=${RARE_TAG}&tag=${COMMON_TAG}&tag_mode=any` },
  { name: "without tags", account: "big", query: "tag=" },
  { name: "rare word", account: "big", query: `q=${RARE_WORD}` },
  { name: "common word", account: "big", query: `q=${COMMON_WORD}` },
  { name: "common word, oldest first", account: "big", query: `q=${COMMON_WORD}&sort=created_at` },
  { name: "text of every link", account: "big", query: "q=https" },
  { name: "host name", account: "big", query: "q=www.spring-123.example" },
  { name: "no hit", account: "big", query: "q=axolotl" },
  { name: "no hit of common words", account: "big", query: `q=${COMMON_WORD}+spring+${COMMON_WORD}` },
  { name: "first page", account: "small", query: "" },
  { name: "rare word", account: "small", query: `q=${RARE_WORD}` },
  { name: "common word", account: "small", query: `q=${COMMON_WORD}` },
  { name: "no hit", account: "small", query: "q=axolotl" },
  { name: "count of all", account: "big", query: "", path: "/links/count" },
  { name: "count of a rare tag", account: "big", query: `tag=${RARE_TAG}`, path: "/links/count" },
  { name: "count of a common tag", account: "big", query: `tag=${COMMON_TAG}`, path: "/links/count" },
  {
    name: "count of a destination",
    account: "big",
    query: "destination_url=https://www.spring-1.example/none",
    path: "/links/count",
  },
  { name: "count without tags", account: "big", query: "tag=", path: "/links/count" },
  { name: "count of a rare word", account: "big", query: `q=${RARE_WORD}`, path: "/links/count" },
  { name: "tags with their counts", account: "big", query: "", path: "/tags" },
  { name: "tags with their counts", account: "small", query: "", path: "/tags" },
  { name: "count of a common word", account: "big", query: `q=${COMMON_WORD}`, path: "/links/count" },
];

export const list: Bench = {
  name: "list",
  about: "lists and searches one at a time, p50 / p99, with many links compared to few",
  async run(stage) {
    const [small, large] = await Promise.all([stage.small(), stage.large()]);
    const rows: Row[] = [];
    for (const question of questions) {
      // The first answers of each are warm-up.
      for (const subject of [small, large]) await ask(stage, subject, question, 10);
      const few = await ask(stage, small, question);
      const many = await ask(stage, large, question);
      rows.push(compare(question, many, few));
    }
    return rows;
  },
};

function compare({ name, account }: Question, many: StreamReport, few: StreamReport): Row {
  const isFlat = (key: "p50" | "p99"): boolean => many[key] <= FLAT_TIMES * few[key] || many[key] <= FLAT_MS;
  return {
    name: `${account} account, ${name}`,
    ours: `${millis(many.p50)} / ${millis(many.p99)}`,
    baseline: `${millis(few.p50)} / ${millis(few.p99)}`,
    ratio: many.p50 / few.p50,
    target: `≤ ${FLAT_TIMES} × or ≤ ${FLAT_MS} ms`,
    isOk: isFlat("p50") && isFlat("p99"),
  };
}

async function ask(
  stage: Stage,
  subject: Subject,
  { name, account, query, path = "/links" }: Question,
  requestsMax = stage.isQuick ? REQUESTS / 3 : REQUESTS,
): Promise<StreamReport> {
  const text = typeof query === "string" ? query : query(subject);
  const { streams } = await runLoad({
    url: subject.server.url,
    token: account === "big" ? subject.bigToken : subject.smallToken,
    seconds: SECONDS_MAX,
    streams: [{ name, inFlight: 1, method: "GET", targets: [`/api/v1${path}?${text}`], requestsMax }],
  });
  const [report] = streams;
  if (!report) throw new Error("the load client reported nothing");
  return report;
}

/** The cursor that a client has after half of all pages. */
function middleQuery(
  dataDir: string,
  { created_at, no }: { readonly created_at: number; readonly no: number },
): string {
  const secretKey = readFileSync(join(dataDir, "secret.key"), "utf8").trim();
  const cursor = cursorCodec(secretKey).encode({ value: created_at, no }, listLinks.query.parse({}));
  return `cursor=${cursor}`;
}

import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startIngestion } from "#clicks/ingestion/ingestion.ts";
import { findSegmentName } from "#clicks/journal/segment-name.ts";
import { until } from "#test/support/until.ts";
import type { ClickLines } from "./click-lines.ts";
import { fillJournal } from "./fill-journal.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kurz-fill-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

test("clicks that are generated slower than they are ingested are ingested too", async () => {
  let taken = 0;
  const problems: string[] = [];
  const ingestion = startIngestion({
    directory,
    liveFromEpoch: 1,
    consumers: [
      {
        name: "all",
        positionOf: async () => 0,
        consume: async (slices) => {
          for (const { lines } of slices) taken += lines;
        },
        forgetAllBut: async () => {},
      },
    ],
    onProblem: (message) => problems.push(message),
    intervalMs: 20,
  });
  const click: ClickLines = { lines: "1\t1\t1\t0\t\t0\t0\t0\t0\n", uses: [], clicks: 1, botHits: 0 };
  async function* slowly(): AsyncGenerator<ClickLines> {
    for (let made = 0; made < 2; made += 1) {
      yield click;
      await until("the journal is empty", () => readdirSync(directory).filter(findSegmentName).length === 0);
    }
    yield click;
  }
  const options = { directory, journalBytesMax: 2 ** 30, signal: new AbortController().signal, onProgress: () => {} };
  expect(await fillJournal(slowly(), options)).toEqual({ clicks: 3, botHits: 0 });
  await ingestion.stop();
  expect(taken).toBe(3);
  expect(problems).toEqual([]);
}, 600_000);

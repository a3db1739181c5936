import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { importTexts as texts } from "#texts/imports.ts";
import { csvProblemText, NO_DESTINATION } from "./csv-problem.ts";

test("only what is about a missing destination says where to choose it, whatever else is known of the columns", () => {
  const missing = `${NO_DESTINATION} Choose the one that has it, as "destination_url". The columns are "a".`;
  expect(csvProblemText(missing)).toBe(texts.noDestination);
  const other = 'There is no column "b". The columns are "destination_url".';
  expect(csvProblemText(other)).toBe(other);
});

test("the server says so in these words", () => {
  const columns = join(import.meta.dir, "..", "..", "..", "src", "imports", "sources", "csv", "csv-columns.ts");
  expect(readFileSync(columns, "utf8")).toContain(`\`${NO_DESTINATION} `);
});

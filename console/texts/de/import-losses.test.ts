import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { lossInGerman } from "./import-losses.ts";

const folder = join(import.meta.dir, "..", "..", "..", "src", "imports");
const values = { KEY: "imported_clicks", field: "created_at", what: "A title", name: "A title" } as const;

/** Unlike problems, losses have no full stop: the console counts links behind them. */
const LOSS = /"([A-Z][a-z']* [^"\n]+[a-z0-9])"|`((?:[A-Z$][^`\n]+) (?:[^`\n]+[a-zA-Z0-9}]))`/g;

function* losses(): Generator<string> {
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".ts") || file.endsWith(".test.ts")) continue;
    const text = readFileSync(join(folder, file), "utf8");
    if (!/loss|lose/.test(text)) continue;
    for (const [, plain, filled] of text.matchAll(LOSS)) {
      yield (plain ?? filled ?? "").replace(/\$\{(\w+)[^}]*\}/g, (_, name: keyof typeof values) => values[name] ?? "7");
    }
  }
}

/** Names, and problems that end with what another part says, are none. */
const isLoss = (text: string): boolean => text.split(" ").length > 3 && !/[.:] 7$/.test(text);

test("what an import can't carry over is said in German", () => {
  const found = [...new Set(losses())].filter(isLoss);
  expect(found.length).toBeGreaterThan(15);
  expect(found.filter((text) => lossInGerman(text) === text)).toEqual([]);
});

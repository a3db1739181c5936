import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readJournal } from "./fixtures/read-journal.ts";

test.each(["os", "interval", "always"])(
  "with %s, a process without a file descriptor left journals every click, over many segments",
  async (durability) => {
    const directory = mkdtempSync(join(tmpdir(), "kurz-descriptors-"));
    try {
      const script = join(import.meta.dir, "fixtures", "descriptor-hoarder.ts");
      const command = ["prlimit", "--nofile=128:128", process.execPath, script, directory, durability];
      const child = Bun.spawn(command, { stdio: ["ignore", "pipe", "inherit"] });
      const { lost, lines, held } = JSON.parse(await new Response(child.stdout).text());
      expect(held).toBeGreaterThan(50);
      const found = await readJournal(directory);
      expect({ lost, found: found.lines.length, gaps: found.gaps }).toEqual({ lost: 0, found: lines, gaps: 0 });
    } finally {
      rmSync(directory, { recursive: true });
    }
  },
  60_000,
);

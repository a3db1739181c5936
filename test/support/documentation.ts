import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..", "..");

/** One fenced block of a page: commands to run, or the content of a file that its paragraph names. */
export interface Block {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  /** Where the page says to put it ("into `/etc/kurz.env`:"); `null` for what is not a file. */
  readonly file: string | null;
  readonly text: string;
}

/** Every page with commands for people who use or run Kurz. */
export const documentedPages: readonly string[] = [
  "README.md",
  "sdk/README.md",
  ...readdirSync(join(ROOT, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
];

export function blocksOf(page: string): Block[] {
  const lines = readFileSync(join(ROOT, page), "utf8").split("\n");
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const [, language] = /^```(\w*)$/.exec(lines[at] ?? "") ?? [];
    if (language === undefined) continue;
    const end = lines.indexOf("```", at + 1);
    const text = `${lines.slice(at + 1, end).join("\n")}\n`;
    blocks.push({ page, line: at + 1, language, file: fileNamedBefore(lines, at), text });
    at = end;
  }
  return blocks;
}

/** A block of commands: in `sh`, and not to be put into a file. */
export const isCommands = ({ language, file }: Block): boolean => language === "sh" && file === null;

function fileNamedBefore(lines: readonly string[], at: number): string | null {
  const paragraph = lines.slice(0, at - 1);
  const start = paragraph.lastIndexOf("") + 1;
  return /into `(\/[^`]+)`:$/.exec(paragraph.slice(start).join(" "))?.[1] ?? null;
}

import { expect, test } from "bun:test";
import { encodeClick, openClickShapes } from "#clicks/click-shapes.ts";
import { CLICK_FORMAT, parseClick } from "#engines/clicks/click-format.ts";
import { plainClick } from "#test/support/plain-click.ts";
import { sourceOf, splitLines } from "./fixtures/read-journal.ts";
import { seedOf } from "./journal-block.ts";
import { sliceFrom } from "./journal-slice.ts";

const PATH = "/journal/local-000-0000000001-00000000.log";

interface Written {
  readonly definitions: string;
  readonly line: string;
}

interface BlockContent extends Written {
  readonly format: number;
  readonly seq: number;
  readonly offset: number;
}

function blockOf({ format, definitions, line, seq, offset }: BlockContent): Buffer {
  const payload = Buffer.from(definitions + line);
  const header = `${payload.length} ${seq} 1 ${offset} ${format} ${Buffer.byteLength(definitions)}\n`;
  const crc = Bun.hash.crc32(Buffer.concat([Buffer.from(header), payload]), seedOf(PATH));
  return Buffer.concat([Buffer.from(`\x01${crc.toString(16).padStart(8, "0")} ${header}`), payload]);
}

test("a segment that has blocks of the release before is read, and their clicks have no domain and rule", async () => {
  const shapes = openClickShapes();
  const old = { ...plainClick, at_ms: 1_767_225_600_000, account_no: 1, link_no: 2, country: "DE", utm_content: "b" };
  const recent = { ...old, domain: "go.acme.example", rule: "test/a" };
  const [before, after] = [old, recent].map((click) => {
    const { line, uses } = encodeClick(click, shapes);
    return { line, definitions: uses.map((use) => use.line).join("") };
  }) as [Written, Written];
  const definitions = before.definitions.replace("\tb\t\t\n", "\tb\n");
  expect(definitions).not.toBe(before.definitions);
  const first = blockOf({ ...before, definitions, format: 2, seq: 0, offset: 0 });
  const second = blockOf({ ...after, format: CLICK_FORMAT, seq: 1, offset: first.length });
  const slice = await sliceFrom(sourceOf(Buffer.concat([first, second])), {
    ...{ seed: seedOf(PATH), isFinal: true, fromOffset: 0, bytesMax: 100_000 },
  });
  const clicks = splitLines(slice.payload).map((line) => parseClick(line, (no) => slice.definitions.get(no)));
  expect(clicks).toEqual([old, recent]);
});

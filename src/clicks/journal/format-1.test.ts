import { expect, test } from "bun:test";
import { CLICK_FORMAT, parseClick } from "#engines/clicks/click-format.ts";
import { sourceOf, splitLines } from "./fixtures/read-journal.ts";
import { seedOf } from "./journal-block.ts";
import { sliceFrom } from "./journal-slice.ts";

const PATH = "/journal/local-000-0000000001-00000000.log";

/** A block as an earlier release wrote it, or a later one may. */
function blockOf(lines: readonly string[], firstSeq: number, offset: number, more = ""): Buffer {
  const payload = Buffer.from(lines.join(""));
  const header = `${payload.length} ${firstSeq} ${lines.length} ${offset}${more}\n`;
  const crc = Bun.hash.crc32(Buffer.concat([Buffer.from(header), payload]), seedOf(PATH));
  return Buffer.concat([Buffer.from(`\x01${crc.toString(16).padStart(8, "0")} ${header}`), payload]);
}

const lineOf = (no: number): string =>
  `${1000 + no}\t7\t${no}\t${no % 2}\t0123456789abcdef\tDE\t\tKöln\t${no % 3}.example\tde\tmobile\tSafari\tiOS\t` +
  `${no % 4 === 0 ? "qr" : "link"}\tposter\t\tspring ${no}\t\t\n`;

function segmentOf(blocks: readonly (readonly string[])[]): Buffer {
  let content = Buffer.alloc(0);
  let seq = 0;
  for (const lines of blocks) {
    content = Buffer.concat([content, blockOf(lines, seq, content.length)]);
    seq += lines.length;
  }
  return content;
}

const place = { seed: seedOf(PATH), isFinal: true };

test("segments of the release before are read, from wherever a reader continues", async () => {
  const content = segmentOf([[0, 1, 2].map(lineOf), [3, 4].map(lineOf), [5].map(lineOf), []]);
  const whole = await sliceFrom(sourceOf(content), { ...place, fromOffset: 0, bytesMax: 100_000 });
  const first = await sliceFrom(sourceOf(content), { ...place, fromOffset: 0, bytesMax: 10 });
  const rest = await sliceFrom(sourceOf(content), { ...place, fromOffset: first.toOffset, bytesMax: 100_000 });
  expect([whole.lines, first.lines, rest.lines]).toEqual([6, 3, 3]);
  expect(Buffer.concat([first.payload, rest.payload]).toString()).toBe(whole.payload.toString());
  expect(new Map([...first.ownTexts, ...rest.ownTexts])).toEqual(new Map(whole.ownTexts));
  const clicks = splitLines(whole.payload).map((line) => parseClick(line, (no) => whole.ownTexts.get(no)));
  expect(clicks).toEqual(
    [0, 1, 2, 3, 4, 5].map((no) => ({
      at_ms: 1000 + no,
      account_no: 7,
      link_no: no,
      bot: no % 2 === 1,
      source: no % 4 === 0 ? "qr" : "link",
      visitor: "0123456789abcdef",
      country: "DE",
      region: "",
      city: "Köln",
      language: "de",
      device: "mobile",
      browser: "Safari",
      os: "iOS",
      referrer: `${no % 3}.example`,
      utm_source: "poster",
      utm_medium: "",
      utm_campaign: `spring ${no}`,
      utm_term: "",
      utm_content: "",
      domain: "",
      rule: "",
    })),
  );
});

test("a line of it with a field too many stays one that no engine takes", async () => {
  const content = segmentOf([[lineOf(1), lineOf(2).replace("\n", "\textra\n")]]);
  const { payload } = await sliceFrom(sourceOf(content), { ...place, fromOffset: 0, bytesMax: 100_000 });
  const lines = splitLines(payload);
  expect(lines).toHaveLength(2);
  expect(() => parseClick(lines[1] ?? "", () => undefined)).toThrow("20 fields");
});

test("a block in a later format is an error, not damage", async () => {
  const content = blockOf(["anything\n"], 0, 0, ` ${CLICK_FORMAT + 1} 0 17`);
  const slice = sliceFrom(sourceOf(content), { ...place, fromOffset: 0, bytesMax: 100_000 });
  await expect(slice).rejects.toThrow(`format ${CLICK_FORMAT + 1}, which a newer release wrote`);
});

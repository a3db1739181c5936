import { expect, test } from "bun:test";
import { seededRandom } from "#kernel/seeded-random.ts";
import { blockEncoder } from "./block-encoder.ts";
import { readContents, sourceOf, splitLines } from "./fixtures/read-journal.ts";
import { seedOf } from "./journal-block.ts";
import { sliceFrom } from "./journal-slice.ts";

const PATH = "n-000-0000000001-00000000.log";
const RUNS = 20_000;
const TIMEOUT_MS = 600_000;

const encode = blockEncoder();
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 32);

interface Piece {
  readonly lines: readonly string[];
  readonly start: number;
  readonly end: number;
}
/** A segment and its undamaged blocks. */
interface Damaged {
  readonly bytes: Buffer;
  readonly whole: readonly Piece[];
}
type Random = (below: number) => number;

function writeSegment(random: Random): Damaged {
  const whole: Piece[] = [];
  const parts: Uint8Array[] = [];
  let seq = random(1000);
  let offset = 0;
  const blocks = random(12);
  const put = (lines: readonly string[]): void => {
    const fields = { firstSeq: seq, lines: lines.length, offset };
    const { bytes, start, length } = encode({ definitions: "", lines: lines.join("") }, seedOf(PATH), fields);
    parts.push(bytes.slice(start, start + length));
    whole.push({ lines, start: offset, end: offset + length });
    offset += length;
    seq += lines.length;
  };
  for (let block = 0; block < blocks; block += 1) {
    put(
      Array.from(
        { length: 1 + random(4) },
        (_, no) => `${seq + no}\t${"é".repeat(random(3))}${"x".repeat(random(30))}\n`,
      ),
    );
  }
  if (random(2) === 0) put([]);
  return { bytes: Buffer.concat(parts), whole };
}

/** Changes the bytes from `start` to `end`, which damages every block they belong to. */
const overwrite = ({ bytes, whole }: Damaged, start: number, patch: Buffer): Damaged => ({
  bytes: Buffer.concat([bytes.subarray(0, start), patch, bytes.subarray(start + patch.length)]),
  whole: whole.filter((piece) => piece.end <= start || piece.start >= start + patch.length),
});

const insert = ({ bytes, whole }: Damaged, at: number, patch: Buffer): Damaged => ({
  bytes: Buffer.concat([bytes.subarray(0, at), patch, bytes.subarray(at)]),
  whole: whole.flatMap(({ lines, start, end }) => {
    if (end <= at) return { lines, start, end };
    return start >= at ? { lines, start: start + patch.length, end: end + patch.length } : [];
  }),
});

const remove = ({ bytes, whole }: Damaged, from: number, to: number): Damaged => ({
  bytes: Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]),
  whole: whole.flatMap(({ lines, start, end }) => {
    if (end <= from) return { lines, start, end };
    return start >= to ? { lines, start: start - (to - from), end: end - (to - from) } : [];
  }),
});

function pickRange({ bytes, whole }: Damaged, random: Random): [from: number, to: number] {
  // Half of the time at block boundaries, which is harder to detect.
  const edges = whole.flatMap(({ start, end }) => [start, end]);
  const pick = (): number => (random(2) === 0 ? (edges[random(edges.length)] ?? 0) : random(bytes.length + 1));
  const [a, b] = [pick(), pick()];
  return [Math.min(a, b), Math.max(a, b)];
}

const mutations: readonly ((segment: Damaged, random: Random) => Damaged)[] = [
  function flipBit(segment, random) {
    const at = random(segment.bytes.length);
    return overwrite(segment, at, Buffer.from([(segment.bytes[at] ?? 0) ^ (1 << random(8))]));
  },
  function changeDigit(segment, random) {
    const mark = segment.bytes.indexOf(1, random(segment.bytes.length));
    return overwrite(segment, Math.max(0, mark + random(24)), Buffer.from(String(random(10))));
  },
  function truncate(segment, random) {
    return remove(segment, random(segment.bytes.length + 1), segment.bytes.length);
  },
  function zeroRange(segment, random) {
    const [from, to] = pickRange(segment, random);
    return overwrite(segment, from, Buffer.alloc(to - from));
  },
  function zeroTail(segment, random) {
    return insert(segment, segment.bytes.length, Buffer.alloc(random(5000)));
  },
  function noise(segment, random) {
    const [from, to] = pickRange(segment, random);
    return overwrite(segment, from, Buffer.from(Array.from({ length: to - from }, () => random(256))));
  },
  function repeatRange(segment, random) {
    const [from, to] = pickRange(segment, random);
    return insert(segment, pickRange(segment, random)[0], segment.bytes.subarray(from, to));
  },
  function copyRangeOver(segment, random) {
    const [from, to] = pickRange(segment, random);
    const target = pickRange(segment, random)[0];
    return overwrite(segment, target, segment.bytes.subarray(from, Math.min(to, from + segment.bytes.length - target)));
  },
  function removeRange(segment, random) {
    return remove(segment, ...pickRange(segment, random));
  },
  function claimAbsurdLength(segment, random) {
    const header = Buffer.from(
      `\x01deadbeef ${10 ** random(8)} ${random(1000)} ${random(10)} ${segment.bytes.length}\n`,
    );
    return insert(segment, pickRange(segment, random)[0], header);
  },
  function strayBlock(segment, random) {
    const fields = { firstSeq: 0, lines: 1, offset: segment.bytes.length };
    const other = encode({ definitions: "", lines: "stray\n" }, seedOf("other.log"), fields);
    const block = Buffer.from(other.bytes.slice(other.start, other.start + other.length));
    return random(2) === 0 ? insert(segment, segment.bytes.length, block) : overwrite(segment, 0, block);
  },
];

test(
  `damage of any kind takes only the blocks it touches, and invents and repeats nothing (SEED=${seed})`,
  async () => {
    const next = seededRandom(seed);
    const random: Random = (below) => Math.floor(next() * below);
    let recovered = 0;
    for (let run = 0; run < RUNS; run += 1) {
      const written = writeSegment(random);
      let segment = written;
      for (let left = 1 + random(4); left > 0; left -= 1) {
        segment = mutations[random(mutations.length)]?.(segment, random) ?? segment;
      }
      const { lines } = await readContents(new Map([[PATH, segment.bytes]]), 1 + random(400));
      const found = new Set(lines);
      const known = new Set(written.whole.flatMap((piece) => piece.lines));
      const expected = segment.whole.flatMap((piece) => piece.lines);
      const wrong = {
        run,
        repeated: lines.length - found.size,
        invented: lines.filter((line) => !known.has(line)),
        lost: expected.filter((line) => !found.has(line)),
      };
      if (wrong.repeated + wrong.invented.length + wrong.lost.length > 0) throw new Error(JSON.stringify(wrong));
      recovered += expected.length;
    }
    expect(recovered).toBeGreaterThan(RUNS);
  },
  TIMEOUT_MS,
);

test(`a segment that grows byte by byte gives each line once, as soon as its block is whole (SEED=${seed})`, async () => {
  const next = seededRandom(seed);
  const random: Random = (below) => Math.floor(next() * below);
  for (let run = 0; run < 100; run += 1) {
    const { bytes, whole } = writeSegment(random);
    const lines: string[] = [];
    let fromOffset = 0;
    for (let size = 0; size <= bytes.length; size += 1 + random(20)) {
      const place = { seed: seedOf(PATH), isFinal: false, bytesMax: 1 + random(300) };
      let slice = await sliceFrom(sourceOf(bytes.subarray(0, size)), { ...place, fromOffset });
      for (
        ;
        slice.state === "more";
        slice = await sliceFrom(sourceOf(bytes.subarray(0, size)), { ...place, fromOffset })
      ) {
        lines.push(...splitLines(slice.payload));
        fromOffset = slice.toOffset;
      }
      lines.push(...splitLines(slice.payload));
      fromOffset = slice.toOffset;
      expect(["not yet", "end"]).toContain(slice.state);
      expect(lines).toEqual(whole.flatMap((piece) => (piece.end <= size ? piece.lines : [])));
    }
  }
});

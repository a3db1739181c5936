import { BadArchive } from "./bad-archive.ts";

const LINE_FEED = 10;

/** The lines of UTF-8 text, as many at a time as a piece completes. None may be longer than `bytesMax`. */
export async function* readLines(
  pieces: AsyncIterable<Uint8Array>,
  { name, bytesMax }: { readonly name: string; readonly bytesMax: number },
): AsyncGenerator<string[]> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const linesOf = (bytes: Uint8Array): string[] => {
    try {
      return decoder.decode(bytes).split("\n");
    } catch {
      throw new BadArchive(`${name} isn't UTF-8 text.`);
    }
  };
  let begun: Uint8Array[] = [];
  let begunBytes = 0;
  for await (const piece of pieces) {
    const end = piece.lastIndexOf(LINE_FEED);
    const first = piece.indexOf(LINE_FEED);
    if (begunBytes + (first < 0 ? piece.byteLength : first) > bytesMax) {
      throw new BadArchive(`A line of ${name} is longer than ${bytesMax} bytes.`);
    }
    if (end < 0) {
      begun.push(piece);
      begunBytes += piece.byteLength;
      continue;
    }
    yield linesOf(Buffer.concat([...begun, piece.subarray(0, end)]));
    const rest = piece.subarray(end + 1);
    begun = rest.byteLength > 0 ? [rest] : [];
    begunBytes = rest.byteLength;
  }
  if (begunBytes > 0) throw new BadArchive(`${name} is incomplete: its last line has no end.`);
}

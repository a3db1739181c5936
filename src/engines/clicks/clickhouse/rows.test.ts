import { describe, expect, test } from "bun:test";
import { BadClicks, type ClickPart } from "../clicks-engine.ts";
import { encodeRows, findLinks, rowColumns } from "./rows.ts";

const texts: Readonly<Record<number, string>> = {
  1: "DE\tBY\tMünchen",
  2: "de\tmobile\tChrome\tiOS",
  3: "news.example",
  4: `newsletter\t\tspring\t\t${"long ".repeat(60)}\tgo.acme.example\ttest/a`,
  // As in format 2.
  5: "mail\t\tspring\t\tb",
};

const part = (lines: string, count: number, segment = "node-000-0000000001-00000001.log"): ClickPart => ({
  segment,
  toOffset: 100,
  lines: Buffer.from(lines),
  count,
  textsOf: (no) => texts[no],
});

/** Reads RowBinary as ClickHouse does, with the types of the table. */
function decode(bytes: Uint8Array): Record<string, unknown>[] {
  const buffer = Buffer.from(bytes);
  const rows: Record<string, unknown>[] = [];
  let at = 0;
  const take = <T>(length: number, read: (at: number) => T): T => {
    at += length;
    return read(at - length);
  };
  const u64 = () => take(8, (from) => buffer.readBigUInt64LE(from));
  const u32 = () => take(4, (from) => buffer.readUInt32LE(from));
  const u8 = () => take(1, (from) => buffer.readUInt8(from));
  const text = (): string => {
    let length = 0;
    for (let shift = 0, more = true; more; shift += 7) {
      const byte = u8();
      length |= (byte & 127) << shift;
      more = byte > 127;
    }
    return take(length, (from) => buffer.toString("utf8", from, from + length));
  };
  const readers: Record<string, () => unknown> = {
    ...{ at_ms: u64, account_no: u32, link_no: u32, bot: u8, qr: u8, batch: u64 },
    visitor: () => (u8() === 1 ? null : u64()),
  };
  while (at < buffer.length) {
    rows.push(Object.fromEntries(rowColumns.map((column) => [column, (readers[column] ?? text)()])));
  }
  return rows;
}

describe("the rows of a batch", () => {
  test("have everything that the lines have", async () => {
    const lines = "1774483200005\t1\t4294967295\t3\tffffffff00000001\t1\t2\t3\t4\n0\t7\t8\t0\t\t9\t2\t3\t5\n";
    const { bytes, rows } = await encodeRows([part(lines, 2)], {
      node: "n1",
      batch: 3_632_000_000_000_123,
      isErased: null,
    });
    expect(rows).toBe(2);
    const shared = { language: "de", device: "mobile", browser: "Chrome", os: "iOS", referrer: "news.example" };
    const campaign = { utm_medium: "", utm_campaign: "spring", utm_term: "" };
    const same = { ...shared, ...campaign, node: "n1", batch: 3_632_000_000_000_123n };
    expect(decode(bytes)).toEqual([
      {
        ...{ at_ms: 1_774_483_200_005n, account_no: 1, link_no: 4_294_967_295, bot: 1, qr: 1 },
        visitor: 0xffffffff00000001n,
        ...{ country: "DE", region: "BY", city: "München" },
        ...same,
        ...{ utm_source: "newsletter", utm_content: "long ".repeat(60), domain: "go.acme.example", rule: "test/a" },
      },
      {
        ...{ at_ms: 0n, account_no: 7, link_no: 8, bot: 0, qr: 0, visitor: null },
        // The definition of number 9 was lost.
        ...{ country: "", region: "", city: "" },
        ...same,
        ...{ utm_source: "mail", utm_content: "b", domain: "", rule: "" },
      },
    ]);
  });

  test("lack those of erased links", async () => {
    const lines = "5\t1\t1\t0\t\t1\t2\t3\t4\n6\t1\t2\t0\t\t1\t2\t3\t4\n";
    const isErased = (accountNo: number, linkNo: number) => accountNo === 1 && linkNo === 1;
    const { bytes, rows } = await encodeRows([part(lines, 2)], { node: "n1", batch: 1, isErased });
    expect(rows).toBe(1);
    expect(decode(bytes)).toMatchObject([{ at_ms: 6n, link_no: 2 }]);
  });

  test("name each of their links once", async () => {
    const line = (accountNo: number, linkNo: number) => `5\t${accountNo}\t${linkNo}\t0\t\t1\t2\t3\t4\n`;
    const first = part(line(1, 1) + line(1, 2) + line(1, 1), 3);
    const links = await findLinks([first, part(line(2, 1) + line(1, 2) + line(2 ** 32, 1), 3)]);
    expect(links.map(({ accountNo, linkNo }) => [accountNo, linkNo])).toEqual([
      [1, 1],
      [1, 2],
      [2, 1],
    ]);
  });

  test("use the numbers of texts as their own segment defines them", async () => {
    const line = "5\t1\t1\t0\t\t1\t2\t3\t4\n";
    const other: ClickPart = { ...part(line, 1, "other"), textsOf: (no) => (no === 1 ? "FR\t\tParis" : texts[no]) };
    const { bytes } = await encodeRows([part(line, 1), other], { node: "n1", batch: 1, isErased: null });
    expect(decode(bytes).map(({ country, city }) => [country, city])).toEqual([
      ["DE", "München"],
      ["FR", "Paris"],
    ]);
  });

  test.each([
    ["a field too few", "5\t1\t1\t0\t\t1\t2\t3\n", 1],
    ["a field too many", "5\t1\t1\t0\t\t1\t2\t3\t4\t5\n", 1],
    ["no line feed", "5\t1\t1\t0\t\t1\t2\t3\t4", 1],
    ["something that isn't a number", "5\t1\tx\t0\t\t1\t2\t3\t4\n", 1],
    ["a negative number", "-5\t1\t1\t0\t\t1\t2\t3\t4\n", 1],
    ["a number that is too large", "5\t4294967296\t1\t0\t\t1\t2\t3\t4\n", 1],
    ["a visitor that is too short", "5\t1\t1\t0\tff\t1\t2\t3\t4\n", 1],
    ["a visitor that isn't hexadecimal", "5\t1\t1\t0\t000000000000000g\t1\t2\t3\t4\n", 1],
    ["fewer lines than announced", "5\t1\t1\t0\t\t1\t2\t3\t4\n", 2],
  ])("are refused with %s, naming the segment", async (_, lines, count) => {
    const encoding = encodeRows([part(lines, count, "seg-1")], { node: "n1", batch: 1, isErased: null });
    await expect(encoding).rejects.toBeInstanceOf(BadClicks);
    await expect(encoding).rejects.toThrow("seg-1");
  });
});

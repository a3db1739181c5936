import { describe, expect, test } from "bun:test";
import type { RedirectRow } from "#engines/records/redirect-reader.ts";
import { ownKey } from "#test/support/own-key.ts";
import { redirectRow } from "#test/support/redirect-row.ts";
import { LinkCache, TooManyLoads } from "./link-cache.ts";

const row = (destination_url: string): RedirectRow =>
  redirectRow({ no: 7, account_no: 3, destination_url, utm: { utm_source: "mail" } });

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A records engine whose answers come when the test says so. */
class SlowReader {
  readonly asked: string[] = [];
  readonly answers: PromiseWithResolvers<RedirectRow | "deleted" | null>[] = [];

  find(slug: string): Promise<RedirectRow | "deleted" | null> {
    this.asked.push(slug);
    const answer = Promise.withResolvers<RedirectRow | "deleted" | null>();
    this.answers.push(answer);
    return answer.promise;
  }
}

function openSlow(options = {}): { reader: SlowReader; cache: LinkCache } {
  const reader = new SlowReader();
  return { reader, cache: new LinkCache({ reader, ...options }) };
}

describe("LinkCache", () => {
  test("queries the engine once for concurrent look-ups of the same slug", async () => {
    const { reader, cache } = openSlow();
    const loads = Array.from({ length: 50 }, () => cache.load(ownKey("abc")));
    await nextTurn();
    expect(reader.asked).toEqual(["abc"]);
    reader.answers[0]?.resolve(row("https://example.com/"));
    const entries = await Promise.all(loads);
    expect(new Set(entries).size).toBe(1);
    expect(cache.peek(ownKey("abc"))).toMatchObject({
      no: 7,
      accountNo: 3,
      location: "https://example.com/?utm_source=mail",
      activeUntil: Number.POSITIVE_INFINITY,
    });
  });

  test("low-priority look-ups run one at a time and delay no others", async () => {
    const { reader, cache } = openSlow({ waitingMax: 2 });
    const low = ["low1", "low2", "low3"].map((slug) => cache.loadWithLowPriority(ownKey(slug)));
    await expect(cache.loadWithLowPriority(ownKey("low4"))).rejects.toBeInstanceOf(TooManyLoads);
    const others = ["abc", "low3"].map((slug) => cache.load(ownKey(slug)));
    await nextTurn();
    expect(reader.asked).toEqual(["abc", "low3", "low1"]);
    for (const answer of reader.answers) answer.resolve(row("https://example.com/"));
    expect(await Promise.all(others)).toMatchObject([{ no: 7 }, { no: 7 }]);
    await nextTurn();
    await nextTurn();
    expect(reader.asked).toEqual(["abc", "low3", "low1", "low2"]);
    reader.answers[3]?.resolve(null);
    // The last is known by now, and is not asked for again.
    expect(await Promise.all(low)).toMatchObject([{ no: 7 }, null, { no: 7 }]);
    expect(reader.asked).toHaveLength(4);
  });

  test("a row read while its slug changed isn't cached, and later look-ups don't wait for it", async () => {
    const { reader, cache } = openSlow();
    const early = cache.load(ownKey("abc"));
    await nextTurn();
    cache.forget(ownKey("abc"));
    const late = cache.load(ownKey("abc"));
    await nextTurn();
    expect(reader.asked).toEqual(["abc", "abc"]);
    reader.answers[1]?.resolve(row("https://new.example/"));
    expect(await late).toMatchObject({ row: { destination_url: "https://new.example/" } });
    reader.answers[0]?.resolve(row("https://old.example/"));
    await early;
    expect(cache.peek(ownKey("abc"))).toMatchObject({ row: { destination_url: "https://new.example/" } });
  });

  test("a row read while everything changed isn't cached", async () => {
    const { reader, cache } = openSlow();
    const load = cache.load(ownKey("abc"));
    await nextTurn();
    cache.clear();
    reader.answers[0]?.resolve(null);
    expect(await load).toBeNull();
    expect(cache.isKnownMissing(ownKey("abc"))).toBe(false);
  });

  test("an unknown slug is remembered until it is forgotten", async () => {
    const { reader, cache } = openSlow();
    const load = cache.load(ownKey("nosuch"));
    await nextTurn();
    reader.answers[0]?.resolve(null);
    expect(await load).toBeNull();
    expect(cache.isKnownMissing(ownKey("nosuch"))).toBe(true);
    expect(cache.peek(ownKey("nosuch"))).toBeUndefined();
    cache.forget(ownKey("nosuch"));
    expect(cache.isKnownMissing(ownKey("nosuch"))).toBe(false);
  });

  test("a failed look-up fails for all who wait, and the next one retries", async () => {
    const { reader, cache } = openSlow();
    const loads = [cache.load(ownKey("abc")), cache.load(ownKey("abc"))];
    await nextTurn();
    reader.answers[0]?.reject(new Error("away"));
    for (const result of await Promise.allSettled(loads)) expect(result.status).toBe("rejected");
    const again = cache.load(ownKey("abc"));
    await nextTurn();
    reader.answers[1]?.resolve("deleted");
    expect(await again).toBe("deleted");
    expect(cache.peek(ownKey("abc"))).toBe("deleted");
  });

  test("the number of look-ups is limited; those beyond are refused at once", async () => {
    const { reader, cache } = openSlow({ runningMax: 2, waitingMax: 1 });
    const [first, second, third] = [cache.load(ownKey("a1")), cache.load(ownKey("b2")), cache.load(ownKey("c3"))];
    await expect(cache.load(ownKey("d4"))).rejects.toBeInstanceOf(TooManyLoads);
    await nextTurn();
    expect(reader.asked).toEqual(["a1", "b2"]);
    reader.answers[0]?.resolve(null);
    await first;
    await nextTurn();
    expect(reader.asked).toEqual(["a1", "b2", "c3"]);
    reader.answers[1]?.reject(new Error("away"));
    await expect(second).rejects.toThrow("away");
    reader.answers[2]?.resolve(null);
    expect(await third).toBeNull();
  });

  /** How many of so many links fit in 40 places. */
  async function countFitting(links: number, rowOf: (n: number) => RedirectRow): Promise<number> {
    const { reader, cache } = openSlow({ linksMax: 40 });
    for (let n = 0; n < links; n += 1) {
      const load = cache.load(ownKey(`slug${n}`));
      await nextTurn();
      reader.answers[n]?.resolve(rowOf(n));
      await load;
    }
    return Array.from({ length: links }, (_, n) => cache.peek(ownKey(`slug${n}`))).filter(
      (entry) => entry !== undefined,
    ).length;
  }

  test("links with long destinations count for more", async () => {
    expect(await countFitting(20, () => row(`https://example.com/${"x".repeat(4000)}`))).toBeLessThanOrEqual(2);
  });

  test("so do links with long UTM texts, which are kept for their clicks, too", async () => {
    const tagged = (characters: number): RedirectRow =>
      redirectRow({ destination_url: "https://example.com/", utm: { utm_campaign: "x".repeat(characters) } });
    expect(await countFitting(30, () => tagged(10))).toBeGreaterThanOrEqual(20);
    expect(await countFitting(30, () => tagged(200))).toBeLessThanOrEqual(15);
  });
});

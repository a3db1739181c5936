import { describe, expect, test } from "bun:test";
import type { SiteIcon } from "./find-site-icon.ts";
import { siteIcons, TooManySites } from "./site-icons.ts";

const DAY_MS = 86_400_000;
const icon: SiteIcon = { type: "image/png", bytes: new Uint8Array([1]), hash: "1" };

/** Look-ups that end when they are told to. */
function lab() {
  let now = 0;
  const asked: string[] = [];
  const open = new Map<string, PromiseWithResolvers<SiteIcon | null>>();
  const icons = siteIcons({
    clock: () => now,
    lookUp(site) {
      asked.push(site);
      const answer = Promise.withResolvers<SiteIcon | null>();
      open.set(site, answer);
      return answer.promise;
    },
  });
  return {
    icons,
    asked,
    answer(site: string, found: SiteIcon | null): void {
      open.get(site)?.resolve(found);
      open.delete(site);
    },
    fail: (site: string) => open.get(site)?.reject(new Error("broken")),
    waitMs(ms: number): void {
      now += ms;
    },
  };
}

describe("icons of sites", () => {
  test("are looked up once for all who ask, and then known", async () => {
    const { icons, asked, answer } = lab();
    expect(icons.findKnown("https://a.example")).toBeUndefined();
    const both = [icons.find("https://a.example"), icons.find("https://a.example")];
    answer("https://a.example", icon);
    expect(await Promise.all(both)).toEqual([icon, icon]);
    expect(icons.findKnown("https://a.example")).toBe(icon);
    expect(await icons.find("https://a.example")).toBe(icon);
    expect(asked).toEqual(["https://a.example"]);
  });

  test("are kept for a week, and that there is none for a day", async () => {
    const { icons, asked, answer, waitMs } = lab();
    for (const [site, found] of [
      ["a", icon],
      ["b", null],
    ] as const) {
      const finding = icons.find(site);
      answer(site, found);
      await finding;
    }
    waitMs(DAY_MS - 1);
    expect([await icons.find("a"), await icons.find("b")]).toEqual([icon, null]);
    waitMs(1);
    expect([icons.findKnown("a"), icons.findKnown("b")]).toEqual([icon, undefined]);
    waitMs(6 * DAY_MS);
    expect(icons.findKnown("a")).toBeUndefined();
    expect(asked).toEqual(["a", "b"]);
  });

  test("are looked up four at a time; those that find no room fail at once, and can be asked for again", async () => {
    const { icons, asked, answer } = lab();
    const sites = Array.from({ length: 500 }, (_, no) => `site ${no}`);
    const results = sites.map((site) =>
      icons.find(site).then(
        () => "found",
        (error: unknown) => error,
      ),
    );
    expect(asked).toEqual(sites.slice(0, 4));
    expect((await Promise.all(results.slice(304))).every((result) => result instanceof TooManySites)).toBe(true);
    for (let no = 0; no < 304; no += 1) {
      answer(`site ${no}`, null);
      expect(await results[no]).toBe("found");
    }
    expect(asked.length).toBe(304);
    const again = icons.find("site 400");
    answer("site 400", icon);
    expect(await again).toBe(icon);
  });

  test("are waited for only so long, and known once they are there", async () => {
    const { icons, asked, answer } = lab();
    expect(await icons.findWithin("a", 1)).toBeNull();
    expect(icons.findKnown("a")).toBeUndefined();
    const next = icons.findWithin("a", 600_000);
    answer("a", icon);
    expect(await next).toBe(icon);
    expect(await icons.findWithin("a", 1)).toBe(icon);
    expect(asked).toEqual(["a"]);
  });

  test("of a look-up that broke are asked for again", async () => {
    const { icons, asked, fail, answer } = lab();
    const broken = icons.find("a");
    fail("a");
    await expect(broken).rejects.toThrow("broken");
    const again = icons.find("a");
    answer("a", icon);
    expect(await again).toBe(icon);
    expect(asked).toEqual(["a", "a"]);
  });
});

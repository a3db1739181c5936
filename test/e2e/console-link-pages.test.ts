import { afterAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { listLinks } from "#contract/links.ts";
import { expectAccessible } from "#test/support/console-page.ts";
import { openLinkStage, rowOf } from "#test/support/link-stage.ts";
import { solidPng } from "#test/support/pictures.ts";
import { htmlPage, pageLookups, startTestSite } from "#test/support/test-site.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;

const { onStage } = await openLinkStage(pageLookups);
const shop = startTestSite({
  "/": htmlPage("<link rel=icon href=/icon.png>"),
  "/icon.png": new Response(new Uint8Array(solidPng(32, 32, [200, 30, 90, 255]))),
  "/sale": htmlPage("<title>Fish &amp; Chips</title>"),
  "/news": htmlPage("<title>News</title>"),
});
const plain = startTestSite({ "/page": htmlPage("<title>Plain</title>") });
afterAll(async () => {
  await shop.stop();
  await plain.stop();
});

const tileOf = (page: Page, slug: string) => rowOf(page, slug).locator(".tinted").first();
const iconOf = (page: Page, slug: string) => tileOf(page, slug).locator("img");

/** Whether the picture is there, and covers the letter. */
const isShown = async (page: Page, slug: string): Promise<boolean> =>
  (await iconOf(page, slug).count()) === 1 &&
  (await iconOf(page, slug).evaluate((image) => Reflect.get(image, "naturalWidth") > 0)) &&
  !(await iconOf(page, slug).getAttribute("class"))?.includes("opacity-0");

/** What the page has asked others than the server for, and what it has asked the server for about sites. */
function watchRequests(page: Page, ownOrigin: string) {
  const urls: string[] = [];
  page.on("request", (request) => urls.push(request.url()));
  return {
    elsewhere: () => urls.filter((url) => !url.startsWith(ownOrigin) && !/^(?:data|blob):/.test(url)),
    aboutSites: () => urls.filter((url) => /site-icon|page-title/.test(url)),
  };
}

test(
  "rows show the icons of their sites, and a letter where there is none; the browser asks nobody else",
  () =>
    onStage(
      [
        { slug: "fish", destination_url: shop.url("/sale") },
        { slug: "news", destination_url: shop.url("/news") },
        { slug: "plain", destination_url: plain.url("/page") },
      ],
      async ({ page, me }) => {
        const watched = watchRequests(page, me.url);
        await until("the icons are shown", async () => (await isShown(page, "fish")) && (await isShown(page, "news")));
        await until("the other site was asked", () => plain.requests.includes("GET /favicon.ico"));
        await page.reload();
        await until("they are shown again", () => isShown(page, "fish"));
        await iconOf(page, "plain").waitFor({ state: "detached" });
        expect(await tileOf(page, "plain").innerText()).toBe("1");
        const boxes = await Promise.all(["fish", "plain"].map((slug) => tileOf(page, slug).boundingBox()));
        expect(boxes.map((box) => [box?.x, box?.width, box?.height])).toEqual(Array(2).fill([boxes[0]?.x, 36, 36]));
        expect(await iconOf(page, "fish").getAttribute("alt")).toBe("");
        expect(watched.elsewhere()).toEqual([]);
        // Once for all links to it, and the destinations themselves not at all.
        expect(shop.requests).toEqual(["GET /", "GET /icon.png"]);
        await expectAccessible(page);
      },
    ),
  TIMEOUT_MS,
);

test(
  "a pasted address suggests its page's title, which can be cleared and isn't suggested again",
  () =>
    onStage([], async ({ page, me }) => {
      await page.getByRole("button", { name: "Create your first link" }).waitFor();
      const paste = async (url: string) => {
        await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(url)})`);
        await page.keyboard.press("Control+V");
      };
      const dialog = page.getByRole("dialog", { name: "Create link" });
      const title = dialog.getByLabel("Title", { exact: true });
      const titled = (text: string) => until(`the title is "${text}"`, async () => (await title.inputValue()) === text);

      await paste(shop.url("/sale"));
      await titled("Fish & Chips");
      await dialog.getByText("From the page").waitFor();
      await expectAccessible(page);
      // Nothing that was entered would be lost.
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });

      await paste(shop.url("/sale"));
      await titled("Fish & Chips");
      await dialog.getByLabel("Destination").selectText();
      await paste(shop.url("/news"));
      await titled("News");
      await dialog.getByRole("button", { name: "Clear the suggested title" }).click();
      await titled("");
      await dialog.getByLabel("Destination").click();
      const asked = shop.requests.length;
      await title.click();
      await title.fill("My own");
      await dialog.getByLabel("Destination").fill(shop.url("/sale"));
      await dialog.getByLabel("Slug").fill("own");
      await dialog.getByText("This slug is available.").waitFor();
      expect([await title.inputValue(), await dialog.getByText("From the page").count()]).toEqual(["My own", 0]);
      expect(shop.requests.length).toBe(asked);
      await dialog.getByRole("button", { name: "Create link" }).click();
      await dialog.waitFor({ state: "detached" });
      expect((await me.do(listLinks)).data.map((link) => link.title)).toEqual(["My own"]);
    }),
  TIMEOUT_MS,
);

test(
  "a typed address is only looked up when its field is left, and the title is written over by whoever is there",
  () =>
    onStage([], async ({ page, me }) => {
      await page.getByRole("button", { name: "Create your first link" }).click();
      const dialog = page.getByRole("dialog", { name: "Create link" });
      const title = dialog.getByLabel("Title", { exact: true });
      await dialog.getByLabel("Destination").pressSequentially(plain.url("/page"));
      expect(plain.requests.filter((line) => line.startsWith("GET /p"))).toEqual([]);
      const before = await title.boundingBox();
      await title.focus();
      await dialog.getByText("From the page").waitFor();
      expect(await title.boundingBox()).toEqual(before);
      expect(plain.requests.filter((line) => line.startsWith("GET /p"))).toEqual(["GET /page"]);
      expect(await title.inputValue()).toBe("Plain");
      await page.keyboard.type("Better");
      expect([await title.inputValue(), await dialog.getByText("From the page").count()]).toEqual(["Better", 0]);
      await page.keyboard.press("Enter");
      await dialog.waitFor({ state: "detached" });
      expect((await me.do(listLinks)).data.map((link) => link.title)).toEqual(["Better"]);
    }),
  TIMEOUT_MS,
);

test(
  "with look-ups off the console asks for neither icons nor titles",
  async () => {
    const quiet = await openLinkStage({ ...pageLookups, KURZ_PAGE_LOOKUPS: "off" });
    await quiet.onStage([{ slug: "fish", destination_url: shop.url("/sale") }], async ({ page, me }) => {
      const watched = watchRequests(page, me.url);
      await page.reload();
      await rowOf(page, "fish").waitFor();
      await page.getByRole("button", { name: "Create link" }).click();
      const dialog = page.getByRole("dialog", { name: "Create link" });
      await dialog.getByLabel("Destination").fill(shop.url("/news"));
      await dialog.getByLabel("Slug").fill("own");
      await dialog.getByText("This slug is available.").waitFor();
      await dialog.getByRole("button", { name: "Create link" }).click();
      await rowOf(page, "own").waitFor();
      expect(await page.locator(".tinted img").count()).toBe(0);
      expect([watched.aboutSites(), watched.elsewhere()]).toEqual([[], []]);
    });
  },
  TIMEOUT_MS,
);

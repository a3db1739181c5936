import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDomain, getDomain, updateDomain, verifyDomain } from "#contract/domains.ts";
import { createLink } from "#contract/links.ts";
import type { ConsoleClient } from "#test/support/console-client.ts";
import {
  expectAccessible,
  findAxeViolations,
  findInBothThemes,
  openConsolePage,
  untilLoaded,
} from "#test/support/console-page.ts";
import { openConsoleStage } from "#test/support/console-stage.ts";
import { copiedBy } from "#test/support/copied.ts";
import { startDnsServer } from "#test/support/dns-server.ts";
import { eventually } from "#test/support/eventually.ts";
import { intercept } from "#test/support/intercept.ts";
import { shows } from "#test/support/link-stage.ts";
import { operatorOf } from "#test/support/operator.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;
const WIDTHS = [375, 768, 1280];

const dns = await startDnsServer();
const directory = mkdtempSync(join(tmpdir(), "kurz-blocklist-"));
const blocklist = join(directory, "blocklist.txt");
writeFileSync(blocklist, "");
afterAll(() => {
  dns.stop();
  rmSync(directory, { recursive: true });
});
const { site, browser, onStage } = await openConsoleStage({
  KURZ_DNS_SERVERS: dns.address,
  KURZ_BLOCKLIST_FILE: blocklist,
});

const addDomain = (me: ConsoleClient, name: string) => me.do(createDomain, { body: { name } });

async function verified(me: ConsoleClient, name: string) {
  const { id, verification } = await addDomain(me, name);
  dns.set(verification.name, verification.value);
  return me.do(verifyDomain, { params: { id }, body: {} });
}

test(
  "a domain is added, its record is copied and checked, and it becomes the default",
  () =>
    onStage("domains", async ({ page, me }) => {
      await page.getByText("No domains yet").waitFor();
      await page.getByRole("button", { name: "Add domain" }).click();
      const dialog = page.getByRole("dialog", { name: "Add domain" });
      await dialog.getByLabel("Domain name").fill("co.uk");
      await dialog.getByRole("button", { name: "Add domain" }).click();
      await dialog.getByText("co.uk is a public suffix").waitFor();
      await dialog.getByLabel("Domain name").fill("https://Kürz.acme.example/");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "kürz.acme.example" }).waitFor();
      await page.getByText("xn--krz-hoa.acme.example", { exact: true }).first().waitFor();
      await page.getByText("Not verified", { exact: true }).waitFor();

      const copied = (label: string): Promise<string> =>
        copiedBy(page, page.getByRole("button", { name: `Copy ${label}`, exact: true }), {
          startsWith: `Copy ${label}: copied`,
        });
      expect(await copied("type TXT")).toBe("TXT");
      const name = await copied("TXT name");
      expect(name).toBe("_kurz.xn--krz-hoa.acme.example");
      const value = await copied("TXT value");
      expect(value).toStartWith("kurz-verify=");
      expect(await copied("CNAME value")).toBe("localhost");

      await page.getByRole("button", { name: "Check now" }).click();
      await page.getByRole("status").getByText(`There is no TXT record at ${name}.`).waitFor();
      dns.set(name, "kurz-verify=another");
      await page.getByRole("button", { name: "Check now" }).click();
      await page.getByRole("status").getByText("has another value").waitFor();
      dns.set(name, value);
      await page.getByRole("button", { name: "Check now" }).click();
      await page.getByText("The record is there.").waitFor();
      await page.getByText("Verified", { exact: true }).waitFor();

      await page.getByRole("button", { name: "Make default" }).click();
      await page.getByText("Default", { exact: true }).waitFor();
      const id = page.url().split("/").at(-1) ?? "";
      expect(await me.do(getDomain, { params: { id } })).toMatchObject({ status: "verified", is_default: true });
      await page.getByRole("link", { name: "All domains" }).click();
      const row = page.getByRole("list", { name: "Domains" }).getByRole("listitem");
      await row.getByText("Verified", { exact: true }).waitFor();
      await row.getByText("Default", { exact: true }).waitFor();
    }),
  TIMEOUT_MS,
);

test(
  "the addresses for other visitors are saved, and a wrong one is refused at its field",
  () =>
    onStage("domains", async ({ page, me, go }) => {
      const { id } = await addDomain(me, "addresses.acme.example");
      await go(`domains/${id}`);
      await page.getByLabel("Start page").fill("ftp://acme.example");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await until("the field is marked invalid", () =>
        page.getByLabel("Start page").evaluate((input) => input.getAttribute("aria-invalid") === "true"),
      );
      await page.getByLabel("Start page").fill("acme.example/start");
      await page.getByLabel("Expired links").fill("https://acme.example/over");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByText("Addresses saved.").waitFor();
      expect(await me.do(getDomain, { params: { id } })).toMatchObject({
        root_redirect_url: "https://acme.example/start",
        not_found_redirect_url: null,
        expired_redirect_url: "https://acme.example/over",
      });
      await page.getByLabel("Expired links").fill("");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await until("it is cleared", async () => {
        const domain = await me.do(getDomain, { params: { id } });
        return domain.expired_redirect_url === null;
      });
      await page.getByRole("button", { name: "Remove domain" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Remove domain" }).click();
      await page.getByText("No domains yet").waitFor();
    }),
  TIMEOUT_MS,
);

test(
  "a saved address stays in its field while the domain is loaded again",
  () =>
    onStage("domains", async ({ page, me, go }) => {
      const { id } = await addDomain(me, "slow.acme.example");
      await go(`domains/${id}`);
      await page.getByRole("button", { name: "Remove domain" }).waitFor();
      const { promise: held, resolve: release } = Promise.withResolvers<void>();
      await intercept(page, `**/domains/${id}`, async (route) => {
        if (route.request().method() === "GET") await held;
        await route.continue();
      });
      const field = page.getByLabel("Expired links");
      await field.fill("https://acme.example/over");
      // React keeps the attribute equal to what the field shows.
      await page.evaluate(`
        window.shown = [];
        const field = document.querySelector("input[value='https://acme.example/over']");
        const watcher = new MutationObserver(() => window.shown.push(field.value));
        watcher.observe(field, { attributeFilter: ["value"] });`);
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByText("Addresses saved.").waitFor();
      expect(await field.inputValue()).toBe("https://acme.example/over");
      await until("it is no longer a change", () =>
        page.getByRole("button", { name: "Save", exact: true }).isDisabled(),
      );
      // Not even for a moment what was stored before.
      expect(await page.evaluate<unknown>("window.shown")).toEqual([]);
      release();
      await page.unrouteAll({ behavior: "wait" });
    }),
  TIMEOUT_MS,
);

test(
  "an address that the operator blocks says so at its field until another one is typed",
  () =>
    onStage("domains", async ({ page, me, go }) => {
      const { id } = await addDomain(me, "blocked.acme.example");
      const body = { root_redirect_url: "https://listed.example/", not_found_redirect_url: "https://acme.example/" };
      await me.do(updateDomain, { params: { id }, body });
      writeFileSync(blocklist, "spam listed.example\n");
      await until("it is blocked", async () => {
        const { blocked_urls } = await me.do(getDomain, { params: { id } });
        return blocked_urls.length === 1;
      });
      await go(`domains/${id}`);
      const blocked = page.getByText("The operator blocks this address (spam), so visitors get the standard page.");
      await blocked.waitFor();
      expect(await blocked.count()).toBe(1);
      const start = page.getByLabel("Start page");
      await eventually(async () => expect(await start.getAttribute("aria-invalid")).toBe("true"));
      await start.fill("https://acme.example/start");
      await blocked.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByText("Addresses saved.").waitFor();
      await until("it is saved", async () => {
        const { blocked_urls, root_redirect_url } = await me.do(getDomain, { params: { id } });
        return blocked_urls.length === 0 && root_redirect_url === "https://acme.example/start";
      });
    }),
  TIMEOUT_MS,
);

test(
  "the documents for apps are checked, saved and served, and removed again",
  () =>
    onStage("domains", async ({ page, me, go }) => {
      const { id } = await verified(me, "apps.acme.example");
      await go(`domains/${id}`);
      const form = page.getByRole("region", { name: "Apps" });
      const save = form.getByRole("button", { name: "Save app documents" });
      const [ios, android] = [form.getByLabel("iOS apps"), form.getByLabel("Android apps")];
      await ios.fill('{ "applinks": ');
      await save.click();
      await form.getByText("This isn’t valid JSON").waitFor();
      const association = { applinks: { details: [{ appIDs: ["TEAM.com.acme"], components: [{ "/": "*" }] }] } };
      await ios.fill(JSON.stringify(association));
      await android.fill('[{ "relation": [] }]');
      await save.click();
      await form.getByText(/^0\.(?:relation|target): /).waitFor();
      await android.fill("");
      await save.click();
      await page.getByText("App documents saved.").waitFor();
      const { app_links } = await me.do(getDomain, { params: { id } });
      expect(app_links).toEqual({ apple_app_site_association: association, assetlinks: null });
      const served = await fetch(`${site.url}/.well-known/apple-app-site-association`, {
        headers: { Host: "apps.acme.example" },
      });
      expect(await served.json()).toEqual(association);
      await eventually(async () => expect(await ios.inputValue()).toBe(JSON.stringify(association, null, 2)));
      await ios.fill("");
      await save.click();
      await until("it is removed", async () => {
        const domain = await me.do(getDomain, { params: { id } });
        return domain.app_links.apple_app_site_association === null;
      });
    }),
  TIMEOUT_MS,
);

test(
  "a link is created on the domain, which then can't be removed",
  () =>
    onStage("links", async ({ page, me, go }) => {
      const { id } = await verified(me, "shop.acme.example");
      await me.do(updateDomain, { params: { id }, body: { is_default: true } });
      await verified(me, "other.acme.example");
      await me.do(createLink, { body: { destination_url: "https://example.com/", domain: "localhost", slug: "sale" } });
      await go("links?new=1");
      const dialog = page.getByRole("dialog", { name: "Create link" });
      const domain = dialog.getByRole("combobox", { name: "Domain" });
      await eventually(async () => expect(await domain.inputValue()).toBe("shop.acme.example"));
      await dialog.getByLabel("Destination").fill("https://example.com/shop");
      await dialog.getByLabel("Slug").fill("sale");
      await dialog.getByText("This slug is available.").waitFor();
      await domain.selectOption(site.url.replace("http://", ""));
      await dialog.getByText("This slug is already taken.").waitFor();
      await domain.selectOption("shop.acme.example");
      await dialog.getByText("This slug is available.").waitFor();
      expect(await findAxeViolations(page)).toEqual([]);
      await dialog.getByRole("button", { name: "Create link" }).click();
      await page.getByRole("button", { name: /^Copy http:\/\/shop\.acme\.example:\d+\/sale$/ }).waitFor();

      await go(`domains/${id}`);
      await page.getByText("It has 1 link,").waitFor();
      await page.getByRole("button", { name: "Remove domain" }).click();
      const refusal = page.getByRole("dialog", { name: "shop.acme.example can’t be removed yet" });
      await refusal.getByText("It still has 1 link, archived and paused ones included. Delete it first").waitFor();
      expect(await refusal.getByRole("button", { name: "Remove domain" }).count()).toBe(0);
      await refusal.getByRole("button", { name: "Show link" }).click();
      await page.getByRole("button", { name: "Domain: shop.acme.example" }).waitFor();
      await shows(page, ["sale"]);
    }),
  TIMEOUT_MS,
);

test(
  "the form of a link says where its domain leads visitors before the start and after the end",
  () =>
    onStage("links", async ({ page, me, go }) => {
      const { id, name } = await verified(me, "leading.acme.example");
      const body = {
        expired_redirect_url: "https://acme.example/over",
        not_found_redirect_url: "https://acme.example/nothing",
      };
      await me.do(updateDomain, { params: { id }, body });
      const link = {
        destination_url: "https://example.com/",
        slug: "timed",
        starts_at: "2098-01-01T00:00:00Z",
        expires_at: "2099-01-01T00:00:00Z",
      };
      for (const domain of [name, "localhost"]) await me.do(createLink, { body: { ...link, domain } });
      const dialog = page.getByRole("dialog", { name: "Edit link" });
      await go(`links?domain=${name}`);
      await page.getByRole("link", { name: /^Edit .*timed:/ }).click();
      await dialog.getByText(/; visitors then go to acme\.example\/over\.$/).waitFor();
      await dialog.getByText(/; until then visitors go to acme\.example\/nothing\.$/).waitFor();
      await dialog.getByText("If empty, they go to acme.example/over.").waitFor();
      await go("links?domain=localhost");
      await page.getByRole("link", { name: /^Edit .*timed:/ }).click();
      await dialog.getByText("; visitors then see that it ended.").waitFor();
    }),
  TIMEOUT_MS,
);

test(
  "the list of links is filtered by domain, which the address says",
  () =>
    onStage("links", async ({ page, me, go }) => {
      const long = "a-slug-that-leaves-little-room-for-its-domain-on-a-phone";
      const create = (domain: string, slug: string) =>
        me.do(createLink, { body: { destination_url: "https://example.com/", domain, slug } });
      await create("localhost", "on-instance");
      await go("links");
      await shows(page, ["on-instance"]);
      expect(await page.getByRole("button", { name: /^Domain:/ }).count()).toBe(0);
      await verified(me, "filter.kürz.example");
      await create("filter.kürz.example", "on-own");
      await create("filter.kürz.example", long);
      await go("links");
      await shows(page, [long, "on-own", "on-instance"]);
      // Every short link shows its domain, as much of it as fits.
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        await eventually(async () => {
          const widths = await page
            .locator("[data-short-link] > span:first-child")
            .evaluateAll((spans) => spans.map((span) => span.clientWidth));
          expect(widths).toHaveLength(3);
          expect(Math.min(...widths)).toBeGreaterThan(50);
        });
      }
      await page.getByRole("button", { name: "Domain: All domains" }).click();
      await page.getByRole("menuitemradio", { name: "filter.kürz.example" }).click({ scroll: "none" });
      await shows(page, [long, "on-own"]);
      expect(new URL(page.url()).searchParams.get("domain")).toBe("filter.xn--krz-hoa.example");
      await page.reload();
      await shows(page, [long, "on-own"]);
      await page.getByRole("button", { name: "Domain: filter.kürz.example" }).waitFor();
      await go("links?domain=unknown.example");
      await page.getByText("No link matches").waitFor();
      await page.getByRole("button", { name: "Clear filters" }).click();
      await shows(page, [long, "on-own", "on-instance"]);
    }),
  TIMEOUT_MS,
);

test(
  "in German, what the server found is in German, too",
  async () => {
    const me = await site.newOwner();
    const { id, verification } = await addDomain(me, "deutsch.acme.example");
    const path = `/a/${me.account}/domains/${id}`;
    const { page, close } = await openConsolePage(browser, me, path, { locale: "de-DE" });
    const check = async (found: string) => {
      await page.getByRole("button", { name: "Jetzt prüfen" }).click();
      await page.getByText(found).waitFor();
    };
    await page.getByText("Nicht bestätigt", { exact: true }).waitFor();
    await check(`Unter ${verification.name} gibt es keinen TXT-Eintrag.`);
    dns.set(verification.name, "kurz-verify=another");
    await check(`Der TXT-Eintrag unter ${verification.name} hat einen anderen Wert.`);
    dns.set(verification.name, verification.value);
    await check("Der Eintrag ist da.");
    dns.set(verification.name);
    await verified(await site.newOwner(), "deutsch.acme.example");
    await page.reload();
    await page.getByRole("alert").getByText("Ein anderes Konto hat nachgewiesen, dass ihm deutsch.acme").waitFor();
    await close();
  },
  TIMEOUT_MS,
);

test(
  "a domain that another account took over is shown as lost, with what to do",
  () =>
    onStage("domains", async ({ page, me, go }) => {
      const mine = await verified(me, "lost.acme.example");
      dns.set(mine.verification.name);
      await verified(await site.newOwner(), "lost.acme.example");
      await go("domains");
      const row = page.getByRole("list", { name: "Domains" }).getByRole("listitem");
      await row.getByText("Lost", { exact: true }).waitFor();
      await row.getByRole("link", { name: "lost.acme.example" }).click();
      const alert = page.getByRole("alert");
      await alert.getByText("Another account proved that it owns lost.acme.example. Your short links").waitFor();
      await alert.getByText("add the TXT record again, remove any other one at _kurz.lost.acme.example").waitFor();
      expect(await page.getByRole("button", { name: "Make default" }).count()).toBe(0);
      await untilLoaded(page);
      const reason = page.getByText("proved that it owns");
      expect(await reason.count()).toBe(1);
      await expectAccessible(page);
      await page.getByRole("button", { name: "Check now" }).click();
      await page
        .getByRole("status")
        .getByText(`The TXT record at ${mine.verification.name} has another value.`)
        .waitFor();
      expect(await reason.count()).toBe(1);
      // It can be taken back in the same way.
      dns.set(mine.verification.name, mine.verification.value);
      await page.getByRole("button", { name: "Check now" }).click();
      await page.getByText("Verified", { exact: true }).waitFor();
    }),
  TIMEOUT_MS,
);

test(
  "a domain that the operator gave away says so, as the e-mail does",
  () =>
    onStage("domains", async ({ page, me, go }) => {
      const name = "given.acme.example";
      const { id } = await verified(me, name);
      const { account } = await site.newOwner();
      const args = ["domains", "add", "--account", account, "--name", name, "--verified", "--take-over"];
      expect(await site.server.kurz(args)).toMatchObject({ code: 0, stderr: "" });
      await go(`domains/${id}`);
      const alert = page.getByRole("alert");
      await alert.getByText(`The operator gave ${name} to another account. Your short links on it`).waitFor();
      await alert.getByText("If that is a mistake, ask the operator.").waitFor();
      expect(await alert.getByText("TXT record").count()).toBe(0);
    }),
  TIMEOUT_MS,
);

test(
  "a check of a domain that the operator vouched for shows what was found, without a warning",
  () =>
    onStage("domains", async ({ page, me, go }) => {
      const { id, verification } = await operatorOf(site.server).vouchFor(me.account, "vouched.acme.example");
      await go(`domains/${id}`);
      await page.getByText("this TXT record is optional").waitFor();
      await page.getByRole("status").getByText("Verified by the operator.").waitFor();
      await page.getByRole("button", { name: "Check now" }).click();
      const noRecord = page.getByText(`There is no TXT record at ${verification.name}.`);
      await noRecord.waitFor();
      // What is read later says the same.
      await page.reload();
      await noRecord.waitFor();
      await page.getByText("Verified by the operator.").waitFor();
      for (const text of ["The record is there.", "Record missing", "Your links keep working", "is missing."])
        expect(await page.getByText(text).count()).toBe(0);
      dns.set(verification.name, verification.value);
      await page.getByRole("button", { name: "Check now" }).click();
      await page.getByText("The record is there.").waitFor();
    }),
  TIMEOUT_MS,
);

test(
  "a record that has vanished is a warning on every page, until it is back",
  () =>
    onStage("links", async ({ page, me, go }) => {
      const domain = await verified(me, "vanishing.acme.example");
      dns.set(domain.verification.name);
      await me.do(verifyDomain, { params: { id: domain.id }, body: {} });
      await go("links");
      await page.getByText("The TXT record of vanishing.acme.example is missing.").waitFor();
      await page.getByRole("link", { name: "See what to do" }).click();
      await page.getByText("Record missing", { exact: true }).waitFor();
      await page.getByRole("link", { name: "vanishing.acme.example" }).click();
      await page.getByText("Your links keep working").waitFor();
      dns.set(domain.verification.name, domain.verification.value);
      await page.getByRole("button", { name: "Check now" }).click();
      await page.getByText("The record is there.").waitFor();
      await until("the warning is gone", async () => (await page.getByText("is missing.").count()) === 0);
    }),
  TIMEOUT_MS,
);

test(
  "members see the domains but can't change them",
  async () => {
    const { id } = await addDomain(site.owner, "seen.acme.example");
    const member = await site.newMember("member");
    await onStage(
      "domains",
      async ({ page, go }) => {
        await page.getByRole("link", { name: "seen.acme.example" }).waitFor();
        expect(await page.getByRole("main").getByRole("button").count()).toBe(0);
        await go(`domains/${id}`);
        await page.getByRole("heading", { name: "seen.acme.example" }).waitFor();
        for (const name of ["Check now", "Save", "Remove domain"]) {
          expect(await page.getByRole("button", { name }).count()).toBe(0);
        }
      },
      member,
    );
  },
  TIMEOUT_MS,
);

test(
  "the pages pass the accessibility checker in both themes, and fit every width",
  async () => {
    const me = await site.newOwner();
    const pending = await addDomain(me, "a-rather-long-name-for-a-host.marketing.kürz.example");
    const lively = await verified(me, "go.acme.example");
    const { page, policyViolations, close } = await openConsolePage(browser, me, `/a/${me.account}/domains`);
    const check = async (what: string) =>
      expect({ what, found: await findInBothThemes(page) }).toEqual({ what, found: [] });
    for (const path of ["domains", `domains/${pending.id}`, `domains/${lively.id}`]) {
      await page.goto(`${me.url}/console/a/${me.account}/${path}`);
      await page.getByText("Verified", { exact: true }).or(page.getByText("Not verified")).first().waitFor();
      await untilLoaded(page);
      await check(path);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      }
    }
    await page.getByRole("button", { name: "Remove domain" }).click();
    await page.getByRole("dialog").waitFor();
    await check("removal");
    await page.goto(`${me.url}/console/a/${me.account}/domains`);
    await page.getByRole("button", { name: "Add domain" }).click();
    await page.getByRole("dialog", { name: "Add domain" }).waitFor();
    await check("form");
    expect(policyViolations).toEqual([]);
    await close();
  },
  TIMEOUT_MS,
);

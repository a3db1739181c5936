import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Page, Route } from "playwright-core";
import { startSingleSignOn } from "#contract/console/single-sign-on.ts";
import { launchBrowser, openWatchedPage, type WatchedPage } from "#test/support/browser.ts";
import { OWNER_EMAIL, outcomeOf, PASSWORD } from "#test/support/console-client.ts";
import { type SsoConsole, startSsoConsole } from "#test/support/sso-console.ts";
import { until } from "#test/support/until.ts";

/** For two servers and a browser, on a busy machine. */
const START_MS_MAX = 600_000;

let site: SsoConsole;
let browser: Browser;
beforeAll(async () => {
  site = await startSsoConsole((account) => ({
    KURZ_OIDC_ACCOUNT: account,
    KURZ_OIDC_ROLES: "owner=owners,viewer=everyone",
    KURZ_OIDC_LOGOUT: "on",
  }));
  const known = { email_verified: true };
  await site.provider.know("grace", { ...known, email: "grace@acme.example", name: "Grace", groups: ["owners"] });
  await site.provider.know("vera", { ...known, email: "vera@acme.example", name: "Vera", groups: ["everyone"] });
  await site.provider.know("mallory", { ...known, email: "mallory@evil.example", groups: ["owners"] });
  browser = await launchBrowser();
}, START_MS_MAX);
afterAll(async () => {
  await browser.close();
  await site.stop();
}, START_MS_MAX);

/** A browser of its own, whose pages must cause no script error or policy violation. */
async function inBrowser(act: (page: Page) => Promise<void>): Promise<void> {
  const watched: WatchedPage = await openWatchedPage(browser);
  await act(watched.page).finally(() => watched.close());
  expect(watched.scriptErrors).toEqual([]);
  expect(watched.policyViolations).toEqual([]);
}

const openSignIn = (page: Page) => page.goto(`${site.url}/console/sign-in`);
const choose = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

/** On the provider's own page. */
async function signInThere(page: Page, login: string): Promise<void> {
  await page.waitForURL(`${site.provider.issuer}/**`);
  await page.getByPlaceholder("Enter any login").fill(login);
  await page.getByPlaceholder("and password").fill("anything");
  await page.getByRole("button", { name: "Sign-in" }).click();
}

async function comeIn(page: Page, login: string): Promise<void> {
  await openSignIn(page);
  await choose(page, "Sign in with Acme ID");
  await signInThere(page, login);
  await page.waitForURL(`${site.url}/console/a/${site.account}/**`);
}

test("someone signs in with the provider, has the role of their group, and signs out of both", () =>
  inBrowser(async (page) => {
    await comeIn(page, "vera");
    await page.goto(`${site.url}/console/a/${site.account}/settings/members`);
    const row = page.getByRole("listitem").filter({ hasText: "vera@acme.example" });
    await row.getByText("Viewer").waitFor();
    await page.goto(`${site.url}/console/a/${site.account}/personal`);
    await page.getByText("with single sign-on").waitFor();
    await page.getByText("You sign in with Acme ID and have no password.", { exact: false }).waitFor();

    await page.getByRole("button", { name: /^Account:/ }).click();
    const { promise: leaving, resolve: leave } = Promise.withResolvers<Route>();
    await page.route(({ pathname }) => pathname === "/session/end", leave);
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    const left = await leaving;
    // The browser may keep the page, so nothing of the account is on it any more.
    await until("the account is gone", () => page.url().startsWith(`${site.url}/console/sign-in`));
    await left.continue();
    await page.waitForURL(`${site.provider.issuer}/**`);
    await page.getByRole("button", { name: "Yes, sign me out" }).click();
    await page.waitForURL(`${site.url}/console/sign-in`);
    await choose(page, "Sign in with Acme ID");
    // It has forgotten them, too.
    await page.waitForURL(`${site.provider.issuer}/**`);
    await page.getByPlaceholder("Enter any login").waitFor();
  }));

test("someone of another domain is told why they can't come in", () =>
  inBrowser(async (page) => {
    await openSignIn(page);
    await choose(page, "Sign in with Acme ID");
    await signInThere(page, "mallory");
    await page.getByRole("heading", { name: "You’re not signed in" }).waitFor();
    await page.getByText("Your e-mail address at Acme ID isn't from a domain that may sign in here.").waitFor();
    await page.getByRole("link", { name: "Back to sign in" }).click();
    await page.waitForURL(`${site.url}/console/sign-in`);
  }));

test("an owner requires the provider, and a password no longer opens the account", () =>
  inBrowser(async (page) => {
    const settings = `${site.url}/console/a/${site.account}/settings`;
    await comeIn(page, "grace");
    await page.goto(settings);
    const require = async (): Promise<void> => {
      await choose(page, "Require single sign-on");
      await page.getByRole("dialog").getByRole("button", { name: "Require single sign-on" }).click();
    };
    await require();
    // The provider has to ask again, although it knows the browser.
    await choose(page, "Confirm with Acme ID");
    await signInThere(page, "grace");
    await page.waitForURL(settings);
    await require();
    await page.getByText("Members can open this account only after they signed in with Acme ID.").waitFor();

    await inBrowser(async (other) => {
      await openSignIn(other);
      await other.getByLabel("E-mail address").fill(OWNER_EMAIL);
      await other.getByLabel("Password").fill(PASSWORD);
      await choose(other, "Sign in");
      await other.getByText("This account requires single sign-on. Sign in with Acme ID to open it.").waitFor();
      await choose(other, "Sign in with Acme ID");
      await signInThere(other, "vera");
      await other.waitForURL(`${site.url}/console/a/${site.account}/links`);
      await other.getByRole("heading", { name: "Links", exact: true }).waitFor();
    });

    await choose(page, "Allow other ways");
    await page.getByRole("dialog").getByRole("button", { name: "Allow other ways" }).click();
    await page.getByText("Members can use Acme ID, a password or a passkey.").waitFor();
  }));

test("while the provider is away the page says so, in the reader's language, and a password works", async () => {
  await site.provider.stop();
  const start = () => site.guest().call(startSingleSignOn, { body: {} });
  await until("it is noticed", async () => outcomeOf(await start()) === "503 sso_unavailable");
  await inBrowser(async (page) => {
    await openSignIn(page);
    await choose(page, "Sign in with Acme ID");
    await page.getByText("Acme ID can't be reached at the moment. Try again shortly.").waitFor();
    await choose(page, "Deutsch");
    await choose(page, "Mit Acme ID anmelden");
    await page.getByText("Acme ID ist gerade nicht erreichbar.", { exact: false }).waitFor();
    await page.getByLabel("E-Mail-Adresse").fill(OWNER_EMAIL);
    await page.getByLabel("Passwort", { exact: true }).fill(PASSWORD);
    await choose(page, "Anmelden");
    await page.waitForURL(`${site.url}/console/a/${site.account}/**`);
  });
});

import { expect } from "bun:test";
import type { Page } from "playwright-core";
import type { WatchedPage } from "./browser.ts";
import { launchBrowserBeside } from "./browser-beside.ts";
import { type ConsoleClient, startConsole } from "./console-client.ts";
import { openConsolePage } from "./console-page.ts";

export type Person = ConsoleClient & { readonly email: string };

export interface ConsoleStage {
  readonly page: Page;
  readonly watched: WatchedPage;
  readonly me: Person;
  /** Opens another page of the account. */
  go(path: string): Promise<void>;
}

/** A server and a browser for the tests of a file. */
export async function openConsoleStage(env: Readonly<Record<string, string>> = {}) {
  const site = await startConsole(env);
  const browser = await launchBrowserBeside(site);

  /** Someone in their account, on a page that must cause no script error or policy violation. */
  async function onStage(path: string, act: (stage: ConsoleStage) => Promise<void>, client?: Person): Promise<void> {
    const me = client ?? (await site.newOwner());
    const watched = await openConsolePage(browser, me, `/a/${me.account}/${path}`, {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const { page } = watched;
    const go = async (to: string) => {
      await page.goto(`${me.url}/console/a/${me.account}/${to}`);
    };
    await act({ page, watched, me, go }).finally(() => watched.close());
    expect(watched.scriptErrors).toEqual([]);
    expect(watched.policyViolations).toEqual([]);
  }

  return { site, browser, onStage };
}

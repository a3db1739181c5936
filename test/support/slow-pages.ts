import type { BrowserContext, CDPSession, Page } from "playwright-core";

/** Whether pages are slow, which finds tests that need luck. */
export const SLOW_PAGES = process.env.KURZ_TEST_SLOW_PAGES === "1";

const LATENCY_MS = 400;
const CPU_SLOWER_BY = 4;
const UNLIMITED = -1;

/** Every page of the context, from its start or, if another page opens it, soon after. */
export function slowDown(context: BrowserContext): void {
  const sessions = new Map<Page, Promise<CDPSession | null>>();
  let isOffline = false;
  const setNetwork = (session: CDPSession) =>
    session.send("Network.emulateNetworkConditions", {
      offline: isOffline,
      latency: LATENCY_MS,
      downloadThroughput: UNLIMITED,
      uploadThroughput: UNLIMITED,
    });
  const begin = async (page: Page): Promise<CDPSession> => {
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    await setNetwork(session);
    await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWER_BY });
    return session;
  };
  context.on("page", (page) => {
    page.on("close", () => sessions.delete(page));
    const begun = begin(page).catch((error: unknown) => {
      // Some pages are closed sooner than that.
      if (page.isClosed()) return null;
      throw error;
    });
    sessions.set(page, begun);
  });
  const newPage = context.newPage.bind(context);
  context.newPage = async () => {
    const page = await newPage();
    await sessions.get(page);
    return page;
  };
  // Playwright's own session wouldn't be heard: these say that the pages are online.
  context.setOffline = async (offline) => {
    isOffline = offline;
    for (const begun of [...sessions.values()]) {
      const session = await begun;
      if (session) await setNetwork(session);
    }
  };
}

import type { Page } from "playwright-core";

/** Whether pages are slow, which finds tests that need luck. */
export const SLOW_PAGES = process.env.KURZ_TEST_SLOW_PAGES === "1";

const LATENCY_MS = 400;
const CPU_SLOWER_BY = 4;
const UNLIMITED = -1;

export async function slowDown(page: Page): Promise<void> {
  const context = page.context();
  const session = await context.newCDPSession(page);
  const setNetwork = (offline: boolean) =>
    session.send("Network.emulateNetworkConditions", {
      offline,
      latency: LATENCY_MS,
      downloadThroughput: UNLIMITED,
      uploadThroughput: UNLIMITED,
    });
  await session.send("Network.enable");
  await setNetwork(false);
  await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWER_BY });
  // Playwright's own session wouldn't be heard: this one says that the page is online.
  context.setOffline = async (offline) => void (await setNetwork(offline));
}

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { launchWholeBrowser } from "#test/support/browser.ts";
import { startConsole } from "#test/support/console-client.ts";
import { openConsolePage } from "#test/support/console-page.ts";
import { startDnsServer } from "#test/support/dns-server.ts";
import { ensurePrograms } from "./prerequisites.ts";
import { takePictures } from "./screenshots/pictures.ts";

// Screenshots of the console, for the README and for design changes: every area, both themes, two widths; and of its
// parts, for the docs. `npm run screenshots -- parts` only takes the latter.
const directory = join(import.meta.dir, "..", "docs", "screenshots");
const areas = ["links", "reports", "developer", "settings"] as const;
const screens = [
  { name: "desktop", viewport: { width: 1280, height: 860 }, isMobile: false },
  // Phones show no scroll bars.
  { name: "phone", viewport: { width: 390, height: 844 }, isMobile: true },
] as const;
const themes = ["light", "dark"] as const;
/** Charts and lists have rendered by then. */
const SETTLED_MS = 2500;

await ensurePrograms(["chromium"]);
mkdirSync(directory, { recursive: true });
const dns = await startDnsServer();
const console = await startConsole({ KURZ_SHORT_DOMAIN: "go.example.com", KURZ_DNS_SERVERS: dns.address });
const { server, owner, stop } = console;
const browser = await launchWholeBrowser();
try {
  if (process.argv[2] !== "parts") await takeAreas();
  await takePictures({ browser, console, dns, directory });
} finally {
  await browser.close();
  await stop();
  dns.stop();
}

async function takeAreas(): Promise<void> {
  const size = ["--links", "80", "--clicks", "60000"];
  const generated = await server.kurz(["clicks", "generate", "--account", owner.account, ...size]);
  if (generated.code !== 0) throw new Error(generated.stderr);
  for (const { name, ...screen } of screens) {
    for (const theme of themes) {
      for (const area of areas) {
        const path = `/a/${owner.account}/${area}`;
        const { page, close } = await openConsolePage(browser, owner, path, { ...screen, colorScheme: theme });
        await page.waitForTimeout(SETTLED_MS);
        await page.screenshot({ path: join(directory, `${area}-${name}-${theme}.png`) });
        await close();
        process.stderr.write(`${area}, ${name}, ${theme}\n`);
      }
    }
  }
}

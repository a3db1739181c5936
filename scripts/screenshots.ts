import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { launchWholeBrowser } from "#test/support/browser.ts";
import { startConsole } from "#test/support/console-client.ts";
import { startDnsServer } from "#test/support/dns-server.ts";
import { ensurePrograms } from "./prerequisites.ts";
import { takeAreas } from "./screenshots/areas.ts";
import { takePictures } from "./screenshots/pictures.ts";

// Screenshots of the console: every area, for the README, and its parts, for the docs. `npm run screenshots -- parts`
// only takes the latter, and names of areas only those.
const directory = join(import.meta.dir, "..", "docs", "screenshots");

await ensurePrograms(["chromium"]);
mkdirSync(directory, { recursive: true });
const dns = await startDnsServer();
const console = await startConsole({ KURZ_SHORT_DOMAIN: "go.example.com", KURZ_DNS_SERVERS: dns.address });
const browser = await launchWholeBrowser();
try {
  const only = process.argv.slice(2);
  if (!only.includes("parts")) await takeAreas({ browser, directory, only });
  if (only.length === 0 || only.includes("parts")) await takePictures({ browser, console, dns, directory });
} finally {
  await browser.close();
  await console.stop();
  dns.stop();
}

import { afterAll, expect, test } from "bun:test";
import { killAndReplace } from "#test/support/killed-process.ts";
import { startKurzWithApi } from "#test/support/link-api.ts";
import { askOnce } from "#test/support/raw-connection.ts";
import { until } from "#test/support/until.ts";

const ROUNDS = Number(process.env.RUNS ?? 4);
const TIMEOUT_MS = 600_000 + ROUNDS * 60_000;
const VISITS = 1000;
const MAX_CLICKS = 10;
const REDIRECTS_BEFORE_KILL = 3;
const BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";
const PREVIEW = "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)";

const { kurz, api } = await startKurzWithApi({
  env: { KURZ_REDIRECT_PROCESSES: "3", KURZ_RATE_LIMIT_PER_MINUTE: "0" },
});
afterAll(async () => {
  await kurz.stop();
});

/** The status, or what went wrong with the connection. */
const visit = (slug: string, userAgent = BROWSER): Promise<string> =>
  askOnce(kurz.port, { target: `/${slug}`, headers: [["User-Agent", userAgent]] }).then(
    ({ status }) => String(status),
    () => "cut off",
  );

test(
  "a limit of clicks holds for a crowd, whatever is killed meanwhile, and previews use nothing up",
  async () => {
    const results: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id, slug } = await api.create({ max_clicks: MAX_CLICKS });
      const statuses: string[] = [];
      const redirects = (): number => statuses.filter((status) => status === "302").length;
      const crowd = Array.from({ length: VISITS }, async (_, each) => {
        // Every tenth is the preview of a chat.
        if (each % 10 === 0) expect(["200", "410", "503", "cut off"]).toContain(await visit(slug, PREVIEW));
        else statuses.push(await visit(slug));
      });
      const killed = round % 2 === 0 ? "redirect" : "control";
      await until("some are redirected", () => redirects() >= REDIRECTS_BEFORE_KILL);
      const replaced = killAndReplace(kurz, killed);
      await Promise.all([...crowd, replaced]);
      // Whatever is left of it is still there.
      await until("the limit is reached", async () => {
        statuses.push(await visit(slug));
        return statuses.at(-1) === "410";
      });
      const led = redirects();
      // A click is written before its visitor is redirected, so there may be one whose answer was cut off.
      await until("every redirect is a counted click", async () => (await api.get(id)).click_count >= led);
      const link = await api.get(id);
      results.push(`${killed}: ${led} redirects, ${link.click_count} clicks`);
      expect(led).toBeLessThanOrEqual(MAX_CLICKS);
      expect(link.click_count).toBeLessThanOrEqual(MAX_CLICKS);
      expect(link.exhausted).toBe(true);
      expect(new Set(statuses).difference(new Set(["302", "410", "503", "cut off"]))).toEqual(new Set());
    }
    process.stderr.write(`${results.join("\n")}\n`);
  },
  TIMEOUT_MS,
);

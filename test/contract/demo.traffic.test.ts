import { afterAll, beforeAll, expect, test } from "bun:test";
import { AnalyticsReport } from "#contract/analytics.ts";
import { DEMO_START_MS_MAX, type Demo, startDemo } from "#test/support/demo.ts";
import { until } from "#test/support/until.ts";

let demo: Demo;
const startedAt = new Date().toISOString();
beforeAll(async () => {
  demo = await startDemo({ KURZ_DEMO_VISITS_PER_HOUR: "36000" });
}, DEMO_START_MS_MAX);
afterAll(() => demo.stop());

const reportSinceStart = async (of = demo): Promise<AnalyticsReport> => {
  const query = `from=${encodeURIComponent(startedAt)}&group_by=country&group_by=referrer&limit=100`;
  const answer = await of.api(`/api/v1/analytics?${query}`);
  return AnalyticsReport.parse(await answer.json());
};

test("fictional people from several countries keep visiting, also after a reset", async () => {
  for (const time of ["before", "after"]) {
    if (time === "after") await demo.reset();
    await until(`there are visits ${time} a reset`, async () => {
      const { totals, breakdowns } = await reportSinceStart();
      return totals.clicks > 20 && (breakdowns.country?.items.length ?? 0) > 3;
    });
    const { totals, breakdowns } = await reportSinceStart();
    expect(totals.bot_hits).toBeLessThan(totals.clicks ?? 0);
    expect(breakdowns.referrer?.items.map(({ key }) => key)).toContain("search.example");
  }
}, 600_000);

test("their countries are known, too, where the operator's proxy names those of visitors", async () => {
  const other = await startDemo({ KURZ_DEMO_VISITS_PER_HOUR: "36000", KURZ_GEO_COUNTRY_HEADER: "CF-IPCountry" });
  try {
    await until("there are visits from several countries", async () => {
      const { breakdowns } = await reportSinceStart(other);
      return (breakdowns.country?.items.filter(({ key }) => key !== null).length ?? 0) > 3;
    });
  } finally {
    await other.stop();
  }
}, 600_000);

test("nobody else can choose a country", async () => {
  const [link] = await demo.links("sort=-click_count");
  await fetch(`${demo.url}/${link?.slug}`, {
    headers: {
      "x-kurz-demo-country": "AQ",
      referer: "https://mine.example/",
      "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0",
    },
  });
  const keysOf = async (group: "country" | "referrer"): Promise<readonly (string | null)[]> =>
    (await reportSinceStart()).breakdowns[group]?.items.map(({ key }) => key) ?? [];
  await until("the visit is counted", async () => (await keysOf("referrer")).includes("mine.example"));
  expect(await keysOf("country")).not.toContain("AQ");
});

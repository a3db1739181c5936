import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Kurz } from "#sdk/client.ts";
import type { LinkCreate } from "#sdk/generated.ts";
import { interleave } from "../interleave.ts";
import { atMost, micros, type Row } from "../report.ts";
import type { Stage } from "../stage.ts";
import { median, medianRatio } from "../statistics.ts";
import { runWrk } from "../wrk.ts";
import type { Bench } from "./bench-definition.ts";

const RULES = 20;
const TIMES_MAX = 1.3;
const VISITORS = 50_000;
const SECONDS = 2;
const ROUNDS = { full: 9, quick: 4 };

export const rules: Bench = {
  name: "rules",
  about: "a redirect of a link with 20 rules compared to one of a plain link",
  run: compare,
};

/** Every condition at least twice, and none that holds for what the visitors send: all of them are asked each time. */
function twentyRules(): NonNullable<LinkCreate["rules"]> {
  const conditions = [
    { country: ["IS", "MT", "CY"] },
    { language: ["is", "mt"] },
    { os: ["Roku"] },
    { browser: ["Ladybird"], device: ["tablet"] },
    { referrer: ["elsewhere.example", "there.example"] },
    { source: ["qr"] },
    { query: { ref: "nobody" } },
    { time: { before: "2020-01-01T00:00:00Z" } },
    { time: { from: "09:00", to: "17:00", timezone: "Europe/Berlin" }, country: ["IS"] },
    { not: { referrer: ["example.com"] }, os: ["Tizen"] },
  ];
  return Array.from({ length: RULES }, (_, no) => ({
    when: conditions[no % conditions.length] ?? {},
    destination_url: `https://example.com/${no}`,
  }));
}

async function compare(stage: Stage): Promise<Row[]> {
  const { server, smallToken, redirect } = await stage.small();
  const { links } = new Kurz({ baseUrl: server.url, token: smallToken });
  const destination_url = "https://example.com/landing?from=short";
  const plain = await links.create({ destination_url });
  const ruled = await links.create({ destination_url, rules: twentyRules() });
  const directory = mkdtempSync(join(tmpdir(), "kurz-bench-rules-"));
  try {
    const visit = (slug: string) => {
      const pathFile = join(directory, slug);
      writeFileSync(pathFile, `/${slug}\n`);
      return () => runWrk({ url: server.url, pathFile, lines: 1, visitors: VISITORS, seconds: SECONDS }, [redirect]);
    };
    const bursts = await interleave(ROUNDS[stage.isQuick ? "quick" : "full"], {
      ruled: visit(ruled.slug),
      plain: visit(plain.slug),
    });
    const [ours, baseline] = [bursts.ruled, bursts.plain].map((all) => all.map(({ cpu }) => cpu[0] ?? Number.NaN));
    const row = {
      name: "CPU per redirect with 20 rules, redirect process",
      ours: micros(median(ours ?? [])),
      baseline: micros(median(baseline ?? [])),
      ratio: medianRatio(ours ?? [], baseline ?? []),
    };
    return [atMost(row, TIMES_MAX)];
  } finally {
    rmSync(directory, { recursive: true });
    await Promise.all([plain, ruled].map(({ id }) => links.delete(id)));
  }
}

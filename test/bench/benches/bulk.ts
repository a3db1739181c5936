import { interleave } from "../interleave.ts";
import { type LoadReport, runLoad } from "../load.ts";
import { atMost, micros, millis, type Row } from "../report.ts";
import type { Subject } from "../stage.ts";
import { median, medianRatio } from "../statistics.ts";
import type { Bench } from "./bench-definition.ts";

const SECONDS = 2;
const WARM_UP_SECONDS = 4;
const LINKS_AT_ONCE = 1000;
const TIMES_MAX = 0.4;

export const bulk: Bench = {
  name: "bulk",
  about: "1,000 links in one `POST /links/bulk` compared to a `POST /links` for each, on both record engines",
  async run(stage) {
    const [embedded, onServers] = [await stage.small(), await stage.smallOnServers()];
    if (!stage.isQuick) {
      for (const subject of [embedded, onServers]) {
        for (const run of [createSingly, createAtOnce]) await run(subject, WARM_UP_SECONDS);
      }
    }
    const rows: Row[] = [];
    for (const [name, subject] of [
      ["SQLite", embedded],
      ["PostgreSQL", onServers],
    ] as const) {
      const { single, atOnce } = await interleave(stage.rounds, {
        single: () => createSingly(subject),
        atOnce: () => createAtOnce(subject),
      });
      const compared = {
        name: `CPU of Kurz per link, 1,000 at once beside one by one, ${name}`,
        ours: micros(median(atOnce.map(({ cpu }) => cpu))),
        baseline: micros(median(single.map(({ cpu }) => cpu))),
        ratio: medianRatio(
          atOnce.map(({ cpu }) => cpu),
          single.map(({ cpu }) => cpu),
        ),
      };
      rows.push(atMost(compared, TIMES_MAX), {
        name: `p50 of a request with 1,000 links, ${name}`,
        ours: millis(median(atOnce.map(({ p50 }) => p50))),
      });
    }
    return rows;
  },
};

interface Created {
  /** Per link, in microseconds. */
  readonly cpu: number;
  readonly p50: number;
}

const createSingly = (subject: Subject, seconds = SECONDS): Promise<Created> =>
  measure(subject, seconds, { targets: ["/api/v1/links"] }, 1);

const createAtOnce = (subject: Subject, seconds = SECONDS): Promise<Created> =>
  measure(subject, seconds, { targets: ["/api/v1/links/bulk"], linksAtOnce: LINKS_AT_ONCE }, LINKS_AT_ONCE);

async function measure(
  { server, bigToken, all }: Subject,
  seconds: number,
  stream: { readonly targets: readonly string[]; readonly linksAtOnce?: number },
  links: number,
): Promise<Created> {
  const spec = { url: server.url, token: bigToken, seconds };
  const streams = [{ name: "create", inFlight: 1, method: "POST" as const, ...stream }];
  const { cpu, streams: reports }: LoadReport = await runLoad({ ...spec, streams }, [all]);
  return { cpu: (cpu[0] ?? Number.NaN) / links, p50: reports[0]?.p50 ?? Number.NaN };
}

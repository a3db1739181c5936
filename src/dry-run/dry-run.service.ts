import type { FieldError } from "#contract/errors.ts";
import type { LinkVisit, ObstacleCode, Resolution } from "#contract/resolve.ts";
import { bodyProblem, validationFailed } from "#kernel/api-error.ts";
import type { Caller } from "#kernel/caller.ts";
import type { Clock } from "#kernel/clock.ts";
import type { LinkService } from "#links/links.service.ts";
import { findWordProblem } from "#links/visitor-words.ts";
import { locationOf, withVisitorQuery } from "#shared/location.ts";
import { compileRules } from "#visits/decide.ts";
import { explain } from "#visits/explain.ts";
import { factsOf } from "./facts-of.ts";
import { obstaclesOf } from "./obstacles.ts";

interface Deps {
  readonly links: Pick<LinkService, "draft">;
  readonly clock: Clock;
  /** Where links and console live: pages of theirs are no referrers. */
  readonly ownHosts: readonly string[];
}

const statusOf = {
  blocked: 410,
  archived: 410,
  expired: 410,
  exhausted: 410,
  paused: 404,
  scheduled: 404,
  password: 200,
  preview: 200,
} as const satisfies Record<ObstacleCode, number>;

/** Visits that only take place on paper: the redirect's own decision, without a click. */
export function dryRunService({ links, clock, ownHosts }: Deps) {
  const own = new Set(ownHosts.map((host) => host.toLowerCase()));
  return {
    async resolve(caller: Caller, id: string, visit: LinkVisit): Promise<Resolution> {
      assertWords(visit);
      const { rules, destination_url } = visit;
      const draft = await links.draft(caller, id, {
        ...(rules !== undefined && { rules }),
        ...(destination_url !== undefined && { destination_url }),
      });
      const { row, slug } = draft;
      const atMs = visit.at === undefined ? clock() : Date.parse(visit.at);
      const facts = factsOf(visit, slug, own);
      const toLocation = (url: string): string => locationOf(url, row.utm);
      const extend = (location: string): string =>
        row.settings?.forward_query === false ? location : withVisitorQuery(location, visit.query ?? "");
      const compiled = compileRules(row.settings?.rules ?? [], toLocation);
      const { findings, ways } = explain(compiled, facts, atMs);
      const likeliest = ways.reduce<(typeof ways)[number] | null>(
        (best, way) => (best === null || way.chance > best.chance ? way : best),
        null,
      );
      const destination = extend(likeliest?.target ?? toLocation(row.destination_url));
      const obstacles = obstaclesOf(draft, atMs);
      const [obstacle] = obstacles;
      return {
        status: obstacle ? statusOf[obstacle.code] : (row.settings?.redirect_status ?? 302),
        location: obstacle ? null : destination,
        obstacles: [...obstacles],
        destination_url: destination,
        rule: findings.find(({ decides }) => decides)?.name ?? null,
        way: likeliest?.way == null ? null : { name: likeliest.way, chance: likeliest.chance },
        ways: ways.flatMap(({ way, chance, target }) =>
          way === null ? [] : [{ name: way, chance, destination_url: extend(target) }],
        ),
        rules: findings.map(({ name, decides, failed }) => ({ name, decides, failed: [...failed] })),
      };
    },
  };
}
export type DryRunService = ReturnType<typeof dryRunService>;

function assertWords(visit: LinkVisit): void {
  const problems: FieldError[] = [];
  for (const name of ["country", "os", "browser"] as const) {
    const word = visit[name];
    const problem = word === undefined ? null : findWordProblem(name, word);
    if (problem !== null) problems.push(bodyProblem(name, "not_in_enum", problem));
  }
  if (problems.length > 0) throw validationFailed(problems);
}

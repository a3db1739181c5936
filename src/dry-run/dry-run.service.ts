import type { NewLinkVisit } from "#contract/console/links.ts";
import type { FieldError } from "#contract/errors.ts";
import type { LinkVisit, ObstacleCode, Resolution } from "#contract/resolve.ts";
import type { DomainRedirects } from "#domains/answering-host.ts";
import { bodyProblem, validationFailed } from "#kernel/api-error.ts";
import type { Caller } from "#kernel/caller.ts";
import type { Clock } from "#kernel/clock.ts";
import type { LinkDraft } from "#links/link-draft.ts";
import type { LinkService } from "#links/links.service.ts";
import { findWordProblem } from "#links/visitor-words.ts";
import { locationOf } from "#shared/location.ts";
import { explain, type PossibleWay } from "#visits/explain.ts";
import { extendLocation, planOf, temporaryStatus } from "#visits/link-plan.ts";
import { factsOf } from "./facts-of.ts";
import { isBelowSlug, obstaclesOf } from "./obstacles.ts";

interface Deps {
  readonly links: Pick<LinkService, "draft" | "draftNew">;
  readonly clock: Clock;
  /** Where links and console live: pages of theirs are no referrers. */
  readonly ownHosts: readonly string[];
  readonly notFoundRedirect: string | null;
}

/** Visits that only take place on paper: the redirect's own decision, without a click. */
export function dryRunService({ links, clock, ownHosts, notFoundRedirect }: Deps) {
  const own = new Set(ownHosts.map((host) => host.toLowerCase()));
  const answer = (draft: LinkDraft, visit: LinkVisit): Resolution => {
    const { redirects } = draft.host;
    const ofInstance = isBelowSlug(visit.path) ? null : notFoundRedirect;
    return resolveDraft(draft, visit, {
      atMs: visit.at === undefined ? clock() : Date.parse(visit.at),
      own,
      domain: {
        not_found_redirect_url: redirects?.not_found_redirect_url ?? ofInstance,
        expired_redirect_url: redirects?.expired_redirect_url ?? null,
      },
    });
  };
  return {
    async resolve(caller: Caller, id: string, visit: LinkVisit): Promise<Resolution> {
      assertWords(visit);
      const { rules, destination_url } = visit;
      const draft = await links.draft(caller, id, {
        ...(rules !== undefined && { rules }),
        ...(destination_url !== undefined && { destination_url }),
      });
      return answer(draft, visit);
    },

    /** Before the link is created. */
    async resolveNew(caller: Caller, visit: NewLinkVisit): Promise<Resolution> {
      assertWords(visit);
      const { destination_url, domain, utm, forward_query, forward_path, rules } = visit;
      const body = { destination_url, domain, utm, forward_query, forward_path, rules };
      return answer(await links.draftNew(caller, body), visit);
    },
  };
}
export type DryRunService = ReturnType<typeof dryRunService>;

interface Circumstances {
  readonly atMs: number;
  readonly own: ReadonlySet<string>;
  readonly domain: DomainRedirects;
}

export function resolveDraft(draft: LinkDraft, visit: LinkVisit, { atMs, own, domain }: Circumstances): Resolution {
  const { row, slug } = draft;
  const toLocation = (url: string): string => locationOf(url, row.utm);
  const plan = planOf(row.settings ?? {}, toLocation);
  const { name } = draft.host;
  const facts = factsOf(visit, slug, name === null ? own : new Set([...own, name]));
  const extend = (location: string): string => extendLocation(location, facts.url, plan);
  const { findings, ways } = explain(plan.rules, facts, atMs);
  const likeliest = likeliestOf(ways);
  const destination = extend(likeliest?.target ?? toLocation(row.destination_url));
  const obstacles = obstaclesOf(draft, visit, atMs);
  const [obstacle] = obstacles;
  const status = row.guarded || plan.maxClicks !== null ? temporaryStatus(plan.status) : plan.status;
  return {
    ...(obstacle ? answerTo(obstacle.code, plan.expiredUrl, domain) : { status, location: destination }),
    obstacles: [...obstacles],
    destination_url: destination,
    rule: findings.find(({ decides }) => decides)?.name ?? null,
    way: likeliest?.way == null ? null : { name: likeliest.way, chance: likeliest.chance },
    ways: ways.flatMap(({ way, chance, target }) =>
      way === null ? [] : [{ name: way, chance, destination_url: extend(target) }],
    ),
    rules: findings.map(({ name, decides, failed }) => ({ name, decides, failed: [...failed] })),
  };
}

/** The first of those with the greatest chance. */
const likeliestOf = <T>(ways: readonly PossibleWay<T>[]): PossibleWay<T> | undefined =>
  ways.toSorted((a, b) => b.chance - a.chance)[0];

function answerTo(
  code: ObstacleCode,
  expiredUrl: string | null,
  domain: DomainRedirects,
): Pick<Resolution, "status" | "location"> {
  const instead = (location: string | null, otherwise: number) =>
    location === null ? { status: otherwise, location } : { status: 302, location };
  switch (code) {
    case "blocked":
    case "archived":
      return { status: 410, location: null };
    case "expired":
    case "exhausted":
      return instead(expiredUrl ?? domain.expired_redirect_url, 410);
    case "domain":
    case "path":
    case "paused":
    case "scheduled":
      return instead(domain.not_found_redirect_url, 404);
    case "card":
    case "password":
    case "bot":
      return { status: 200, location: null };
  }
}

function assertWords(visit: LinkVisit): void {
  const problems: FieldError[] = [];
  for (const name of ["country", "os", "browser"] as const) {
    const word = visit[name];
    const problem = word === undefined ? null : findWordProblem(name, word);
    if (problem !== null) problems.push(bodyProblem(name, "not_in_enum", problem));
  }
  if (problems.length > 0) throw validationFailed(problems);
}

import { accountExport } from "#account-export/account-export.service.ts";
import { accountService } from "#accounts/accounts.service.ts";
import { analyticsService } from "#analytics/analytics.service.ts";
import { clickListService } from "#analytics/click-list.service.ts";
import { linkDaysService } from "#analytics/link-days.service.ts";
import { countImports } from "#clicks/imported/count-imports.ts";
import type { DataPaths } from "#config/data-paths.ts";
import { enginePlaces } from "#config/engine-places.ts";
import type { Config } from "#config/settings.ts";
import { domainBlocking } from "#domains/domain-blocking.ts";
import { domainService } from "#domains/domains.service.ts";
import { hostFacts } from "#domains/host-facts.ts";
import { operatorDomains } from "#domains/operator-domains.ts";
import { dryRunService } from "#dry-run/dry-run.service.ts";
import { announceChanges } from "#engines/coordination/other-nodes.ts";
import { noSignals } from "#engines/coordination/signals.ts";
import { openClicks, openCoordination, openRecords, readInstallation } from "#engines/open-engines.ts";
import { guardedClient } from "#engines/outbound/guarded-client.ts";
import { silentClient } from "#engines/outbound/silent-client.ts";
import { txtLookup } from "#engines/outbound/txt-lookup.ts";
import { isShared } from "#engines/places.ts";
import { importService } from "#imports/imports.service.ts";
import { operatorImports } from "#imports/operator-imports.ts";
import { importSources } from "#imports/sources/all.ts";
import { type Clock, systemClock } from "#kernel/clock.ts";
import { type BlocklistFile, followBlocklistFile } from "#links/blocklist-file.ts";
import { checkDestination } from "#links/destination.ts";
import { linkBlocking } from "#links/link-blocking.service.ts";
import { cursorCodec } from "#links/link-cursor.ts";
import type { LinkDeps } from "#links/link-deps.ts";
import { linkGuards } from "#links/link-guards.service.ts";
import { linkService } from "#links/links.service.ts";
import { operatorLinks } from "#links/operator-links.ts";
import { tagService } from "#links/tags.service.ts";
import { utmTemplateService } from "#links/utm-templates.service.ts";
import { openOutbox } from "#outbox/outbox.service.ts";
import { pageService, TITLES_WINDOW_MS } from "#pages/pages.service.ts";
import { loadPlans } from "#plans/plan-catalogue.ts";
import { accountLogos } from "#qr/account-logos.ts";
import { openImageRenderer } from "#qr/image-renderer.ts";
import { qrService } from "#qr/qr.service.ts";
import { qrDesigns } from "#qr/qr-design.service.ts";
import { hostNameOf } from "#shared/host-name.ts";
import { shareVisits } from "#shares/share-visits.service.ts";
import { shareService } from "#shares/shares.service.ts";
import { resetLinkService } from "#sign-in/reset-links.ts";
import { userService } from "#sign-in/users.service.ts";
import { tokenService } from "#tokens/tokens.service.ts";
import { webhookServices } from "#webhooks/webhooks.service.ts";
import { logEvent } from "./log.ts";
import { readNodeName } from "./node-name.ts";
import { logProblem } from "./problem-log.ts";
import { readSecretKey } from "./secret-key.ts";

interface Options {
  readonly config: Config;
  readonly paths: DataPaths;
  /** For diagnoses: clicks of an earlier release aren't migrated. */
  readonly clicksAsIs?: boolean;
  /** Runs after each commit, before its writer is answered. */
  readonly afterCommit?: () => Promise<void>;
}

/** Every use case over the configured engines; control holds one, and so does a command that runs without a server. */
export async function openServices({ config, paths, clicksAsIs = false, afterCommit }: Options) {
  const clock = systemClock;
  const plans = loadPlans(config.plansFile, config.defaultPlan);
  const secretKey = readSecretKey(config.secretKey, paths.secretKey);
  const outbox = openOutbox();
  const places = enginePlaces(config);
  let signals = noSignals;
  const records = await openRecords(places.records, {
    async afterCommit() {
      if (isShared(places.records)) announceChanges(signals);
      await afterCommit?.();
    },
    onIndexError: (error) => logProblem("new links could not join the text index", error),
    onActionError: (error) => logProblem("what follows a change failed", error),
    onChange: (isUp, problem) =>
      isUp
        ? logEvent("info", "the server at DATABASE_URL is back")
        : logEvent("warn", "the server at DATABASE_URL is away: only links that this node knows are redirected", {
            error: problem,
          }),
  });
  const clicks = await openClicks(places.clicks, {
    installation: await readInstallation(places.records),
    asIs: clicksAsIs,
    node: readNodeName(config),
    onChange: (isUp, problem) =>
      isUp
        ? logEvent("info", "the server at CLICKHOUSE_URL is back")
        : logEvent(
            "warn",
            "the server at CLICKHOUSE_URL is away: clicks wait in the journal, and there are no reports",
            {
              error: problem,
            },
          ),
    onMigration: (state, version, clicks) =>
      logEvent(
        "info",
        `the migration of the clicks file ${state}${state === "ended" ? "" : "; only reports are unavailable meanwhile"}`,
        { version, clicks },
      ),
  });
  const coordination = await openCoordination(places.coordination, {
    secret: secretKey,
    onChange: (isUp, problem) =>
      isUp
        ? logEvent("info", "the server at REDIS_URL is back: limits are shared by all nodes again")
        : logEvent("warn", "the server at REDIS_URL is away: each node limits by itself", { error: problem }),
  });
  signals = coordination.signals;
  const origin = { scheme: new URL(config.baseUrl).protocol, domain: config.shortDomain };
  const ownHosts = [config.shortDomain, new URL(config.baseUrl).host];
  const blocking = linkBlocking({ records, clock, outbox, origin, ownHosts });
  const blockingOfDomains = domainBlocking({ records, clock });
  const renderer = openImageRenderer();
  const logos = accountLogos({ records, renderer, clock });
  const outbound = guardedClient({
    allowCidrs: config.webhookAllowCidrs,
    allowInsecure: config.webhookAllowInsecure,
  });
  // Pages may be plain http: nothing secret is sent.
  const pageClient = guardedClient({
    allowCidrs: config.allowPrivateDestinations ? config.webhookAllowCidrs : [],
    allowInsecure: true,
  });
  let blocklist: BlocklistFile | null = null;
  const blockReasonOf = (url: string) => blocklist?.reasonOf(url) ?? null;
  // Kurz answers on its own port, too, whatever the proxy in front of it uses.
  const answeringHosts = [...ownHosts, `${hostNameOf(config.shortDomain)}:${config.port}`];
  const destinations = {
    ownHosts: answeringHosts,
    shortenerHosts: new Set(config.shortenerHosts),
    allowPrivate: config.allowPrivateDestinations,
  };
  const accountsAt = (at: Clock) => accountService({ records, plans, clock: at });
  const linkDepsAt = (at: Clock): LinkDeps => ({
    records,
    clock: at,
    cursors: cursorCodec(secretKey),
    origin,
    outbox,
    destinations,
    secretKey,
    blockReasonOf,
    knowsBlocklist: () => blocklist !== null,
  });
  const linksAt = (at: Clock) => linkService(linkDepsAt(at));
  const links = linksAt(clock);
  const sharesAt = (at: Clock) => shareService({ records, clock: at, secretKey, baseUrl: config.baseUrl });
  const domains = domainService({
    records,
    clock,
    outbox,
    ownHosts: answeringHosts,
    urls: {
      check: (url) => checkDestination(url, destinations),
      blockReasonOf,
    },
    lookUpTxt: txtLookup(config.dnsServers),
  });
  const pages = pageService({
    client: config.pageLookups && !config.demo ? pageClient : null,
    links,
    isAllowed: (url) => checkDestination(url, destinations).ok && blockReasonOf(url) === null,
    windows: coordination.rateWindows("page titles", TITLES_WINDOW_MS),
    clock,
    secretKey,
    onProblem: logProblem,
  });
  const tags = tagService(linkDepsAt(clock));
  const utmTemplates = utmTemplateService({ records, clock });
  const webhooks = webhookServices({
    records,
    plans,
    clock,
    outbox,
    origin,
    client: config.demo ? silentClient(outbound) : outbound,
    secretKey,
    node: readNodeName(config),
  });
  const analytics = analyticsService({ records, clicks, clock, ownDomain: origin.domain });
  const imports = importService({
    records,
    clock,
    plans,
    links,
    counts: countImports({ records, clicks }),
    extras: { addColor: tags.addColor, addTemplate: (caller, template) => utmTemplates.add(caller, template) },
    client: config.demo ? silentClient(outbound) : outbound,
    sources: importSources,
    ownDomain: origin.domain,
    root: paths.imports,
    node: readNodeName(config),
  });
  return {
    config,
    paths,
    clock,
    secretKey,
    plans,
    records,
    clicks,
    coordination,
    destinations,
    blocking,
    accounts: accountsAt(clock),
    users: userService({ records, clock }),
    resetLinks: resetLinkService({ records, clock, baseUrl: config.baseUrl }),
    tokens: tokenService({ records, plans, clock }),
    links,
    tags,
    dryRun: dryRunService({ links, clock, ownHosts, notFoundRedirect: config.notFoundRedirect }),
    guards: linkGuards({ records, failures: coordination.failures, clock, outbox, origin }),
    expiries: { records, clock, outbox, origin },
    domains,
    domainsForOperator: operatorDomains({ records, plans, domains }),
    hosts: hostFacts({ records, ownHosts }),
    linksForOperator: operatorLinks({ records, plans, links, ownHosts }),
    /** For sample data: what they create is dated by the given clock. */
    accountsAt,
    linksAt,
    sharesAt,
    pages,
    logos,
    qrDesigns: qrDesigns({ records, clock }),
    utmTemplates,
    qr: qrService({ links, logos, renderer }),

    webhooks,
    accountExport: accountExport({
      records,
      clicks,
      clock,
      origin,
      links,
      tags,
      domains,
      utmTemplates,
      endpoints: webhooks.endpoints,
    }),

    analytics,
    shareVisits: shareVisits({ records, clock, secretKey, failures: coordination.failures, links, analytics }),
    shares: sharesAt(clock),
    clickList: clickListService({ records, clicks, clock, origin, cursors: cursorCodec(secretKey) }),
    linkDays: linkDaysService({ records, clicks, clock }),

    imports,
    importsForOperator: operatorImports({ records, plans, imports }),

    /** Only a running server follows the block file. */
    followBlocklist(): void {
      if (config.blocklistFile === null) return;
      blocklist = followBlocklistFile({
        path: config.blocklistFile,
        onChange: async (list) => {
          const domainsChanged = await blockingOfDomains.applyBlocklist((url) => list.find(url));
          const counts = await blocking.applyBlocklist(list);
          logEvent("info", "block list applied", { entries: list.size, ...counts, domains: domainsChanged });
        },
        onProblem: (message) => logEvent("error", message),
      });
    },

    async close(): Promise<void> {
      blocklist?.close();
      pages.close();
      renderer.close();
      await clicks.close();
      await records.close();
      await coordination.close();
    },
  };
}
export type Services = Awaited<ReturnType<typeof openServices>>;

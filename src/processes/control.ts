import { accountExportRoutes } from "#account-export/account-export.routes.ts";
import { startAccountRemoval } from "#account-removal/account-removal.ts";
import { analyticsRoutes } from "#analytics/analytics.routes.ts";
import { clickListRoutes } from "#analytics/click-list.routes.ts";
import { serveHolds } from "#backup/hold-server.ts";
import { openSteadyClock, type SteadyClock } from "#clicks/ingestion/steady-clock.ts";
import { LiveClicks } from "#clicks/live/live-clicks.ts";
import { adminHandler } from "#commands/admin-server.ts";
import { dataPaths } from "#config/data-paths.ts";
import { shownRateLimit } from "#config/demo-generation.ts";
import { enginePlaces } from "#config/engine-places.ts";
import type { Config } from "#config/settings.ts";
import { CONSOLE_DIST, consoleFiles } from "#console-server/console-files.ts";
import { domainNotices } from "#console-server/domain-notices.ts";
import { endpointNotices } from "#console-server/endpoint-notices.ts";
import { shareSite } from "#console-server/share-site.ts";
import { BULK_BODY_BYTES_MAX } from "#contract/limits.ts";
import { apiDocuments } from "#docs-page/api-documents.ts";
import { CLIENTS_DIST, clientFiles } from "#docs-page/client-files.ts";
import { DOCS_DIST, docsFiles } from "#docs-page/docs-files.ts";
import { docsSite } from "#docs-page/docs-site.ts";
import { startDomainChecking } from "#domains/domain-checking.ts";
import { domainRoutes } from "#domains/domains.routes.ts";
import { dryRunRoutes } from "#dry-run/dry-run.routes.ts";
import { openChangePublisher } from "#engines/coordination/change-publisher.ts";
import { alwaysHeld, type Lease } from "#engines/coordination/leases.ts";
import { MISSES_PER_MINUTE_MAX } from "#engines/coordination/miss-tally.ts";
import { followOtherNodes } from "#engines/coordination/other-nodes.ts";
import { openRedirectReader } from "#engines/open-engines.ts";
import { isShared } from "#engines/places.ts";
import {
  type Authorize,
  authorizeAdmitted,
  authorizeByToken,
  type TokenAuthorizationOptions,
} from "#http/authorize.ts";
import { forwardedRequests } from "#http/forwarded-request.ts";
import { type ApiOptions, mountApi } from "#http/mount.ts";
import { RATE_WINDOW_SECONDS } from "#http/rate-limit.ts";
import type { RequestContext, ResponsePolicy } from "#http/request-context.ts";
import { identityRoutes } from "#identity/identity.routes.ts";
import type { Caller } from "#kernel/caller.ts";
import { errorText } from "#kernel/error-text.ts";
import { REQUEST_ID_HEADER } from "#kernel/internal-headers.ts";
import type { Hold } from "#kernel/shared-hold.ts";
import { startAnnouncingExpired } from "#links/announce-expired.ts";
import { guardHandler } from "#links/guard-server.ts";
import { linkRoutes } from "#links/links.routes.ts";
import { startTagChanges } from "#links/tag-changes.ts";
import { tagRoutes } from "#links/tags.routes.ts";
import { openMailer } from "#mail/mailer.ts";
import { mcpSite } from "#mcp/mcp-site.ts";
import type { Figures } from "#metrics/figures.ts";
import { ApiFigures } from "#monitoring/api-figures.ts";
import { coordinationFigures } from "#monitoring/coordination-figures.ts";
import { ingestionFigures } from "#monitoring/ingestion-figures.ts";
import { serverFigures } from "#monitoring/server-figures.ts";
import { webhookFigures } from "#monitoring/webhook-figures.ts";
import { qrRoutes } from "#qr/qr.routes.ts";
import { Answers } from "#redirect/answers.ts";
import { newRequestId } from "#redirect/request-id.ts";
import { forwardToControl } from "#runtime/forward-to-control.ts";
import { startHousekeeping } from "#runtime/housekeeping.ts";
import { keepFiles } from "#runtime/kept-files.ts";
import { logEvent, logLine } from "#runtime/log.ts";
import { lowerPriority } from "#runtime/lower-priority.ts";
import { buildMissingPages } from "#runtime/missing-builds.ts";
import { noteUse } from "#runtime/moved-data.ts";
import { prepareRecords } from "#runtime/prepare-records.ts";
import { logProblem } from "#runtime/problem-log.ts";
import { answerRollCalls } from "#runtime/roll-call.ts";
import { startRollCheck } from "#runtime/roll-check.ts";
import { assertSecretKey } from "#runtime/secret-key.ts";
import { openServices, type Services } from "#runtime/services.ts";
import { removeLeftSnapshots } from "#runtime/snapshot-files.ts";
import { stepAsideFor } from "#runtime/step-aside.ts";
import { serveUnix } from "#runtime/unix-server.ts";
import { shareRoutes } from "#shares/shares.routes.ts";
import { runChild } from "#supervision/child-role.ts";
import { authenticator } from "#tokens/authenticate.ts";
import { tokenRoutes } from "#tokens/tokens.routes.ts";
import { webhookEndpointRoutes } from "#webhooks/webhooks.routes.ts";
import { startClickPipeline } from "./click-pipeline.ts";
import { mountConsole } from "./console.ts";

const NICENESS = 10;
// Above the API's own limit, which is the one that answers.
const UPLOAD_BYTES_MAX = 1 << 20;
const QUESTION_BYTES_MAX = 1 << 16;
const AREA = /^https?:\/\/[^/]*\/(api|console|share|mcp|readyz)(?:\/|\?|$)/;

/** Everything but redirects, as far as the node has the role for it: one process per node. */
export async function startControl(config: Config, liveFromEpoch: number): Promise<void> {
  // Where cores are short, redirects come first.
  lowerPriority(NICENESS);
  const paths = dataPaths(config.dataDir);
  // The supervisor has done so, unless the server for records was away.
  if (isShared(enginePlaces(config).records)) {
    await prepareRecords(config);
    await assertSecretKey(config);
  }
  await noteUse(config);
  let publish = async (): Promise<void> => {};
  const services = await openServices({ config, paths, afterCommit: () => publish() });
  const { coordination } = services;
  const places = enginePlaces(config);
  if (isShared(places.records) && places.coordination === null) {
    logEvent(
      "warn",
      "if other nodes use the same database, set REDIS_URL and CLICKHOUSE_URL on all of them: without them each node works alone",
    );
  }
  const reader = await openRedirectReader(places.records);
  const missLimitPerMinute = config.rateLimitPerMinute === 0 ? 0 : MISSES_PER_MINUTE_MAX;
  const publisher = await openChangePublisher({
    socketPath: paths.changesSocket,
    records: reader,
    isShared: isShared(places.records),
    missLimitPerMinute,
    sharedMisses: coordination.misses(missLimitPerMinute),
  });
  publish = () => publisher.publish();
  removeLeftSnapshots(paths, config.roles.includes("redirect") ? config.redirectProcesses : 0);
  const otherNodes = isShared(places.records)
    ? followOtherNodes({ signals: coordination.signals, publisher, onProblem: logProblem })
    : null;
  answerRollCalls(coordination.signals, config);
  const rollCheck = startRollCheck(config, coordination.signals);
  const live = new LiveClicks(services.clock, coordination.signals);
  const steadyClock = openSteadyClock({ path: paths.clock, clock: services.clock, onJump: reportJump });
  const stepAside = stepAsideFor(config, (lastCores) => publisher.takeCores(lastCores));
  const part = config.roles.includes("control")
    ? startService(services, { live, steadyClock, stepAside })
    : startForwarding(services);
  const server = serveUnix({
    path: paths.controlSocket,
    bodyBytesMax: BULK_BODY_BYTES_MAX,
    // Certificates are asked about by the supervisor: no path from outside leads there. Both are known to every node.
    fetch: async (request) =>
      (await services.hosts.tlsCheck(request)) ?? (await services.hosts.appDocument(request)) ?? part.fetch(request),
  });
  const stopping = new AbortController();
  const admin = serveUnix({
    path: paths.adminSocket,
    bodyBytesMax: UPLOAD_BYTES_MAX,
    fetch: adminHandler(services, stopping.signal),
  });
  const guards = serveUnix({
    path: paths.guardsSocket,
    bodyBytesMax: QUESTION_BYTES_MAX,
    fetch: guardHandler(services.guards, logProblem),
  });
  const pipeline = startClickPipeline(services, liveFromEpoch, {
    live,
    lease: clicksLeaseOf(services),
    steadyClock,
  });
  const holds = serveHolds({
    socketPath: paths.backupSocket,
    clicks: services.clicks,
    async pause() {
      const resumes = await Promise.all([pipeline.pauseRemovals(), part.pause()]);
      return () => {
        for (const resume of resumes) resume();
      };
    },
  });

  const kept = keepFiles([
    server,
    admin,
    guards,
    { path: paths.changesSocket, restore: publisher.listenAgain },
    { path: paths.backupSocket, restore: holds.listenAgain },
  ]);

  runChild({
    figures: () => ({
      ...part.figures(),
      ...ingestionFigures(pipeline.stats(), services.clock()),
      ...serverFigures({ records: services.records.isUp?.(), clicks: services.clicks.isUp?.() }),
      ...coordinationFigures(coordination.stats()),
    }),
    alone: pipeline.noteAlone,
    async stop() {
      stopping.abort(new Error("the server is stopping"));
      void kept.stop();
      // Not awaited: other nodes may take a moment to answer.
      void rollCheck.stop();
      live.close();
      const servers = [server.stop(), admin.stop(), guards.stop(), holds.stop()];
      await Promise.all([...servers, ...[part, pipeline, otherNodes].map((each) => each?.stop())]);
      publisher.close();
      await reader.close();
      await services.close();
    },
  }).ready();
}

/** What all nodes share is tended by one of those with the role `control`; files of this node, by itself. */
function clicksLeaseOf({ config, coordination }: Services): Lease | null {
  if (!isShared(enginePlaces(config).clicks)) return alwaysHeld;
  return config.roles.includes("control") ? coordination.lease("clicks") : null;
}

const reportJump = (seenMs: number, nowMs: number): void =>
  logEvent(
    "warn",
    "the clock has jumped; old clicks don't become counts, and deleted links aren't erased, until it has run without a " +
      "jump for a day",
    { from: new Date(seenMs).toISOString(), to: new Date(nowMs).toISOString() },
  );

/** What depends on the roles of the node. */
interface ControlPart {
  readonly fetch: (request: Request) => Promise<Response>;
  figures(): Figures;
  /** See `ClickPipeline.pauseRemovals`. */
  pause(): Promise<() => void>;
  stop(): Promise<void>;
}

interface ServiceSurroundings {
  readonly live: LiveClicks;
  readonly steadyClock: SteadyClock;
  readonly stepAside: Hold;
}

/** The API, the console, webhooks and housekeeping. */
function startService(services: Services, { live, steadyClock, stepAside }: ServiceSurroundings): ControlPart {
  const { config, coordination } = services;
  services.followBlocklist();
  const site = docsSite({
    files: docsFiles({ directory: DOCS_DIST, baseUrl: config.baseUrl }),
    clients: clientFiles(CLIENTS_DIST),
    https: config.baseUrl.startsWith("https:"),
  });
  const calls = new ApiFigures();
  const tokens = tokenAuthorization(services);
  const api = mountControlApi(config, services, { authorize: authorizeByToken(tokens), calls });
  const mcp = mcpSite({
    api: mountControlApi(config, services, { authorize: authorizeAdmitted(tokens), calls }),
    tokens,
    ...responsePolicy(config),
    baseUrl: config.baseUrl,
    ...watchCalls(config, calls),
  });
  const mailer = openMailer({
    smtpUrl: config.smtpUrl,
    from: config.mailFrom ?? `kurz@${new URL(config.baseUrl).hostname}`,
    onProblem: logProblem,
  });
  const files = consoleFiles(CONSOLE_DIST);
  const console = mountConsole(services, live, mailer, { files, ...watchCalls(config, calls) });
  const share = shareSite({
    ...{ files, visits: services.shareVisits, baseUrl: config.baseUrl, shortDomain: config.shortDomain },
    rateWindows: coordination.rateWindows("shared reports", RATE_WINDOW_SECONDS * 1000),
    isLimited: config.rateLimitPerMinute !== 0,
    ...watchCalls(config, calls),
  });
  const received = forwardedRequests({
    secret: services.secretKey,
    clock: services.clock,
    onForged: () =>
      logProblem("a request isn't forwarded by a node with this KURZ_SECRET_KEY, or the clocks of the nodes differ"),
  });
  const recordsLease = isShared(enginePlaces(config).records) ? coordination.lease("records") : alwaysHeld;
  const housekeeping = startHousekeeping(services, { steadyClock, lease: recordsLease });
  services.domains.listenForLost(domainNotices({ records: services.records, mailer, onProblem: logProblem }));
  const domainChecking = startDomainChecking({
    domains: services.domains,
    onProblem: logProblem,
    lease: recordsLease,
  });
  const announcing = startAnnouncingExpired({ ...services.expiries, onProblem: logProblem, lease: recordsLease });
  const tagChanges = startTagChanges({ ...services, onProblem: logProblem, stepAside, lease: recordsLease });
  const imports = services.imports.start({ onProblem: logProblem, stepAside });
  const removal = startAccountRemoval({ ...services, onProblem: logProblem, lease: recordsLease });
  const deliveries = services.webhooks.start({
    signals: coordination.signals,
    onProblem: logProblem,
    onDisabled: endpointNotices({
      records: services.records,
      baseUrl: config.baseUrl,
      mailer,
      onProblem: logProblem,
    }),
  });
  const builds = buildMissingPages();
  return {
    async fetch(sent) {
      const request = received(sent);
      const [, area] = AREA.exec(request.url) ?? [];
      if (area === "readyz") return Promise.resolve(new Response("ok\n"));
      if (area === "share") return share(request);
      if (area === "mcp") return mcp(request);
      return area === "api" ? api(request) : area === "console" ? console(request) : site(request);
    },
    figures: () => ({ ...calls.read(), ...webhookFigures(deliveries.stats()) }),
    pause: () => removal.pause(),
    async stop() {
      builds.stop();
      await Promise.all([
        domainChecking.stop(),
        housekeeping.stop(),
        announcing.stop(),
        tagChanges.stop(),
        imports.stop(),
        deliveries.stop(),
        removal.stop(),
        mailer.close(),
      ]);
    },
  };
}

/** Other nodes serve all that. */
function startForwarding({ config, coordination, webhooks, secretKey, clock }: Services): ControlPart {
  webhooks.leaveToOtherNodes(coordination.signals);
  const { controlUrl, baseUrl, shortDomain, abuseContact } = config;
  const answers = new Answers({
    requestIdOf: ({ headers }) => headers.get(REQUEST_ID_HEADER) ?? newRequestId(),
    isHttps: baseUrl.startsWith("https:"),
    shortDomain,
    abuseContact,
  });
  return {
    fetch: forwardToControl({ controlUrl, secret: secretKey, clock, answers, onProblem: logProblem }),
    figures: () => ({}),
    pause: async () => () => {},
    stop: async () => {},
  };
}

/** The same for operations and for the tools that call them: they share their limits. */
function tokenAuthorization({ config, records, coordination, plans, clock }: Services): TokenAuthorizationOptions {
  const windowMs = RATE_WINDOW_SECONDS * 1000;
  return {
    authenticate: authenticator({
      records,
      plans,
      clock,
      guesses: coordination.rateWindows("token guesses", windowMs),
      rateLimitPerMinute: config.rateLimitPerMinute,
    }),
    rateWindows: coordination.rateWindows("tokens", windowMs),
    clock,
  };
}

const responsePolicy = ({ baseUrl, corsAllowedOrigins }: Config): ResponsePolicy => ({
  cors: { allowedOrigins: corsAllowedOrigins },
  https: baseUrl.startsWith("https:"),
});

function mountControlApi(
  config: Config,
  services: Services,
  { authorize, calls }: { readonly authorize: Authorize<Caller>; readonly calls: ApiFigures },
): (request: Request) => Promise<Response> {
  const { records, clock } = services;
  return mountApi({
    routes: [
      ...identityRoutes({ records, rateLimitPerMinute: shownRateLimit(config), isDemo: config.demo }),
      ...linkRoutes(services.links, services.destinations, clock),
      ...tagRoutes(services.tags),
      ...dryRunRoutes(services.dryRun),
      ...domainRoutes(services.domains),
      ...analyticsRoutes(services.analytics),
      ...clickListRoutes(services.clickList),
      ...shareRoutes(services.shares),
      ...qrRoutes(services.qr),
      ...webhookEndpointRoutes(services.webhooks),
      ...tokenRoutes(services.tokens),
      ...accountExportRoutes(services.accountExport),
    ],
    files: apiDocuments(config),
    authorize,
    ...responsePolicy(config),
    ...watchCalls(config, calls),
  });
}

/** Counts and logs every call, and logs every internal error. */
const watchCalls = (config: Config, calls: ApiFigures): Pick<ApiOptions<never>, "onDone" | "onBug"> => ({
  onDone(context, request, status) {
    const ms = performance.now() - context.startedMs;
    calls.observe(context.route, status, ms);
    logCall(config, context, { method: request.method, status, ms });
  },
  onBug: ({ requestId, route }, error) =>
    logEvent("error", "a request failed", { request_id: requestId, route, error: errorText(error) }),
});

interface Call {
  readonly method: string;
  readonly status: number;
  readonly ms: number;
}

function logCall(config: Config, context: RequestContext, { method, status, ms }: Call): void {
  logLine({
    request_id: context.requestId,
    method,
    route: context.route,
    status,
    ms: Math.round(ms * 1000) / 1000,
    account: context.accountId,
    token: context.tokenId,
    ...(config.logClientIp && { client: context.clientAddress }),
  });
}

import { CLICK_HEADERS } from "#clicks/classify/enricher.ts";
import { type DataPaths, dataPaths, snapshotFile } from "#config/data-paths.ts";
import { enginePlaces } from "#config/engine-places.ts";
import type { Config } from "#config/settings.ts";
import { type ChangeSubscription, openChangeSubscription } from "#engines/coordination/change-subscription.ts";
import { MISSES_PER_MINUTE_MAX } from "#engines/coordination/miss-tally.ts";
import { isShared } from "#engines/places.ts";
import { systemClock } from "#kernel/clock.ts";
import { errorText } from "#kernel/error-text.ts";
import { HOSTS_KEY, type LinkKey } from "#kernel/link-key.ts";
import { type RedirectCounts, redirectFigures } from "#monitoring/redirect-figures.ts";
import { Answers, type RequestHead } from "#redirect/answers.ts";
import { type ClickSink, noClicks, type RequestText } from "#redirect/click-sink.ts";
import { clientAddressOf } from "#redirect/client-address.ts";
import { ControlGate } from "#redirect/control-gate.ts";
import { ControlShares } from "#redirect/control-shares.ts";
import { ControlStart } from "#redirect/control-start.ts";
import { isControlUp } from "#redirect/control-up.ts";
import { startFastLane } from "#redirect/fast-lane/fast-lane.ts";
import { LOOPBACK } from "#redirect/fast-lane/loopback.ts";
import { PeerAddresses } from "#redirect/fast-lane/peer-addresses.ts";
import { Freshness } from "#redirect/freshness.ts";
import { guardClient } from "#redirect/guard-client.ts";
import { Hosts, noHosts } from "#redirect/hosts.ts";
import { LinkCache } from "#redirect/link-cache.ts";
import { LinkGuard } from "#redirect/link-guard.ts";
import { MissGuard } from "#redirect/miss-guard.ts";
import { noShortLinks } from "#redirect/no-short-links.ts";
import { Origins } from "#redirect/origins.ts";
import { PassThrough } from "#redirect/pass-through.ts";
import { requestHeadersFor, unreadBytesOf } from "#redirect/pass-through-headers.ts";
import { openRecordsThread } from "#redirect/records-thread.ts";
import { BodyReader } from "#redirect/request-body.ts";
import { requestIdOf } from "#redirect/request-id.ts";
import { startRedirectServer } from "#redirect/server.ts";
import { ShortLinkHandler, type ShortLinkHandlerOptions } from "#redirect/short-link-handler.ts";
import { UnknownProxy } from "#redirect/unknown-proxy.ts";
import { logEvent } from "#runtime/log.ts";
import { askForShortSlices } from "#runtime/short-slices.ts";
import { giveWayOnLastCores } from "#runtime/step-aside.ts";
import { throttleLog } from "#runtime/throttled-log.ts";
import { runChild } from "#supervision/child-role.ts";
import { type ClickWriter, openClickJournal } from "./click-journal.ts";

const MISS_REPORT_MS = 100;
const LOOKUP_LOG_MS = 1000;
// The thread gives a server up in less and then finds links in a snapshot, which may take longer where cores are short.
const SNAPSHOT_TIMEOUT_MS = 3000;
const SHED_LOG_MS = 10_000;
// Turns of the event loop, not just time: whoever gets little of the cores, as its clients may too, drains for longer.
const DRAIN_TURNS = 30;
const DRAIN_TURN_MS = 10;
const STOP_MS_MAX = 5000;
// Others accept already, so there is time: every connection gets its next answer, which says that it is the last one.
const REPLACED_PATIENCE_MS = 5000;
// Read here, beside those that a click is enriched from.
const REDIRECT_HEADERS = ["x-forwarded-for", "x-request-id"];

/** Opens short links and hands everything else to control; several such processes share the port. */
export async function startRedirect(
  config: Config,
  { awaitsControl, holdsCalls, socket, ...writer }: ClickWriter & Omit<RedirectOptions, "writer" | "laneTickMs">,
): Promise<void> {
  askForShortSlices();
  const journal = config.roles.includes("redirect") ? await openClickJournal(config, writer) : null;
  const { drain, release, stop, counts } = openRedirect(config, journal?.sink, {
    writer: writer.writer,
    ...(awaitsControl !== undefined && { awaitsControl }),
    ...(holdsCalls !== undefined && { holdsCalls }),
    ...(socket !== undefined && { socket }),
  });
  runChild({
    figures: () => redirectFigures(counts(), journal?.figures()),
    drain,
    release,
    async stop() {
      await stop();
      await journal?.close();
    },
  }).ready();
}

export interface OpenRedirect {
  readonly port: number;
  /** The port of the HTTP server, which only serves the fast lane if there is one. */
  readonly httpPort: number;
  /** From now on it isn't ready, but serves as before: load balancers leave first. */
  drain(): void;
  /** Control is about to be replaced: calls for it wait until then. */
  release(): Promise<void>;
  stop(): Promise<void>;
  counts(): RedirectCounts;
}

export interface RedirectOptions {
  /** Which of the node's redirect processes this is. */
  readonly writer?: number;
  /** Whether it isn't ready before control is: see `ControlStart`. */
  readonly awaitsControl?: boolean;
  /** Whether calls for control wait until it is up: it is just changing over to another program. */
  readonly holdsCalls?: boolean;
  /** The socket on the public port that the supervisor has opened; otherwise it opens its own. */
  readonly socket?: number;
  /** What counts as a second in the time limits of the lane. */
  readonly laneTickMs?: number;
}

export function openRedirect(
  config: Config,
  clicks: ClickSink = noClicks,
  { writer = 0, awaitsControl = false, holdsCalls = false, socket, laneTickMs }: RedirectOptions = {},
): OpenRedirect {
  const paths = dataPaths(config.dataDir);
  const base = new URL(config.baseUrl);
  const trustsRequestId = config.trustProxyRequestId && config.trustProxy > 0;
  const identify = (request: RequestHead): string => requestIdOf(request, trustsRequestId);
  const answers = new Answers({
    requestIdOf: identify,
    isHttps: base.protocol === "https:",
    shortDomain: config.shortDomain,
    abuseContact: config.abuseContact,
    isDemo: config.demo,
    domainOf(text) {
      const host = hosts.find(text);
      return host === null ? null : host?.name;
    },
  });
  const hasLane = config.fastLane && !config.demo;
  const peers = new PeerAddresses();
  const origins = new Origins((peer) => {
    if (hasLane) return peers.of(peer);
    // The demo proxy passes the address on.
    const address = config.demo ? "" : peer?.address;
    return address === undefined ? undefined : { address, isLast: false };
  });
  const addressOf = (request: RequestText, socketAddress: () => string): string =>
    clientAddressOf(request, socketAddress, config.trustProxy);
  const shared = {
    answers,
    requestIdOf: identify,
    clientAddressOf: (request: Request) => addressOf(request, () => origins.addressOf(request)),
  };
  const shares = new ControlShares();
  const gate = new ControlGate(paths.controlSocket);
  if (holdsCalls) gate.closeUntilUp();
  const { shortLinks, hosts, canServe, close } = config.roles.includes("redirect")
    ? openShortLinks(config, paths, { ...shared, clicks, shares, gate, writer, awaitsControl })
    : {
        shortLinks: noShortLinks(answers),
        hosts: noHosts,
        canServe: () => isControlUp(paths.controlSocket),
        close() {},
      };
  const unknownProxy = new UnknownProxy({
    baseUrl: config.baseUrl,
    proxyHops: config.trustProxy,
    onFirst: () =>
      logEvent(
        "warn",
        "requests come through a proxy, but KURZ_TRUST_PROXY is 0: all clients share its address and its limits; set it to the number of proxies in front",
      ),
  });
  const passThrough = new PassThrough({
    answers,
    shares,
    gate,
    socketPath: paths.controlSocket,
    headersFor: (from, facts) => {
      unknownProxy.look(from);
      return requestHeadersFor(from, {
        ...facts,
        // In a demo only its front can connect, which may have left the body unread itself.
        unreadBytes: facts.unreadBytes ?? (config.demo ? unreadBytesOf(from) : undefined),
        baseHost: base.host,
        proxyHops: config.trustProxy,
      });
    },
  });
  const onError = logSometimes("a request failed");
  let isLeaving = false;
  let isReplaced = false;
  const drain = (): void => {
    isLeaving = true;
  };
  const server = startRedirectServer({
    ...shared,
    origins,
    listen: listenerOf(config, paths),
    site: config,
    shortLinks,
    hosts,
    passThrough,
    isReady: async () => !isLeaving && (await canServe()),
    onError,
  });
  const lane = !hasLane
    ? null
    : startFastLane({
        hostname: config.host,
        port: config.port,
        socket,
        shortLinks,
        answers,
        headers: [
          ...CLICK_HEADERS,
          ...REDIRECT_HEADERS,
          ...(config.geoCountryHeader === null ? [] : [config.geoCountryHeader.toLowerCase()]),
        ],
        requestIdOf: identify,
        clientAddressOf: addressOf,
        control: {
          shares,
          gate,
          socketPath: paths.controlSocket,
          baseHost: base.host,
          isBaseHostOnly: config.shortDomain !== base.host,
          isOwnHost: (host) => hosts.isOwn(host),
          proxyHops: config.trustProxy,
          onHead: (headers) => unknownProxy.look(headers),
        },
        server: { port: server.port, peers },
        onError,
        onShed: logShedConnections(),
        ...(laneTickMs !== undefined && { tickMs: laneTickMs }),
      });

  const stopServers = async (): Promise<void> => {
    // What is handed over until then must find the HTTP server.
    await lane?.leave(isReplaced ? REPLACED_PATIENCE_MS : 0);
    await Promise.all([lane?.closed, server.stop()]);
  };

  return {
    port: lane?.port ?? server.port,
    httpPort: server.port,
    counts: () => ({
      visits: shortLinks.counts,
      refusals: shares.refusals,
      unknownProxyRequests: unknownProxy.requests,
    }),
    drain,
    release() {
      isReplaced = true;
      return gate.closeUntilReplaced();
    },
    async stop() {
      drain();
      // Clients leave first: a connection that is closed while its next request is under way loses that request.
      answers.startDraining();
      passThrough.endStreams();
      lane?.endStreams();
      const stopMsMax = STOP_MS_MAX + (isReplaced ? REPLACED_PATIENCE_MS : 0);
      for (let turn = 0; turn < DRAIN_TURNS; turn += 1) await Bun.sleep(DRAIN_TURN_MS);
      const isDone = await Promise.race([stopServers().then(() => true), Bun.sleep(stopMsMax).then(() => false)]);
      if (!isDone) {
        lane?.terminate();
        await server.terminate();
      }
      close();
    },
  };
}

type LinkOptions = Pick<ShortLinkHandlerOptions, "answers" | "requestIdOf" | "clientAddressOf" | "clicks"> & {
  readonly shares: ControlShares;
  readonly gate: ControlGate;
  readonly writer: number;
  readonly awaitsControl: boolean;
};

/** Short links, with everything that keeps them up to date. */
function openShortLinks(
  config: Config,
  paths: DataPaths,
  { shares, gate, writer, awaitsControl, ...options }: LinkOptions,
) {
  const place = enginePlaces(config).records;
  const records = openRecordsThread(place, {
    ...(isShared(place) && { snapshotPath: snapshotFile(paths, writer), diskTimeoutMs: SNAPSHOT_TIMEOUT_MS }),
    onOld: (key) => (key === HOSTS_KEY ? hosts.noteOld() : cache.forget(key)),
    onSnapshotLost: (error) => logEvent("error", "links are not remembered for when the records are away", { error }),
  });
  const cache = new LinkCache({ reader: records });
  const hosts = new Hosts({
    load: () => records.findHosts(),
    own: [new URL(config.baseUrl).host, config.shortDomain],
  });
  const cached = {
    forget: (key: LinkKey) => (key === HOSTS_KEY ? hosts.forget() : cache.forget(key)),
    clear() {
      cache.clear();
      hosts.forget();
    },
  };
  const freshness = new Freshness(records, cached, { isShared: isShared(place) });
  const bus = joinBus(config, paths, freshness);
  const onGuardFailure = logSometimes("whether a visitor may open a guarded link could not be found out");
  const shortLinks = new ShortLinkHandler({
    ...options,
    cache,
    hosts,
    freshness,
    misses: bus.misses,
    guard: new LinkGuard({
      ...options,
      ask: guardClient(paths.guardsSocket, gate),
      bodies: new BodyReader(shares.arriving),
      onGuardFailure,
    }),
    notFoundRedirect: config.notFoundRedirect,
    showsLinks: config.demo || config.interstitial === "always",
    clock: systemClock,
    onLookupFailure: logSometimes("a link could not be looked up"),
    onGuardFailure,
  });
  const controlStart = awaitsControl
    ? new ControlStart({ isControlUp: () => isControlUp(paths.controlSocket), elapsed: () => performance.now() })
    : null;
  return {
    shortLinks,
    hosts,
    async canServe() {
      const source = await records.findSource();
      return source !== null && (controlStart === null || (await controlStart.isOver(source)));
    },
    close() {
      bus.stop();
      freshness.close();
      records.close();
    },
  };
}

/** A demo shows previews instead of redirecting, and its front owns the port. */
function listenerOf({ demo, fastLane, host, port }: Config, { visitorsSocket }: DataPaths) {
  if (demo) return { unix: visitorsSocket };
  return fastLane ? { hostname: LOOPBACK, port: 0, reusePort: false } : { hostname: host, port, reusePort: true };
}

/**
 * Joins the bus before the first request is served. It does not wait for control: without news of changes, the
 * change log is read before each use of the cache.
 */
function joinBus(config: Config, paths: DataPaths, freshness: Freshness) {
  const misses = new MissGuard({
    limit: config.rateLimitPerMinute === 0 ? 0 : MISSES_PER_MINUTE_MAX,
    processes: config.redirectProcesses,
    send: (n, counts) => changes.reportMisses(n, counts),
  });
  const giveWay = giveWayOnLastCores();
  const changes: ChangeSubscription = openChangeSubscription({
    socketPath: paths.changesSocket,
    onWelcome: () => freshness.onWelcome(),
    onChanges: (notice) => freshness.onChanges(notice),
    onCurrent: (at) => freshness.onCurrent(at),
    onCores: giveWay,
    onBlocked: (addresses) => misses.block(addresses),
    onCounted: (n) => misses.reports.confirm(n),
    onLost() {
      freshness.onLost();
      giveWay(0);
      misses.reports.giveUp();
    },
  });
  const timer = setInterval(() => misses.reports.flush(), MISS_REPORT_MS);
  return {
    misses,
    stop() {
      clearInterval(timer);
      changes.close();
    },
  };
}

const logShedConnections = (): ((count: number) => void) => {
  const log = throttleLog(SHED_LOG_MS, (connections) =>
    logEvent("warn", "file descriptors ran short: idle and unfinished connections were closed", {
      role: "redirect",
      connections,
    }),
  );
  return (count) => log(undefined, count);
};

/** For a failure that every request may run into. */
const logSometimes = (message: string): ((error: unknown) => void) =>
  throttleLog(LOOKUP_LOG_MS, (times, error: unknown) =>
    logEvent("error", message, { role: "redirect", times, error: errorText(error) }),
  );

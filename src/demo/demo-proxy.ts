import type { Server } from "bun";
import { DEMO_CONSOLE_CALLS_PER_MINUTE, DEMO_REQUESTS_PER_MINUTE } from "#config/demo-generation.ts";
import type { Config } from "#config/settings.ts";
import { localRateWindows, type RateDecision } from "#engines/coordination/rate-windows.ts";
import { errorResponse } from "#http/error-envelope.ts";
import { RATE_WINDOW_SECONDS, rateHeaders, rateLimited } from "#http/rate-limit.ts";
import { defaultHeaders } from "#http/request-context.ts";
import { systemClock, toTimestamp } from "#kernel/clock.ts";
import { errorText } from "#kernel/error-text.ts";
import { networkOf } from "#kernel/network-address.ts";
import { Answers } from "#redirect/answers.ts";
import { isApi } from "#redirect/body-limits.ts";
import { clientAddressOf } from "#redirect/client-address.ts";
import { ControlShares } from "#redirect/control-shares.ts";
import { PassThrough } from "#redirect/pass-through.ts";
import { type PassedFacts, requestHeadersFor } from "#redirect/pass-through-headers.ts";
import { isReadByPeople } from "#redirect/read-by-people.ts";
import { newRequestId, requestIdOf } from "#redirect/request-id.ts";
import { targetTextOf } from "#redirect/request-target.ts";
import { UPLOAD_BYTES_MAX } from "#redirect/server.ts";
import { logEvent } from "#runtime/log.ts";
import { SwitchableTarget } from "./switchable-target.ts";

export interface DemoProxy {
  /** Sends all requests from now on to the server behind another socket. */
  switchTo(socketPath: string): Promise<void>;
  stop(): Promise<void>;
}

const SWITCH_MS_MAX = 200;
const DRAIN_MS = 300;
const STOP_MS_MAX = 5000;
const CONSOLE_API_PATH = /^\/console\/api(?:[/?]|$)/;

interface ProxyOptions {
  /** Where requests go at first. */
  readonly socketPath: string;
  /** When the demo resets next. */
  readonly resetsAtMs: () => number;
}

/** Listens for as long as the demo runs, and passes each request to the current generation's server. */
export function startDemoProxy(config: Config, { socketPath, resetsAtMs }: ProxyOptions): DemoProxy {
  const base = new URL(config.baseUrl);
  const isHttps = base.protocol === "https:";
  const policy = { cors: { allowedOrigins: config.corsAllowedOrigins }, https: isHttps };
  const trustsRequestId = config.trustProxyRequestId && config.trustProxy > 0;
  const answers = new Answers({
    requestIdOf: (request) => requestIdOf(request, trustsRequestId),
    isHttps,
    shortDomain: config.shortDomain,
    abuseContact: config.abuseContact,
    isDemo: true,
  });
  const shares = new ControlShares();
  const openUpstream = (path: string): PassThrough =>
    new PassThrough({
      answers,
      shares,
      socketPath: path,
      headersFor: headersForUpstream(base.host, config.trustProxy),
    });
  const upstream = new SwitchableTarget(openUpstream(socketPath));
  const windows = localRateWindows(RATE_WINDOW_SECONDS * 1000);

  /** Returns `null` if there is no limit: pages and assets cost next to nothing, and health checks are frequent. */
  const countRequest = (target: string, network: string): Promise<RateDecision> | null => {
    if (config.rateLimitPerMinute === 0) return null;
    if (isApi(target)) return windows.take(network, DEMO_REQUESTS_PER_MINUTE);
    return CONSOLE_API_PATH.test(target) ? windows.take(`console ${network}`, DEMO_CONSOLE_CALLS_PER_MINUTE) : null;
  };

  const answer = async (request: Request, server: Server<undefined>): Promise<Response> => {
    const requestId = requestIdOf(request, trustsRequestId);
    const clientAddress = clientAddressOf(request, () => server.requestIP(request)?.address ?? "", config.trustProxy);
    const target = targetTextOf(request.url);
    const decision = await countRequest(target, networkOf(clientAddress));
    const limits = decision ? rateHeaders(decision, systemClock()) : {};
    if (decision && !decision.allowed) {
      const refusal = rateLimited(decision);
      if (isReadByPeople(target, request.headers)) {
        return answers.tooManyRequests(request, { ...limits, ...refusal.headers });
      }
      return errorResponse(refusal, requestId, { ...defaultHeaders(request, requestId, policy), ...limits });
    }
    const passed = { request, server, target, requestId, clientAddress };
    const response = await upstream.run((current) => current.pass(passed));
    for (const [name, value] of Object.entries(limits)) response.headers.set(name, value);
    return response;
  };

  const server = Bun.serve({
    hostname: config.host,
    port: config.port,
    // By default the runtime lets other processes share the port.
    reusePort: false,
    development: false,
    maxRequestBodySize: UPLOAD_BYTES_MAX,
    fetch: async (request, self) => {
      const response = await answer(request, self);
      response.headers.set("x-demo-resets-at", toTimestamp(resetsAtMs()));
      return response;
    },
    error(error) {
      logEvent("error", "a request failed", { error: errorText(error) });
      return answers.internalError(newRequestId());
    },
  });

  return {
    switchTo: (path) => upstream.switchTo(openUpstream(path), SWITCH_MS_MAX),
    async stop() {
      // Clients close first: closing a connection while its next request is on the way would lose that request.
      answers.startDraining();
      upstream.current.endStreams();
      await Bun.sleep(DRAIN_MS);
      const isDone = await Promise.race([server.stop().then(() => true), Bun.sleep(STOP_MS_MAX).then(() => false)]);
      if (!isDone) await server.stop(true);
    },
  };
}

/** The server behind trusts this proxy's headers. The host stays what the client sent. */
const headersForUpstream =
  (baseHost: string, proxyHops: number) =>
  (from: Headers, facts: PassedFacts): Headers => {
    const headers = requestHeadersFor(from, { ...facts, baseHost: from.get("host") ?? baseHost, proxyHops });
    headers.set("x-forwarded-for", facts.clientAddress);
    headers.set("x-request-id", facts.requestId);
    return headers;
  };

import { createHash } from "node:crypto";
import { analyticsRoutes } from "#analytics/analytics.routes.ts";
import { mountConsoleApi } from "#console-server/console-api.ts";
import { CONSOLE_DIST } from "#console-server/console-manifest.ts";
import { consoleSite } from "#console-server/console-site.ts";
import { localRateWindows } from "#engines/coordination/rate-windows.ts";
import { librarySql } from "#engines/records/library-sql.ts";
import type { ApiOptions } from "#http/mount.ts";
import { RATE_WINDOW_SECONDS } from "#http/rate-limit.ts";
import { linkRoutes } from "#links/links.routes.ts";
import type { Services } from "#runtime/services.ts";
import { lazyAuth } from "#sign-in/auth.ts";
import { joiningService } from "#sign-in/joining.service.ts";
import { sessionRoutes } from "#sign-in/session.routes.ts";
import { signInService } from "#sign-in/sign-in.service.ts";
import { SignInThrottle } from "#sign-in/sign-in-throttle.ts";
import { visitorReader } from "#sign-in/visitor.ts";

/** Everything below `/console`: the page for people, and what it calls. */
export function mountConsole(
  services: Services,
  watch: Pick<ApiOptions<never>, "onDone" | "onBug">,
): (request: Request) => Promise<Response> {
  const { config, paths, records, plans, clock, secretKey } = services;
  const https = config.baseUrl.startsWith("https:");
  const auth = lazyAuth({
    db: librarySql(records),
    type: "sqlite",
    secret: createHash("sha256").update(`sign-in:${secretKey}`).digest("hex"),
    baseUrl: config.baseUrl,
    sessionDays: config.sessionDays,
  });
  const deps = { auth, records, clock, throttle: new SignInThrottle() };
  const joining = joiningService({ ...deps, plans, signUp: config.signUp, setUpCodePath: paths.setUpCode });
  const api = mountConsoleApi({
    ...watch,
    https,
    admission: {
      readVisitor: visitorReader(deps),
      records,
      plans,
      clock,
      baseUrl: config.baseUrl,
      rateWindows: localRateWindows(RATE_WINDOW_SECONDS * 1000),
    },
    open: sessionRoutes({
      records,
      joining,
      signIn: signInService(deps),
      deployment: {
        base_url: config.baseUrl,
        short_domain: config.shortDomain,
        signup: config.signUp,
        sends_mail: config.smtpUrl !== null,
      },
    }),
    ofPerson: [],
    ofAccount: [],
    api: [...linkRoutes(services.links, services.destinations, clock), ...analyticsRoutes(services.analytics)],
  });
  const site = consoleSite({ directory: CONSOLE_DIST, https });
  return (request) => (/^https?:\/\/[^/]*\/console\/api(\/|\?|$)/.test(request.url) ? api(request) : site(request));
}

import { createHash } from "node:crypto";
import { accountExportRoutes } from "#account-export/account-export.routes.ts";
import { analyticsRoutes } from "#analytics/analytics.routes.ts";
import { clickListRoutes } from "#analytics/click-list.routes.ts";
import { describeDevice } from "#clicks/classify/user-agent.ts";
import type { LiveClicks } from "#clicks/live/live-clicks.ts";
import { nextResetMs, shownRateLimit } from "#config/demo-generation.ts";
import { singleSignOnOf } from "#config/single-sign-on.ts";
import { accountRoutes } from "#console-server/account.routes.ts";
import { mountConsoleApi } from "#console-server/console-api.ts";
import type { FindConsoleFiles } from "#console-server/console-files.ts";
import { consoleSite } from "#console-server/console-site.ts";
import { refuseInDemo } from "#console-server/demo-routes.ts";
import { withErrorPages } from "#console-server/error-pages.ts";
import { importRoutes } from "#console-server/imports.routes.ts";
import { consoleLinkRoutes } from "#console-server/links.routes.ts";
import { logoRoutes } from "#console-server/logo.routes.ts";
import { confirmEmailMail, emailChangedMail, invitationMail, passwordMail } from "#console-server/mails.ts";
import { pageRoutes } from "#console-server/pages.routes.ts";
import { utmTemplateRoutes } from "#console-server/utm-templates.routes.ts";
import { webhookRoutes } from "#console-server/webhooks.routes.ts";
import type { ConsoleState } from "#contract/console/session.ts";
import { demoAccess } from "#demo/demo-access.ts";
import { domainRoutes } from "#domains/domains.routes.ts";
import { dryRunRoutes } from "#dry-run/dry-run.routes.ts";
import type { ApiOptions } from "#http/mount.ts";
import { RATE_WINDOW_SECONDS } from "#http/rate-limit.ts";
import type { Route } from "#http/route.ts";
import { toTimestamp } from "#kernel/clock.ts";
import { linkRoutes } from "#links/links.routes.ts";
import { tagRoutes } from "#links/tags.routes.ts";
import type { Mailer } from "#mail/mailer.ts";
import { INVITATIONS_WINDOW_MS, invitationService } from "#members/invitations.service.ts";
import { memberService } from "#members/members.service.ts";
import { qrRoutes } from "#qr/qr.routes.ts";
import { logProblem } from "#runtime/problem-log.ts";
import type { Services } from "#runtime/services.ts";
import { shareRoutes } from "#shares/shares.routes.ts";
import { lazyAuth } from "#sign-in/auth.ts";
import { deviceCookies } from "#sign-in/device-cookies.ts";
import { emailChangeService } from "#sign-in/email-change.service.ts";
import { joiningService } from "#sign-in/joining.service.ts";
import { passkeyService } from "#sign-in/passkeys.service.ts";
import { passwordService } from "#sign-in/password.service.ts";
import { requesterReader } from "#sign-in/requester.ts";
import { sessionRoutes } from "#sign-in/session.routes.ts";
import { sessionService } from "#sign-in/sessions.service.ts";
import { signInService } from "#sign-in/sign-in.service.ts";
import { SignInThrottle } from "#sign-in/sign-in-throttle.ts";
import { twoFactorService } from "#sign-in/two-factor.service.ts";
import { userRoutes } from "#sign-in/user.routes.ts";
import { openSingleSignOn } from "#single-sign-on/open-single-sign-on.ts";
import { singleSignOnRoutes } from "#single-sign-on/single-sign-on.routes.ts";

/** Everything below `/console`: the page for people, and what it calls. */
export function mountConsole(
  services: Services,
  live: LiveClicks,
  mailer: Mailer,
  { files, ...watch }: Pick<ApiOptions<never>, "onDone" | "onBug"> & { readonly files: FindConsoleFiles },
): (request: Request) => Promise<Response> {
  const { config, records, coordination, plans, clock, accounts, links, tokens } = services;
  const { baseUrl } = config;
  const rateLimitPerMinute = shownRateLimit(config);
  const https = baseUrl.startsWith("https:");
  const person = openPersonServices(services, mailer);
  const members = memberService({ records, clock });
  const invitations = invitationService({
    records,
    clock,
    baseUrl,
    windows: coordination.rateWindows("invitations", INVITATIONS_WINDOW_MS),
    allowsNewUsers: config.signUp !== "closed",
    send: (invitation) => mailer.send(invitationMail(invitation)),
  });
  const ssoSettings = singleSignOnOf(config);
  const sso = openSingleSignOn(ssoSettings, {
    ...person,
    baseUrl,
    secretKey: services.secretKey,
  });
  const deployment = {
    base_url: baseUrl,
    short_domain: config.shortDomain,
    signup: config.signUp,
    sends_mail: mailer.isOn,
    page_lookups: services.pages.isOn,
    sso: sso && { name: sso.name },
  };
  const allowed = <C>(routes: readonly Route<C>[]): readonly Route<C>[] =>
    config.demo ? refuseInDemo(routes) : routes;
  const api = mountConsoleApi({
    ...watch,
    https,
    authorization: {
      readRequester: requesterReader({
        ...person,
        sessionDays: config.sessionDays,
        issuer: ssoSettings?.issuer ?? null,
      }),
      records,
      plans,
      clock,
      baseUrl,
      rateWindows: coordination.rateWindows("console", RATE_WINDOW_SECONDS * 1000),
    },
    open: allowed([
      ...sessionRoutes({
        ...person,
        deployment,
        demo: () => describeDemo(services),
        logoutUrl: async (requester) => sso?.logoutUrl(requester) ?? null,
      }),
      ...singleSignOnRoutes(sso),
    ]),
    ofUser: allowed(userRoutes(person)),
    ofAccount: allowed([
      ...accountRoutes({
        records,
        clock,
        accounts,
        tokens,
        members,
        invitations,
        rateLimitPerMinute,
        accountExport: services.accountExport,
      }),
      ...consoleLinkRoutes({
        records,
        links,
        tags: services.tags,
        live,
        dryRun: services.dryRun,
        linkDays: services.linkDays,
      }),
      ...webhookRoutes(services.webhooks),
      ...pageRoutes(services.pages, services.destinations, clock),
      ...logoRoutes(services.logos, services.qrDesigns),
      ...utmTemplateRoutes(services.utmTemplates),
      ...importRoutes(services.imports),
    ]),
    api: allowed([
      ...domainRoutes(services.domains),
      ...linkRoutes(links, services.destinations, clock),
      ...tagRoutes(services.tags),
      ...dryRunRoutes(services.dryRun),
      ...analyticsRoutes(services.analytics),
      ...clickListRoutes(services.clickList),
      ...shareRoutes(services.shares),
      ...qrRoutes(services.qr),
      ...accountExportRoutes(services.accountExport),
    ]),
  });
  const site = consoleSite({ files, https });
  const called = withErrorPages(api, config.shortDomain);
  return (request) => (/^https?:\/\/[^/]*\/console\/api(\/|\?|$)/.test(request.url) ? called(request) : site(request));
}

const describeDemo = ({ config, clock }: Services): ConsoleState["demo"] =>
  config.demo
    ? {
        resets_at: toTimestamp(nextResetMs(clock(), config)),
        email: demoAccess.email,
        password: demoAccess.password,
        token: demoAccess.token.value,
      }
    : null;

function openPersonServices(services: Services, mailer: Mailer) {
  const { config, paths, records, coordination, plans, clock, secretKey, resetLinks } = services;
  const auth = lazyAuth({
    db: records.library,
    secret: createHash("sha256").update(`sign-in:${secretKey}`).digest("hex"),
    baseUrl: config.baseUrl,
    sessionDays: config.sessionDays,
    describeDevice,
    onProblem: logProblem,
  });
  const deps = {
    auth,
    records,
    clock,
    onProblem: logProblem,
    throttle: new SignInThrottle({ failures: coordination.failures, sparesAccounts: config.demo }),
    devices: deviceCookies({
      key: createHash("sha256").update(`device:${secretKey}`).digest("hex"),
      https: config.baseUrl.startsWith("https:"),
      clock,
    }),
  };
  const mailResetLink = async (address: string): Promise<void> => {
    const link = await resetLinks.createForMail(address);
    if (link) mailer.send(passwordMail(link.email, link.url));
  };
  return {
    ...deps,
    joining: joiningService({ ...deps, plans, signUp: config.signUp, setUpCodePath: paths.setUpCode }),
    signIn: signInService(deps),
    passwords: passwordService({
      ...deps,
      mailResetLink: mailer.isOn ? mailResetLink : null,
    }),
    twoFactor: twoFactorService(deps),
    passkeys: passkeyService(deps),
    sessions: sessionService(deps),
    users: services.users,
    emails: emailChangeService({
      ...deps,
      baseUrl: config.baseUrl,
      mail: mailer.isOn
        ? {
            sendConfirmation: (email, url) => mailer.send(confirmEmailMail(email, url)),
            sendNotice: (email) => mailer.send(emailChangedMail(email)),
          }
        : null,
    }),
  };
}

import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from "@tanstack/react-router";
import { loadPart } from "#console/api/load-part.ts";
import { useWorkspace } from "#console/api/session.tsx";
import { readDeliverySearch } from "#console/developer/webhooks/delivery-search.ts";
import { readLinkListSearch } from "#console/links/link-list-search.ts";
import { LinksPage } from "#console/links/links-page.tsx";
import { readReportSearch } from "#console/reports/report-search.ts";
import { readAuditSearch } from "#console/settings/audit/audit-search.ts";
import { readImportSearch } from "#console/settings/import/import-search.ts";
import { CrashPage } from "./crash-page.tsx";
import { HomeRedirect } from "./home-redirect.tsx";
import { readNewDialog } from "./new-dialog.ts";
import { NotFoundPage } from "./not-found-page.tsx";
import { Redirect } from "./redirect.tsx";
import { parseSearch, strictly, stringifySearch } from "./search-params.ts";
import { Workspace } from "./workspace.tsx";

/** A page whose code is loaded when it is first opened; until it is there, the page before it stays. */
const lazyPage: typeof lazyRouteComponent = (load, name) => lazyRouteComponent(() => loadPart(load), name);

const root = createRootRoute({ component: Outlet });

const home = createRoute({ getParentRoute: () => root, path: "/", component: HomeRedirect });

interface SsoAnswer {
  readonly state?: string;
  readonly code?: string;
  readonly iss?: string;
  readonly error?: string;
}

/** Signing in keeps where the person was going. */
const readNext = (search: Record<string, unknown>): { readonly next?: string } =>
  typeof search.next === "string" && /^\/(?:a|join)\//.test(search.next) ? { next: search.next } : {};

const readCode = (search: Record<string, unknown>): { readonly code?: string } =>
  typeof search.code === "string" ? { code: search.code } : {};

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  component: lazyPage(() => import("#console/sign-in/sign-in-page.tsx"), "SignInPage"),
  validateSearch: strictly(readNext),
});
const setUp = createRoute({
  getParentRoute: () => root,
  path: "/setup",
  validateSearch: strictly(readCode),
  component: lazyPage(() => import("#console/sign-in/set-up-page.tsx"), "SetUpPage"),
});
const signUp = createRoute({
  getParentRoute: () => root,
  path: "/sign-up",
  component: lazyPage(() => import("#console/sign-in/sign-up-page.tsx"), "SignUpPage"),
});
const join = createRoute({
  getParentRoute: () => root,
  path: "/join/$invitation",
  component: lazyPage(() => import("#console/sign-in/join-page.tsx"), "JoinPage"),
});
const forgot = createRoute({
  getParentRoute: () => root,
  path: "/forgot",
  component: lazyPage(() => import("#console/sign-in/forgot-page.tsx"), "ForgotPage"),
});
const reset = createRoute({
  getParentRoute: () => root,
  path: "/reset/$token",
  component: lazyPage(() => import("#console/sign-in/reset-page.tsx"), "ResetPage"),
});

/** What a provider sends along; see RFC 6749 and RFC 9207. */
const readAnswer = (search: Record<string, unknown>): SsoAnswer =>
  Object.fromEntries(
    ["state", "code", "iss", "error"].flatMap((name) =>
      typeof search[name] === "string" ? [[name, search[name]]] : [],
    ),
  );

const ssoCallback = createRoute({
  getParentRoute: () => root,
  path: "/sso/callback",
  validateSearch: strictly(readAnswer),
  component: lazyPage(() => import("#console/sign-in/sso-callback-page.tsx"), "SsoCallbackPage"),
});
const confirmEmail = createRoute({
  getParentRoute: () => root,
  path: "/confirm-email/$token",
  component: lazyPage(() => import("#console/sign-in/confirm-email-page.tsx"), "ConfirmEmailPage"),
});

const workspace = createRoute({ getParentRoute: () => root, path: "/a/$account", component: Workspace });
const links = createRoute({
  getParentRoute: () => workspace,
  path: "/links",
  component: LinksPage,
  validateSearch: strictly(readLinkListSearch),
});
const linkReport = createRoute({
  getParentRoute: () => workspace,
  path: "/links/$link",
  validateSearch: strictly(readReportSearch),
  component: lazyPage(() => import("#console/reports/link-report-page.tsx"), "LinkReportPage"),
});
const accountReport = createRoute({
  getParentRoute: () => workspace,
  path: "/reports",
  validateSearch: strictly(readReportSearch),
  component: lazyPage(() => import("#console/reports/account-report-page.tsx"), "AccountReportPage"),
});
const domains = createRoute({
  getParentRoute: () => workspace,
  path: "/domains",
  validateSearch: strictly(readNewDialog),
  component: lazyPage(() => import("#console/domains/domains-page.tsx"), "DomainsPage"),
});
const domain = createRoute({
  getParentRoute: () => workspace,
  path: "/domains/$domain",
  component: lazyPage(() => import("#console/domains/domain-page.tsx"), "DomainPage"),
});
const developer = createRoute({
  getParentRoute: () => workspace,
  path: "/developer",
  component: lazyPage(() => import("#console/developer/developer-page.tsx"), "DeveloperPage"),
});
const developerHome = createRoute({ getParentRoute: () => developer, path: "/", component: ToDeveloper });
const tokens = createRoute({
  getParentRoute: () => developer,
  path: "/tokens",
  validateSearch: strictly(readNewDialog),
  component: lazyPage(() => import("#console/developer/tokens/tokens-tab.tsx"), "TokensTab"),
});
const webhooks = createRoute({
  getParentRoute: () => developer,
  path: "/webhooks",
  validateSearch: strictly(readNewDialog),
  component: lazyPage(() => import("#console/developer/webhooks/webhooks-tab.tsx"), "WebhooksTab"),
});
const webhook = createRoute({
  getParentRoute: () => developer,
  path: "/webhooks/$endpoint",
  validateSearch: strictly(readDeliverySearch),
  component: lazyPage(() => import("#console/developer/webhooks/endpoint-page.tsx"), "EndpointPage"),
});
const apiTab = createRoute({
  getParentRoute: () => developer,
  path: "/api",
  validateSearch: strictly(readNewDialog),
  component: lazyPage(() => import("#console/developer/api-tab.tsx"), "ApiTab"),
});

function ToDeveloper() {
  const { account } = developerHome.useParams();
  const { may } = useWorkspace();
  const to = may("admin") ? "/a/$account/developer/tokens" : "/a/$account/developer/api";
  return <Redirect to={to} params={{ account }} />;
}

const settings = createRoute({
  getParentRoute: () => workspace,
  path: "/settings",
  component: lazyPage(() => import("#console/settings/settings-page.tsx"), "SettingsPage"),
});
const settingsHome = createRoute({
  getParentRoute: () => settings,
  path: "/",
  component: lazyPage(() => import("#console/settings/account-tab.tsx"), "AccountTab"),
});
const members = createRoute({
  getParentRoute: () => settings,
  path: "/members",
  validateSearch: strictly(readNewDialog),
  component: lazyPage(() => import("#console/settings/members/members-tab.tsx"), "MembersTab"),
});
const tags = createRoute({
  getParentRoute: () => settings,
  path: "/tags",
  component: lazyPage(() => import("#console/settings/tags/tags-tab.tsx"), "TagsTab"),
});
// Where they were before; kept for bookmarks.
const oldSecurity = createRoute({ getParentRoute: () => workspace, path: "/settings/security", component: ToPersonal });
const oldAppearance = createRoute({
  getParentRoute: () => workspace,
  path: "/settings/appearance",
  component: ToAppearance,
});

function ToPersonal() {
  const { account } = oldSecurity.useParams();
  return <Redirect to="/a/$account/personal" params={{ account }} />;
}

function ToAppearance() {
  const { account } = oldAppearance.useParams();
  return <Redirect to="/a/$account/personal/appearance" params={{ account }} />;
}

const personal = createRoute({
  getParentRoute: () => workspace,
  path: "/personal",
  component: lazyPage(() => import("#console/settings/personal-page.tsx"), "PersonalPage"),
});
const personalHome = createRoute({
  getParentRoute: () => personal,
  path: "/",
  component: lazyPage(() => import("#console/settings/security/security-tab.tsx"), "SecurityTab"),
});
const appearance = createRoute({
  getParentRoute: () => personal,
  path: "/appearance",
  component: lazyPage(() => import("#console/settings/appearance-tab.tsx"), "AppearanceTab"),
});
const dataImport = createRoute({
  getParentRoute: () => settings,
  path: "/import",
  validateSearch: strictly(readImportSearch),
  component: lazyPage(() => import("#console/settings/import/import-tab.tsx"), "ImportTab"),
});
const dataExport = createRoute({
  getParentRoute: () => settings,
  path: "/export",
  component: lazyPage(() => import("#console/settings/export-tab.tsx"), "ExportTab"),
});
const audit = createRoute({
  getParentRoute: () => settings,
  path: "/audit",
  validateSearch: strictly(readAuditSearch),
  component: lazyPage(() => import("#console/settings/audit/audit-tab.tsx"), "AuditTab"),
});
const workspaceHome = createRoute({ getParentRoute: () => workspace, path: "/", component: ToLinks });

function ToLinks() {
  const { account } = workspaceHome.useParams();
  return <Redirect to="/a/$account/links" params={{ account }} />;
}

const tree = root.addChildren([
  home,
  signIn,
  setUp,
  signUp,
  join,
  forgot,
  reset,
  confirmEmail,
  ssoCallback,
  workspace.addChildren([
    workspaceHome,
    links,
    linkReport,
    accountReport,
    domains,
    domain,
    developer.addChildren([developerHome, tokens, webhooks, webhook, apiTab]),
    settings.addChildren([settingsHome, members, tags, dataImport, dataExport, audit]),
    oldSecurity,
    oldAppearance,
    personal.addChildren([personalHome, appearance]),
  ]),
]);

export const openRouter = () =>
  createRouter({
    routeTree: tree,
    basepath: "/console",
    defaultPreload: "intent",
    defaultErrorComponent: CrashPage,
    defaultNotFoundComponent: NotFoundPage,
    scrollRestoration: true,
    parseSearch,
    stringifySearch,
  });

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof openRouter>;
  }
  interface HistoryState {
    /** The entry was made by opening a dialog, so closing the dialog goes back. */
    readonly dialog?: true;
  }
}

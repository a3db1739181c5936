import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  useNavigate,
} from "@tanstack/react-router";
import { useEffect } from "react";
import { readLinkListSearch } from "#console/links/link-list-search.ts";
import { LinksPage } from "#console/links/links-page.tsx";
import { readReportSearch } from "#console/reports/report-search.ts";
import { HomeRedirect } from "./home-redirect.tsx";
import { NotFoundPage } from "./not-found-page.tsx";
import { parseSearch, stringifySearch } from "./search-params.ts";
import { Workspace } from "./workspace.tsx";

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage });

const home = createRoute({ getParentRoute: () => root, path: "/", component: HomeRedirect });

/** Signing in keeps where the person was going. */
const readNext = (search: Record<string, unknown>): { readonly next?: string } =>
  typeof search.next === "string" && /^\/a\//.test(search.next) ? { next: search.next } : {};

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  component: lazyRouteComponent(() => import("#console/sign-in/sign-in-page.tsx"), "SignInPage"),
  validateSearch: readNext,
});
const setUp = createRoute({
  getParentRoute: () => root,
  path: "/setup",
  validateSearch: (search: Record<string, unknown>): { readonly code?: string } =>
    typeof search.code === "string" ? { code: search.code } : {},
  component: lazyRouteComponent(() => import("#console/sign-in/set-up-page.tsx"), "SetUpPage"),
});
const signUp = createRoute({
  getParentRoute: () => root,
  path: "/sign-up",
  component: lazyRouteComponent(() => import("#console/sign-in/sign-up-page.tsx"), "SignUpPage"),
});
const join = createRoute({
  getParentRoute: () => root,
  path: "/join/$invitation",
  component: lazyRouteComponent(() => import("#console/sign-in/join-page.tsx"), "JoinPage"),
});
const forgot = createRoute({
  getParentRoute: () => root,
  path: "/forgot",
  component: lazyRouteComponent(() => import("#console/sign-in/forgot-page.tsx"), "ForgotPage"),
});
const reset = createRoute({
  getParentRoute: () => root,
  path: "/reset/$token",
  component: lazyRouteComponent(() => import("#console/sign-in/reset-page.tsx"), "ResetPage"),
});

const workspace = createRoute({ getParentRoute: () => root, path: "/a/$account", component: Workspace });
const links = createRoute({
  getParentRoute: () => workspace,
  path: "/links",
  component: LinksPage,
  validateSearch: readLinkListSearch,
});
const linkReport = createRoute({
  getParentRoute: () => workspace,
  path: "/links/$link",
  validateSearch: readReportSearch,
  component: lazyRouteComponent(() => import("#console/reports/link-report-page.tsx"), "LinkReportPage"),
});
const accountReport = createRoute({
  getParentRoute: () => workspace,
  path: "/reports",
  validateSearch: readReportSearch,
  component: lazyRouteComponent(() => import("#console/reports/account-report-page.tsx"), "AccountReportPage"),
});
const workspaceHome = createRoute({ getParentRoute: () => workspace, path: "/", component: ToLinks });

function ToLinks() {
  const { account } = workspaceHome.useParams();
  const navigate = useNavigate();
  useEffect(() => void navigate({ to: "/a/$account/links", params: { account }, replace: true }), [navigate, account]);
  return null;
}

const tree = root.addChildren([
  home,
  signIn,
  setUp,
  signUp,
  join,
  forgot,
  reset,
  workspace.addChildren([workspaceHome, links, linkReport, accountReport]),
]);

export const openRouter = () =>
  createRouter({
    routeTree: tree,
    basepath: "/console",
    defaultPreload: "intent",
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

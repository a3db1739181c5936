import { Outlet, useLocation, useParams } from "@tanstack/react-router";
import { Suspense, useEffect, useMemo } from "react";
import { rememberAccount } from "#console/api/home-account.ts";
import { lazyPart } from "#console/api/load-part.ts";
import { useConsoleState, WorkspaceProvider } from "#console/api/session.tsx";
import { useShownSession } from "#console/api/shown-session.ts";
import { Failure } from "#console/ui/failure.tsx";
import { NotFoundPage } from "./not-found-page.tsx";
import { Redirect } from "./redirect.tsx";
import { Shell } from "./shell.tsx";

// Few accounts require it, and the list of links comes first.
const SsoWall = lazyPart(() => import("#console/sign-in/sso-wall.tsx"), "SsoWall");

/** Every page of an account: it needs someone who is signed in and belongs to it. */
export function Workspace() {
  const { account: accountId } = useParams({ from: "/a/$account" });
  const { href } = useLocation();
  const { data: state, error, refetch } = useConsoleState();
  const session = useShownSession(state);
  // The same as long as nothing in it changes: everything on the page depends on it.
  const signedIn = useMemo(() => state && session && { ...state, session }, [state, session]);
  useEffect(() => rememberAccount(accountId), [accountId]);
  // Once it is there, it stays while it is read again, whatever comes of that.
  if (!state) return error && <Failure error={error} onRetry={refetch} />;
  if (!signedIn) return <Redirect to="/sign-in" search={{ next: href }} />;
  const account = signedIn.session.accounts.find(({ id }) => id === accountId);
  if (!account) return <NotFoundPage />;
  if (account.needs_sso) {
    return (
      <Suspense>
        <SsoWall state={signedIn} account={account} />
      </Suspense>
    );
  }
  return (
    <WorkspaceProvider key={account.id} state={signedIn} account={account}>
      <Shell>
        <Outlet />
      </Shell>
    </WorkspaceProvider>
  );
}

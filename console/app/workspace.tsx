import { Outlet, useLocation, useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import { useConsoleState, WorkspaceProvider } from "#console/api/session.tsx";
import { useShownSession } from "#console/api/shown-session.ts";
import { Failure } from "#console/ui/failure.tsx";
import { rememberAccount } from "./home-redirect.tsx";
import { NotFoundPage } from "./not-found-page.tsx";
import { Redirect } from "./redirect.tsx";
import { Shell } from "./shell.tsx";

/** Every page of an account: it needs someone who is signed in and belongs to it. */
export function Workspace() {
  const { account: accountId } = useParams({ from: "/a/$account" });
  const { href } = useLocation();
  const { data: state, error, refetch } = useConsoleState();
  const session = useShownSession(state);
  useEffect(() => rememberAccount(accountId), [accountId]);
  // Once it is there, it stays while it is asked for anew, whatever comes of that.
  if (!state) return error && <Failure error={error} onRetry={refetch} />;
  if (!session) return <Redirect to="/sign-in" search={{ next: href }} />;
  const account = session.accounts.find(({ id }) => id === accountId);
  if (!account) return <NotFoundPage />;
  return (
    <WorkspaceProvider key={account.id} state={{ ...state, session }} account={account}>
      <Shell>
        <Outlet />
      </Shell>
    </WorkspaceProvider>
  );
}

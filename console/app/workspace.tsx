import { Outlet, useLocation, useNavigate, useParams } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useConsoleState, WorkspaceProvider } from "#console/api/session.tsx";
import { Failure } from "#console/ui/failure.tsx";
import { rememberAccount } from "./home-redirect.tsx";
import { NotFoundPage } from "./not-found-page.tsx";
import { Shell } from "./shell.tsx";

/** Every page of an account: it needs someone who is signed in and belongs to it. */
export function Workspace() {
  const { account: accountId } = useParams({ from: "/a/$account" });
  const { data: state, error, refetch } = useConsoleState();
  useEffect(() => rememberAccount(accountId), [accountId]);
  if (error) return <Failure error={error} onRetry={refetch} />;
  if (!state) return null;
  const { session } = state;
  if (!session) return <ToSignIn />;
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

/** Once, and from where the person was: while the next page loads, the location is its own already. */
function ToSignIn() {
  const navigate = useNavigate();
  const { href } = useLocation();
  const [next] = useState(href);
  useEffect(() => void navigate({ to: "/sign-in", search: { next }, replace: true }), [navigate, next]);
  return null;
}

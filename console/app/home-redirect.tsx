import { Navigate } from "@tanstack/react-router";
import { useConsoleState } from "#console/api/session.tsx";
import { Failure } from "#console/ui/failure.tsx";
import { NoAccountPage } from "./no-account-page.tsx";

const KEY = "kurz.account";

/** The account that was on screen last. */
export const rememberAccount = (id: string): void => localStorage.setItem(KEY, id);

/** Leads everyone to where they belong. */
export function HomeRedirect() {
  const { data: state, error, refetch } = useConsoleState();
  if (error) return <Failure error={error} onRetry={refetch} />;
  if (!state) return null;
  if (state.setup_required) return <Navigate to="/setup" replace />;
  if (!state.session) return <Navigate to="/sign-in" replace />;
  const { accounts } = state.session;
  const account = accounts.find(({ id }) => id === localStorage.getItem(KEY)) ?? accounts[0];
  if (!account) return <NoAccountPage />;
  return <Navigate to="/a/$account/links" params={{ account: account.id }} replace />;
}

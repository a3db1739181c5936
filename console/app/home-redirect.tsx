import { homeAccount } from "#console/api/home-account.ts";
import { useConsoleState } from "#console/api/session.tsx";
import { Failure } from "#console/ui/failure.tsx";
import { NoAccountPage } from "./no-account-page.tsx";
import { Redirect } from "./redirect.tsx";

/** Leads everyone to where they belong. */
export function HomeRedirect() {
  const { data: state, error, refetch } = useConsoleState();
  if (!state) return error && <Failure error={error} onRetry={refetch} />;
  if (state.setup_required) return <Redirect to="/setup" />;
  if (!state.session) return <Redirect to="/sign-in" />;
  const account = homeAccount(state.session.accounts);
  if (!account) return <NoAccountPage />;
  return <Redirect to="/a/$account/links" params={{ account: account.id }} />;
}

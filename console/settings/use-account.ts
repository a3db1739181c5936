import { useQuery } from "@tanstack/react-query";
import { useWorkspace } from "#console/api/session.tsx";
import { getAccount } from "#contract/console/account.ts";

/** The account on screen with its plan, and what it uses of it. */
export function useAccount() {
  const { account, call } = useWorkspace();
  return useQuery({ queryKey: ["account", account.id], queryFn: () => call(getAccount) });
}

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useCallback, useContext, useMemo } from "react";
import { type ConsoleState, getState, type Membership } from "#contract/console/session.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import { isAtLeast, type Role } from "#contract/roles.ts";
import { besideChanges } from "./beside-changes.ts";
import { type CallInput, type CallOutput, call } from "./call.ts";
import { withSession } from "./sign-in-again.ts";
import { withSudo } from "./sudo.ts";

export const stateKey = ["state"] as const;

const readState = () =>
  besideChanges(
    () => call(getState, { mayBePrefetched: true }, null),
    ({ session }) => session === null,
  );

export const useConsoleState = () => useQuery({ queryKey: stateKey, queryFn: readState, staleTime: 60_000 });

export interface Workspace {
  readonly account: Membership;
  readonly state: ConsoleState & { readonly session: NonNullable<ConsoleState["session"]> };
  /** Calls an endpoint within the account on screen. If the server asks who it is, the person is asked first. */
  readonly call: <const E extends Endpoint>(endpoint: E, input?: CallInput<E>) => Promise<CallOutput<E>>;
  /** Whether the person's role in this account is enough. */
  readonly may: (least: Role) => boolean;
}

const WorkspaceContext = createContext<Workspace | null>(null);

/** Everything below it works on one account. */
export function WorkspaceProvider({
  state,
  account,
  children,
}: {
  readonly state: Workspace["state"];
  readonly account: Membership;
  readonly children: ReactNode;
}) {
  const workspace = useMemo<Workspace>(
    () => ({
      account,
      state,
      call: (endpoint, input) => {
        const work = () => withSudo(() => call(endpoint, input ?? ({} as never), account.id));
        return endpoint.method === "GET" ? work() : withSession(work);
      },
      may: (least) => isAtLeast(account.role, least),
    }),
    [account, state],
  );
  return <WorkspaceContext value={workspace}>{children}</WorkspaceContext>;
}

export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext);
  if (!workspace) throw new Error("there is no account on screen");
  return workspace;
}

/** After signing in or out, or when a membership changed. */
export function useRefreshState(): () => Promise<void> {
  const client = useQueryClient();
  return useCallback(() => client.invalidateQueries({ queryKey: stateKey }), [client]);
}

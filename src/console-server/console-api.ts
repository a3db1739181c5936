import { forConsole } from "#contract/console/operations.ts";
import { type ApiOptions, mountApi } from "#http/mount.ts";
import type { Route } from "#http/route.ts";
import type { Caller } from "#kernel/caller.ts";
import type { Requester, SignedInRequester } from "#sign-in/requester.ts";
import { type AuthorizeDeps, assertSignedIn, authorizeConsole, type ConsoleAccess } from "./authorize.ts";
import type { ConsoleCaller } from "./console-caller.ts";

export interface ConsoleApiOptions extends Pick<ApiOptions<ConsoleAccess>, "https" | "onDone" | "onBug"> {
  readonly authorization: AuthorizeDeps;
  /** Callable without signing in. */
  readonly open: readonly Route<Requester>[];
  readonly ofUser: readonly Route<SignedInRequester>[];
  readonly ofAccount: readonly Route<ConsoleCaller>[];
  /** The API's own operations, mounted under /console. */
  readonly api: readonly Route<Caller>[];
}

/** The console's API: the same definitions and use cases as the public one, authorized by session. */
export function mountConsoleApi(options: ConsoleApiOptions): (request: Request) => Promise<Response> {
  const { authorization, open, ofUser, ofAccount, api, ...shared } = options;
  const policy = { ...shared, cors: { allowedOrigins: [] }, authorize: authorizeConsole(authorization) };
  const own = mountApi<ConsoleAccess>({
    ...policy,
    routes: [
      ...open.map((route) => adapt(route, ({ requester }) => requester)),
      ...ofUser.map((route) => adapt(route, ({ requester }) => assertSignedIn(requester))),
      ...ofAccount.map((route) => adapt(route, getMember)),
    ],
  });
  const shown = mountApi<ConsoleAccess>({
    ...policy,
    prefix: "/console",
    routes: api.map((route) => adapt({ ...route, endpoint: forConsole(route.endpoint) }, getMember)),
  });
  return (request) => (/^https?:\/\/[^/]*\/console\/api\/v1\//.test(request.url) ? shown(request) : own(request));
}

const adapt = <C>(route: Route<C>, toCaller: (access: ConsoleAccess) => C): Route<ConsoleAccess> => ({
  ...route,
  handle: (access, input) => route.handle(toCaller(access), input),
});

function getMember({ member }: ConsoleAccess): ConsoleCaller {
  if (!member) throw new Error("the operation is about an account but has no role");
  return member;
}

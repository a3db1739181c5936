import { forConsole } from "#contract/console/operations.ts";
import { type ApiOptions, mountApi } from "#http/mount.ts";
import type { Route } from "#http/route.ts";
import type { Caller } from "#kernel/caller.ts";
import type { SignedInVisitor, Visitor } from "#sign-in/visitor.ts";
import { type AdmissionDeps, type Admitted, admitToConsole, assertSignedIn, type ConsoleCaller } from "./admission.ts";

export interface ConsoleApiOptions extends Pick<ApiOptions<Admitted>, "https" | "onDone" | "onBug"> {
  readonly admission: AdmissionDeps;
  /** What anyone may call. */
  readonly open: readonly Route<Visitor>[];
  readonly ofPerson: readonly Route<SignedInVisitor>[];
  readonly ofAccount: readonly Route<ConsoleCaller>[];
  /** The API's own operations, which the console uses under its prefix. */
  readonly api: readonly Route<Caller>[];
}

/** The console's side of the server: the same definitions and use cases as the API, admitted by session. */
export function mountConsoleApi(options: ConsoleApiOptions): (request: Request) => Promise<Response> {
  const { admission, open, ofPerson, ofAccount, api, ...shared } = options;
  const policy = { ...shared, cors: { allowedOrigins: [] }, authorize: admitToConsole(admission) };
  const own = mountApi<Admitted>({
    ...policy,
    routes: [
      ...open.map((route) => adapt(route, ({ visitor }) => visitor)),
      ...ofPerson.map((route) => adapt(route, ({ visitor }) => assertSignedIn(visitor))),
      ...ofAccount.map((route) => adapt(route, getMember)),
    ],
  });
  const shown = mountApi<Admitted>({
    ...policy,
    prefix: "/console",
    routes: api.map((route) => adapt({ ...route, endpoint: forConsole(route.endpoint) }, getMember)),
  });
  return (request) => (/^https?:\/\/[^/]*\/console\/api\/v1\//.test(request.url) ? shown(request) : own(request));
}

const adapt = <C>(route: Route<C>, toCaller: (admitted: Admitted) => C): Route<Admitted> => ({
  ...route,
  handle: (admitted, input) => route.handle(toCaller(admitted), input),
});

function getMember({ member }: Admitted): ConsoleCaller {
  if (!member) throw new Error("the operation is about an account, but names no role");
  return member;
}

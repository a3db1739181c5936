import {
  forgetPassword,
  getState,
  resetPassword,
  setUp,
  signIn,
  signInWithCode,
  signInWithPasskey,
  signOut,
  signUp,
  startPasskeySignIn,
} from "#contract/console/session.ts";
import { confirmEmail, getInvitation } from "#contract/console/user.ts";
import { type Route, route } from "#http/route.ts";
import type { EmailChangeService } from "./email-change.service.ts";
import type { JoiningService } from "./joining.service.ts";
import type { PasswordService } from "./password.service.ts";
import type { Requester } from "./requester.ts";
import type { SignInService } from "./sign-in.service.ts";
import { describeState, type StateDeps } from "./state.ts";

interface Deps extends StateDeps {
  readonly signIn: SignInService;
  readonly joining: JoiningService;
  readonly passwords: PasswordService;
  readonly emails: EmailChangeService;
  /** Where to sign out of the operator's provider as well. */
  readonly logoutUrl: (requester: Requester) => Promise<string | null>;
}

/** Callable without signing in. */
export const sessionRoutes = (deps: Deps): readonly Route<Requester>[] => [
  route(getState, (requester: Requester) => describeState(deps, requester)),
  route(setUp, (requester: Requester, { body }) => deps.joining.setUp(requester, body)),
  route(signUp, (requester: Requester, { body }) => deps.joining.signUp(requester, body)),
  route(signIn, (requester: Requester, { body }) => deps.signIn.signIn(requester, body)),
  route(signInWithCode, (requester: Requester, { body }) => deps.signIn.signInWithCode(requester, body.code)),
  route(startPasskeySignIn, (requester: Requester) => deps.signIn.startPasskey(requester)),
  route(signInWithPasskey, (requester: Requester, { body }) => deps.signIn.signInWithPasskey(requester, body.response)),
  route(signOut, async (requester: Requester) => {
    await deps.signIn.signOut(requester);
    return { continue_at: await deps.logoutUrl(requester) };
  }),
  route(forgetPassword, (requester: Requester, { body }) => deps.passwords.forget(requester, body.email)),
  route(resetPassword, (requester: Requester, { body }) => deps.passwords.reset(requester, body)),
  route(confirmEmail, (requester: Requester, { body }) => deps.emails.confirm(requester, body.token)),
  route(getInvitation, (_: Requester, { params }) => deps.joining.describeInvitation(params.id)),
];

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
import type { SignInService } from "./sign-in.service.ts";
import { describeState, type StateDeps } from "./state.ts";
import type { Visitor } from "./visitor.ts";

interface Deps extends StateDeps {
  readonly signIn: SignInService;
  readonly joining: JoiningService;
  readonly passwords: PasswordService;
  readonly emails: EmailChangeService;
}

/** What anyone may call. */
export const sessionRoutes = (deps: Deps): readonly Route<Visitor>[] => [
  route(getState, (visitor: Visitor) => describeState(deps, visitor)),
  route(setUp, (visitor: Visitor, { body }) => deps.joining.setUp(visitor, body)),
  route(signUp, (visitor: Visitor, { body }) => deps.joining.signUp(visitor, body)),
  route(signIn, (visitor: Visitor, { body }) => deps.signIn.signIn(visitor, body)),
  route(signInWithCode, (visitor: Visitor, { body }) => deps.signIn.signInWithCode(visitor, body.code)),
  route(startPasskeySignIn, (visitor: Visitor) => deps.signIn.startPasskey(visitor)),
  route(signInWithPasskey, (visitor: Visitor, { body }) => deps.signIn.signInWithPasskey(visitor, body.response)),
  route(signOut, (visitor: Visitor) => deps.signIn.signOut(visitor)),
  route(forgetPassword, (visitor: Visitor, { body }) => deps.passwords.forget(visitor, body.email)),
  route(resetPassword, (visitor: Visitor, { body }) => deps.passwords.reset(visitor, body)),
  route(confirmEmail, (visitor: Visitor, { body }) => deps.emails.confirm(visitor, body.token)),
  route(getInvitation, (_: Visitor, { params }) => deps.joining.describeInvitation(params.id)),
];

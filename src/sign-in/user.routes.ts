import { confirmPassword } from "#contract/console/session.ts";
import {
  acceptInvitation,
  addPasskey,
  changeEmail,
  changePassword,
  confirmTwoFactor,
  deleteUser,
  endOtherSessions,
  endSession,
  endTwoFactor,
  listPasskeys,
  listSessions,
  removePasskey,
  renamePasskey,
  renewBackupCodes,
  startPasskey,
  startTwoFactor,
  updateUser,
} from "#contract/console/user.ts";
import { type Route, route } from "#http/route.ts";
import type { EmailChangeService } from "./email-change.service.ts";
import type { JoiningService } from "./joining.service.ts";
import type { PasskeyService } from "./passkeys.service.ts";
import type { PasswordService } from "./password.service.ts";
import type { SignedInRequester } from "./requester.ts";
import type { SessionService } from "./sessions.service.ts";
import type { SignInService } from "./sign-in.service.ts";
import { describeUser } from "./state.ts";
import type { TwoFactorService } from "./two-factor.service.ts";
import type { UserService } from "./users.service.ts";

export interface UserServices {
  readonly signIn: SignInService;
  readonly joining: JoiningService;
  readonly passwords: PasswordService;
  readonly twoFactor: TwoFactorService;
  readonly passkeys: PasskeyService;
  readonly sessions: SessionService;
  readonly emails: EmailChangeService;
  readonly users: UserService;
}

type Me = SignedInRequester;

/** What users manage about themselves. */
export const userRoutes = (services: UserServices): readonly Route<Me>[] => {
  const { signIn, joining, passwords, twoFactor, passkeys, sessions, emails, users } = services;
  return [
    route(confirmPassword, (me: Me, { body }) => signIn.confirmPassword(me, body)),
    route(updateUser, async (me: Me, { body }) => {
      await sessions.rename(me, body.name);
      return describeUser({ ...me.session, name: body.name });
    }),
    route(changeEmail, (me: Me, { body }) => emails.start(me, body.email)),
    route(deleteUser, async ({ session }: Me) => {
      await users.remove(session.userId, `user:${session.userId}`);
      return undefined;
    }),
    route(changePassword, (me: Me, { body }) => passwords.change(me, body)),
    route(listSessions, (me: Me) => sessions.list(me)),
    route(endSession, (me: Me, { params }) => sessions.end(me, params.id)),
    route(endOtherSessions, (me: Me) => sessions.endOthers(me)),
    route(startTwoFactor, (me: Me) => twoFactor.start(me)),
    route(confirmTwoFactor, (me: Me, { body }) => twoFactor.confirm(me, body.code)),
    route(renewBackupCodes, (me: Me) => twoFactor.renewCodes(me)),
    route(endTwoFactor, (me: Me) => twoFactor.end(me)),
    route(listPasskeys, (me: Me) => passkeys.list(me)),
    route(startPasskey, (me: Me) => passkeys.start(me)),
    route(addPasskey, (me: Me, { body }) => passkeys.add(me, body)),
    route(renamePasskey, (me: Me, { params, body }) => passkeys.rename(me, params.id, body.name)),
    route(removePasskey, (me: Me, { params }) => passkeys.remove(me, params.id)),
    route(acceptInvitation, (me: Me, { params }) => joining.acceptInvitation(me, params.id)),
  ];
};

import { command } from "./command.ts";
import { required } from "./option.ts";
import { emailAddress } from "./option-values.ts";
import { formatTable } from "./table.ts";

const email = required("EMAIL", emailAddress, "The user's e-mail address.");

const usersResetLink = command({
  name: "users reset-link",
  summary: "Create a password reset link for a user and print it",
  notes:
    "The link works once, within one hour. Anyone who has it can take over the user, so send it over a channel that only " +
    "they can read. The user's second factor stays on, unless the e-mail address was never confirmed.",
  positionals: { email },
  run: async ({ services }, { email: address }) => (await services()).resetLinks.createForOperator(address),
  print: ({ url }) => url,
});

const usersList = command({
  name: "users list",
  summary: "List everyone who can sign in",
  run: async ({ services }) => (await services()).users.list(),
  print: (people) =>
    people.length === 0
      ? "There are no users."
      : formatTable(
          ["ID", "EMAIL", "NAME", "TWO-FACTOR", "ACCOUNTS", "CREATED"],
          people.map(({ id, email: address, name, two_factor, accounts, created_at }) => [
            id,
            address,
            name,
            two_factor ? "on" : "off",
            accounts.map(({ id: account, role }) => `${account} (${role})`).join(", "),
            created_at,
          ]),
        ),
});

const usersDelete = command({
  name: "users delete",
  summary: "Delete a user: they are signed out and removed from every account",
  notes:
    "Their name and e-mail address are erased, also from audit logs. Every account needs an owner, so for accounts of " +
    "which they are the only owner, first add another one (accounts add-owner) or delete the account (accounts delete). " +
    "Remains in unused parts of the file are erased when the server next stops.",
  positionals: { email },
  run: async ({ services }, { email: address }) => (await services()).users.removeByEmail(address),
  print: ({ id }) => `The user ${id} is deleted.`,
});

const usersResetTwoFactor = command({
  name: "users reset-2fa",
  summary: "Turn off a user's second factor, if they lost it and the backup codes",
  notes: "Verify who is asking: afterwards the password alone is enough to sign in. All sessions end; passkeys stay.",
  positionals: { email },
  run: async ({ services }, { email: address }) => (await services()).users.resetTwoFactor(address),
  print: ({ id }) => `The user ${id} can now sign in without a second factor.`,
});

const usersForgetSso = command({
  name: "users forget-sso",
  summary: "Forget which person at the single sign-on provider a user is",
  notes:
    "For someone whom the provider has created again. The next person who signs in there with the user's e-mail address " +
    "gets the user, so check who has it. All sessions end; password and passkeys stay.",
  positionals: { email },
  run: async ({ services }, { email: address }) => (await services()).users.forgetSso(address),
  print: ({ id }) => `The user ${id} is nobody at the provider any more.`,
});

export const userCommands = [usersList, usersResetLink, usersResetTwoFactor, usersForgetSso, usersDelete];

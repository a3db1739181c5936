import { command } from "./command.ts";
import { required } from "./option.ts";
import { emailAddress } from "./option-values.ts";
import { formatTable } from "./table.ts";

const email = required("EMAIL", emailAddress, "The user's e-mail address.");

const usersResetLink = command({
  name: "users reset-link",
  summary: "Create a link with which a user sets a new password, and print it",
  notes:
    "The link works once and for one hour. Anyone who has it can take over the user, so send it in a way that only " +
    "they can read. The user's second factor stays as it is, unless nobody has confirmed the e-mail address so far.",
  positionals: { email },
  run: ({ services }, { email: address }) => services().resetLinks.createForOperator(address),
  print: ({ url }) => url,
});

const usersList = command({
  name: "users list",
  summary: "List everyone who can sign in",
  run: ({ services }) => services().users.list(),
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
  summary: "Delete a user: they are signed out and leave every account",
  notes:
    "Their name and e-mail address are erased, in audit logs too. An account keeps at least one owner, so first give " +
    "accounts that are theirs alone another one (accounts add-owner) or delete them (accounts delete). " +
    "Copies in unused parts of the file are erased when the server next stops.",
  positionals: { email },
  run: async ({ services }, { email: address }) => services().users.removeByEmail(address),
  print: ({ id }) => `The user ${id} is deleted.`,
});

const usersResetTwoFactor = command({
  name: "users reset-2fa",
  summary: "Turn off a user's second factor, for one who has lost it and the backup codes",
  notes:
    "Make sure that it is them who ask: afterwards the password alone lets in. Every session ends, and passkeys stay.",
  positionals: { email },
  run: async ({ services }, { email: address }) => services().users.resetTwoFactor(address),
  print: ({ id }) => `The user ${id} signs in without a second factor.`,
});

export const userCommands = [usersList, usersResetLink, usersResetTwoFactor, usersDelete];

import { command } from "./command.ts";
import { required } from "./option.ts";
import { emailAddress } from "./option-values.ts";

const email = required("EMAIL", emailAddress, "The user's e-mail address.");

const usersResetLink = command({
  name: "users reset-link",
  summary: "Create a link with which a user sets a new password, and print it",
  notes:
    "The link works once and for one hour. Anyone who has it can take over the user, so hand it over on a way that only " +
    "they read. The user's second factor stays as it is, unless nobody has confirmed the e-mail address so far.",
  positionals: { email },
  run: ({ services }, { email: address }) => services().resetLinks.createForOperator(address),
  print: ({ url }) => url,
});

export const userCommands = [usersResetLink];

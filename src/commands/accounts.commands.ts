import { removeAccount } from "#account-removal/account-removal.ts";
import { text } from "#config/value-kinds.ts";
import { LOGO_BYTES_MAX, LOGO_SIDE_MAX } from "#contract/limits.ts";
import { toTimestampOrNull } from "#kernel/clock.ts";
import { BadPicture } from "#qr/bad-picture.ts";
import { type Command, command } from "./command.ts";
import { asked, optional, required } from "./option.ts";
import { emailAddress, idText, nameText } from "./option-values.ts";
import { formatTable } from "./table.ts";

const LISTED_MAX = 3;

/** Lets `accounts create` ask for a password only where one is needed. */
const accountsExists = command({
  name: "accounts exists",
  summary: "Tell whether an e-mail address has a user",
  hidden: true,
  options: { email: required("E", emailAddress, "The e-mail address.") },
  run: async ({ services }, { email }) => ({ exists: await services().accounts.hasUser(email) }),
  print: ({ exists }) => (exists ? "yes" : "no"),
});

const askForNewPassword: Command["ask"] = async (raw, { invoke, readPassword }) => {
  const { email = "" } = raw;
  const { exists } = (await invoke(accountsExists, { email })) as { exists: boolean };
  return exists ? raw : { ...raw, password: await readPassword(`Password for ${email}: `) };
};

/** Looked at only where the address has no user yet. */
const passwordFrom = (given: string | null) => async (): Promise<string> => {
  if (given === null) throw new Error("no password was given");
  return given;
};

const accountsCreate = command({
  name: "accounts create",
  summary: "Create an account with an owner, and print its id",
  notes:
    "The owner's password is read from standard input, without its last newline; at a terminal it is asked for. " +
    "An e-mail address that already has a user makes that user the owner, and no password is read. " +
    "Names needn't be unique: if another account has the same name, the command says so on standard error.",
  options: {
    email: required("E", emailAddress, "The owner's e-mail address."),
    name: required("N", nameText, "The account's name."),
    plan: optional("P", idText, "The account's plan; without it, the deployment's default plan."),
    password: asked(text),
  },
  ask: askForNewPassword,
  run: async ({ services }, { email, name, plan, password }) => {
    const { accounts } = services();
    const sameName = (await accounts.list()).filter((other) => other.name === name).map(({ id }) => id);
    const { id } = await accounts.create({ email, name, planId: plan, password: passwordFrom(password) });
    return { id, same_name: sameName };
  },
  print: ({ id }) => id,
  notice: ({ id, same_name: others }) =>
    others.length === 0
      ? null
      : `note: there is already an account of this name (${others.slice(0, LISTED_MAX).join(", ")}); ` +
        `to undo this, run kurz accounts delete ${id}`,
});

const accountsList = command({
  name: "accounts list",
  summary: "List the accounts",
  run: async ({ services }) => {
    const accounts = await services().accounts.list();
    return accounts.map((account) => ({ ...account, suspended_at: toTimestampOrNull(account.suspended_at) }));
  },
  print: (accounts) =>
    accounts.length === 0
      ? "There are no accounts."
      : formatTable(
          ["ID", "NAME", "OWNER", "PLAN", "ACTIVE LINKS", "STATE", "CREATED"],
          accounts.map(({ id, name, owner, plan_id, active_links, suspended_at, created_at }) => [
            id,
            name,
            owner ?? "",
            plan_id,
            String(active_links),
            suspended_at === null ? "active" : "suspended",
            created_at,
          ]),
        ),
});

const account = required("ACCOUNT_ID", idText, "The account's id.");

const accountsSuspend = command({
  name: "accounts suspend",
  summary: "Stop an account: its tokens are refused and its links answer as blocked",
  positionals: { account },
  run: async ({ services }, { account: id }) => {
    await services().accounts.suspend(id);
    return { id, suspended: true };
  },
  print: ({ id }) => `The account ${id} is suspended.`,
});

const accountsResume = command({
  name: "accounts resume",
  summary: "End an account's suspension",
  positionals: { account },
  run: async ({ services }, { account: id }) => {
    await services().accounts.resume(id);
    return { id, suspended: false };
  },
  print: ({ id }) => `The account ${id} is active again.`,
});

const accountsAddOwner = command({
  name: "accounts add-owner",
  summary: "Make someone an owner of an account, such as one whose only owner has left",
  notes:
    "Someone who belongs to the account gets the role. An e-mail address without a user gets one, whose password is " +
    "read from standard input, without its last newline; at a terminal it is asked for.",
  options: {
    account: required("ID", idText, "The account's id."),
    email: required("E", emailAddress, "The new owner's e-mail address."),
    password: asked(text),
  },
  ask: askForNewPassword,
  run: ({ services }, { account: accountId, email, password }) =>
    services().accounts.addOwner({ accountId, email, password: passwordFrom(password) }),
  print: ({ account_id, user_id }) => `The user ${user_id} is an owner of the account ${account_id}.`,
});

const accountsDelete = command({
  name: "accounts delete",
  summary: "Delete an account with its links, clicks, tokens and webhooks, for good",
  notes:
    "Its links stop working at once. The rest is erased by the running server, or after its next start; copies in " +
    "unused parts of the file go when the server next stops. Users and backups stay.",
  positionals: { account },
  run: async ({ services }, { account: id }) => {
    await removeAccount(services(), id);
    return { id, deleted: true };
  },
  print: ({ id }) => `The account ${id} is deleted.`,
});

const accountsSetLogo = command({
  name: "accounts set-logo",
  summary: "Set the picture that an account may have in the middle of its QR codes",
  notes: `A PNG of at most ${LOGO_BYTES_MAX / 1024} KiB and ${LOGO_SIDE_MAX} × ${LOGO_SIDE_MAX} pixels. Only its pixels are kept.`,
  positionals: { account },
  options: {
    file: required("F", text, "The PNG file."),
    picture: asked(text),
  },
  ask: async ({ file = "", ...raw }) => ({ ...raw, file, picture: await readFile(String(file)) }),
  run: async ({ services }, { account: accountId, picture }) => {
    await services().logos.set({ accountId, actor: "operator" }, Buffer.from(picture ?? "", "base64"));
    return { id: accountId, logo: true };
  },
  print: ({ id }) => `The account ${id} has a logo.`,
});

const accountsRemoveLogo = command({
  name: "accounts remove-logo",
  summary: "Remove an account's logo",
  positionals: { account },
  run: async ({ services }, { account: accountId }) => {
    const had = await services().logos.remove({ accountId, actor: "operator" });
    if (!had) throw new Error(`the account "${accountId}" has no logo`);
    return { id: accountId, logo: false };
  },
  print: ({ id }) => `The account ${id} has no logo any more.`,
});

/** In base64, since a running server is sent text. */
async function readFile(path: string): Promise<string> {
  const file = Bun.file(path);
  if (file.size > LOGO_BYTES_MAX) throw new BadPicture(`a logo may have at most ${LOGO_BYTES_MAX / 1024} KiB`);
  try {
    return Buffer.from(await file.bytes()).toString("base64");
  } catch {
    throw new Error(`the file ${path} cannot be read`);
  }
}

export const accountCommands = [
  accountsCreate,
  accountsExists,
  accountsList,
  accountsSuspend,
  accountsResume,
  accountsAddOwner,
  accountsDelete,
  accountsSetLogo,
  accountsRemoveLogo,
];

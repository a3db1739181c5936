import { text } from "#config/value-kinds.ts";
import { LOGO_BYTES_MAX, LOGO_SIDE_MAX } from "#contract/limits.ts";
import { toTimestampOrNull } from "#kernel/clock.ts";
import { InvalidLogo } from "#qr/invalid-logo.ts";
import { type Command, command } from "./command.ts";
import { asked, optional, required } from "./option.ts";
import { emailAddress, idText, nameText } from "./option-values.ts";
import { formatTable } from "./table.ts";

const LISTED_MAX = 3;

/** Lets `accounts create` prompt for a password only if one is needed. */
const accountsExists = command({
  name: "accounts exists",
  summary: "Show whether an e-mail address has a user",
  hidden: true,
  options: { email: required("E", emailAddress, "The e-mail address.") },
  run: async ({ services }, { email }) => ({ exists: await (await services()).accounts.hasUser(email) }),
  print: ({ exists }) => (exists ? "yes" : "no"),
});

const askForNewPassword: Command["ask"] = async (raw, { invoke, readPassword }) => {
  const { email = "" } = raw;
  const { exists } = (await invoke(accountsExists, { email })) as { exists: boolean };
  return exists ? raw : { ...raw, password: await readPassword(`Password for ${email}: `) };
};

/** Called only if the address has no user yet. */
const passwordFrom = (given: string | null) => async (): Promise<string> => {
  if (given === null) throw new Error("no password was given");
  return given;
};

const accountsCreate = command({
  name: "accounts create",
  summary: "Create an account with an owner, and print its id",
  notes:
    "The owner's password is read from standard input, without a trailing newline; at a terminal you are prompted for it. " +
    "If the e-mail address already has a user, that user becomes the owner and no password is read. " +
    "A new owner is named after the address, as ada, and can change that in the console. " +
    "Names needn't be unique: if another account has the same name, the command says so on standard error.",
  options: {
    email: required("E", emailAddress, "The owner's e-mail address."),
    name: required("N", nameText, "The account name."),
    plan: optional("P", idText, "The account's plan. Default: the deployment's default plan."),
    password: asked(text),
  },
  ask: askForNewPassword,
  run: async ({ services }, { email, name, plan, password }) => {
    const { accounts } = await services();
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
    const accounts = await (await services()).accounts.list();
    return accounts.map((account) => ({
      ...account,
      suspended_at: toTimestampOrNull(account.suspended_at),
      sso_required: account.sso_required === 1,
    }));
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

const account = required("ACCOUNT_ID", idText, "The account id.");

const accountsSuspend = command({
  name: "accounts suspend",
  summary: "Suspend an account: its tokens are rejected and its links show the blocked page",
  positionals: { account },
  run: async ({ services }, { account: id }) => {
    const { accounts } = await services();
    await accounts.suspend(id);
    return { id, suspended: true };
  },
  print: ({ id }) => `The account ${id} is suspended.`,
});

const accountsResume = command({
  name: "accounts resume",
  summary: "End an account's suspension",
  positionals: { account },
  run: async ({ services }, { account: id }) => {
    const { accounts } = await services();
    await accounts.resume(id);
    return { id, suspended: false };
  },
  print: ({ id }) => `The account ${id} is active again.`,
});

const accountsRequireSso = command({
  name: "accounts require-sso",
  summary: "Let only people who signed in with single sign-on work in an account",
  notes:
    "API tokens keep working. Without KURZ_OIDC_ISSUER nobody can open the account until accounts allow-passwords.",
  positionals: { account },
  run: async ({ services, config }, { account: id }) => {
    await (await services()).accounts.requireSso(id, true);
    return { id, sso_required: true, has_provider: config.oidcIssuer !== null };
  },
  print: ({ id }) => `The account ${id} now requires single sign-on.`,
  notice: ({ has_provider }) =>
    has_provider ? null : "note: single sign-on isn't set up (KURZ_OIDC_ISSUER), so nobody can open the account",
});

const accountsAllowPasswords = command({
  name: "accounts allow-passwords",
  summary: "Let people work in an account however they signed in, for example if the provider is gone",
  positionals: { account },
  run: async ({ services }, { account: id }) => {
    await (await services()).accounts.requireSso(id, false);
    return { id, sso_required: false };
  },
  print: ({ id }) => `The account ${id} accepts passwords and passkeys.`,
});

const accountsAddOwner = command({
  name: "accounts add-owner",
  summary: "Make someone an owner of an account, for example if its only owner has left",
  notes:
    "A member of the account gets the role. If the e-mail address has no user, one is created: its password is read " +
    "from standard input, without a trailing newline; at a terminal you are prompted for it.",
  options: {
    account: required("ID", idText, "The account id."),
    email: required("E", emailAddress, "The new owner's e-mail address."),
    password: asked(text),
  },
  ask: askForNewPassword,
  run: async ({ services }, { account: accountId, email, password }) =>
    (await services()).accounts.addOwner({ accountId, email, password: passwordFrom(password) }),
  print: ({ account_id, user_id }) => `The user ${user_id} is now an owner of the account ${account_id}.`,
});

const accountsDelete = command({
  name: "accounts delete",
  summary: "Permanently delete an account with its links, clicks, tokens and webhooks",
  notes:
    "Its links stop working at once. The running server erases the rest, or does so after its next start; remains in " +
    "unused parts of the file are erased when the server next stops. Users and backups are not deleted.",
  positionals: { account },
  run: async ({ services }, { account: id }) => {
    const { removeAccount } = await import("#account-removal/account-removal.ts");
    await removeAccount(await services(), id);
    return { id, deleted: true };
  },
  print: ({ id }) => `The account ${id} is deleted.`,
});

const accountsSetLogo = command({
  name: "accounts set-logo",
  summary: "Set the logo that an account can show in the center of its QR codes",
  notes: `A PNG of at most ${LOGO_BYTES_MAX / 1024} KiB and ${LOGO_SIDE_MAX} × ${LOGO_SIDE_MAX} pixels. Only the pixels are stored.`,
  positionals: { account },
  options: {
    file: required("F", text, "The PNG file."),
    picture: asked(text),
  },
  ask: async ({ file = "", ...raw }) => ({ ...raw, file, picture: await readFile(String(file)) }),
  run: async ({ services }, { account: accountId, picture }) => {
    const { logos } = await services();
    await logos.set({ accountId, actor: "operator" }, Buffer.from(picture ?? "", "base64"));
    return { id: accountId, logo: true };
  },
  print: ({ id }) => `The account ${id} now has a logo.`,
});

const accountsRemoveLogo = command({
  name: "accounts remove-logo",
  summary: "Remove an account's logo",
  positionals: { account },
  run: async ({ services }, { account: accountId }) => {
    const { logos } = await services();
    const had = await logos.remove({ accountId, actor: "operator" });
    if (!had) throw new Error(`the account "${accountId}" has no logo`);
    return { id: accountId, logo: false };
  },
  print: ({ id }) => `The account ${id} no longer has a logo.`,
});

/** As base64, because commands are sent to a running server as text. */
async function readFile(path: string): Promise<string> {
  const file = Bun.file(path);
  if (file.size > LOGO_BYTES_MAX) throw new InvalidLogo(`a logo can have at most ${LOGO_BYTES_MAX / 1024} KiB`);
  try {
    return Buffer.from(await file.bytes()).toString("base64");
  } catch {
    throw new Error(`the file ${path} can't be read`);
  }
}

export const accountCommands = [
  accountsCreate,
  accountsExists,
  accountsList,
  accountsSuspend,
  accountsResume,
  accountsRequireSso,
  accountsAllowPasswords,
  accountsAddOwner,
  accountsDelete,
  accountsSetLogo,
  accountsRemoveLogo,
];

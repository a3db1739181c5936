import { Kurz } from "../../../sdk/src/client.ts";
import { command } from "../command.ts";
import { instanceUrl, isExposed, TOKEN } from "../connection.ts";
import { CommandError, exitCodes, UsageError } from "../exit-codes.ts";
import type { Io } from "../io.ts";
import { DEFAULT_PROFILE } from "../profile-store.ts";
import { formatFields } from "../table.ts";
import { showTime } from "../times.ts";

const PROFILE_NAME = /^[\w.-]{1,50}$/;

const login = command({
  name: "login",
  summary: "Sign in to an instance with an API token",
  notes: `Create the token in the console, under Developer. It is asked for without being shown, checked, and stored in a file
that only you can read. Scripts can set KURZ_URL and KURZ_TOKEN instead.`,
  positionals: [{ label: "URL", help: "The address of the instance. Asked for if you leave it out.", optional: true }],
  options: {
    "token-stdin": { help: "Read the token from standard input." },
  },
  async run({ io, profiles, profileName, env }, input) {
    const name = profileName || env.KURZ_PROFILE || profiles.current() || DEFAULT_PROFILE;
    if (!PROFILE_NAME.test(name))
      throw new UsageError("a profile's name has letters, digits, dots, dashes and underscores");
    const isAsked = !input.flag("token-stdin");
    if (isAsked && !io.inIsTerminal) throw new UsageError("standard input is no terminal; use --token-stdin");
    const [typed] = input.positionals;
    if (typed === undefined && !isAsked) throw new UsageError("with --token-stdin, login needs the URL");
    const url = instanceUrl(typed ?? (await io.ask("Address of your instance: ")), "the URL");
    const stored = profiles.find(name);
    if (stored && stored.url !== url && profileName === undefined) {
      throw new UsageError(
        `the profile ${name} is signed in to ${stored.url}; add --profile with another name to keep it, or --profile ${name} to replace it`,
      );
    }
    if (isExposed(url)) await io.err("kurz: this connection isn't encrypted: others on the way can read the token\n");
    const token = await readToken(io, isAsked);
    const { account, token: found } = await new Kurz({ baseUrl: url, token }).me.get();
    const current = profiles.save(name, { url, token });
    return { url, profile: name, current, account: account.name, scopes: found.scopes, expires_at: found.expires_at };
  },
  print: ({ url, account, profile, current }) => {
    const signedIn = `Signed in to ${account} on ${url}${profile === DEFAULT_PROFILE ? "" : ` (profile ${profile})`}.`;
    return current === profile ? signedIn : `${signedIn} To use it by default: kurz profiles use ${profile}`;
  },
});

async function readToken(io: Io, isAsked: boolean): Promise<string> {
  const token = (isAsked ? await io.askSecretly("API token: ") : await io.readInput()).trim();
  if (token === "") throw new UsageError("the token is empty");
  if (!TOKEN.test(token)) throw new UsageError("that is no API token: it has characters that no token has");
  return token;
}

const logout = command({
  name: "logout",
  summary: "Forget the token of a profile",
  notes: "The token stays valid: revoke it in the console, under Developer, if nothing else uses it.",
  async run({ profiles, profileName, env }) {
    const name = profileName || env.KURZ_PROFILE || profiles.current();
    const profile = name === null ? undefined : profiles.find(name);
    if (name === null || !profile) throw new CommandError("you aren't signed in", exitCodes.notAllowed);
    const current = profiles.remove(name);
    return { url: profile.url, profile: name, current };
  },
  print: ({ url, profile, current }) =>
    `Signed out of ${url} (profile ${profile}).${current === null || current === profile ? "" : ` Now using ${current}.`}`,
});

const whoami = command({
  name: "whoami",
  summary: "Show the instance, account and token in use",
  async run(context) {
    const { url, profile } = context.connection();
    return { url, profile, ...(await context.kurz().me.get()) };
  },
  print: ({ url, profile, account, token, plan }, view) =>
    formatFields(
      [
        ["Instance", url],
        ["Profile", profile ?? "from KURZ_URL and KURZ_TOKEN"],
        ["Account", account.name],
        ["Plan", plan.id],
        ["Token", token.name],
        ["Scopes", token.scopes.join(", ")],
        ["Expires", showTime(token.expires_at, view.timeZone) || "never"],
      ],
      view,
    ),
});

export const signInCommands = [login, logout, whoami];

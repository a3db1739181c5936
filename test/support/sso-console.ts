import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CookieJar } from "tough-cookie";
import { finishSingleSignOn, startSingleSignOn } from "#contract/console/single-sign-on.ts";
import { type ConsoleAnswer, ConsoleClient, type ConsoleServer, OWNER_EMAIL, startConsole } from "./console-client.ts";
import { freePort } from "./free-port.ts";
import { type IdentityProvider, startIdentityProvider, visitProvider } from "./identity-provider.ts";
import { type KurzServer, startKurz } from "./kurz-server.ts";

export interface SsoConsole {
  readonly server: KurzServer;
  readonly url: string;
  readonly provider: IdentityProvider;
  /** The first account, whose owner has a password. */
  readonly account: string;
  readonly owner: ConsoleClient;
  guest(): ConsoleClient;
  stop(): Promise<void>;
}

/** A server whose people can sign in with a real provider. */
export async function startSsoConsole(
  envFor: (account: string) => Readonly<Record<string, string>> = () => ({}),
): Promise<SsoConsole> {
  const dataDir = mkdtempSync(join(tmpdir(), "kurz-sso-"));
  const port = freePort();
  const url = `http://localhost:${port}`;
  const provider = await startIdentityProvider(url);
  // Settings name an account, so it has to be there first.
  const before: ConsoleServer = await startConsole({}, { dataDir, port });
  const { account } = before.owner;
  await before.stop();
  const env = {
    KURZ_REDIRECT_PROCESSES: "1",
    KURZ_SIGNUP: "open",
    KURZ_TRUST_PROXY: "1",
    ...provider.env,
    ...envFor(account),
  };
  const server = await startKurz({ dataDir, port, env });
  const guest = () => new ConsoleClient(url);
  const owner = guest();
  await owner.signIn(OWNER_EMAIL);
  owner.account = account;
  return {
    server,
    url,
    provider,
    account,
    owner,
    guest,
    async stop() {
      await Promise.all([server.stop(), provider.stop()]);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

interface Attempt {
  /** With the provider's own cookies, if it is to recognize the browser. */
  readonly jar?: CookieJar;
  readonly next?: string;
  readonly confirm?: boolean;
}

/** Goes the whole way: to the provider, under a name there, and back. */
export async function signInAtProvider(
  client: ConsoleClient,
  login: string | null,
  { jar, ...body }: Attempt = {},
): Promise<ConsoleAnswer<{ next: string | null }>> {
  const { url } = await client.do(startSingleSignOn, { body });
  return finishWith(client, await visitProvider(url, login, jar ?? new CookieJar()));
}

let places = 0;

/** What the console's page does where the provider leads back to. From another address each time: none is throttled. */
export const finishWith = (client: ConsoleClient, callback: URL): Promise<ConsoleAnswer<{ next: string | null }>> => {
  const known = ["state", "code", "iss", "error"];
  const body = Object.fromEntries([...callback.searchParams].filter(([name]) => known.includes(name)));
  places += 1;
  const headers = { "x-forwarded-for": `198.18.${places >> 8}.${places & 255}` };
  return client.call(finishSingleSignOn, { body, headers });
};

export const reasonOf = ({ body }: ConsoleAnswer): string | undefined =>
  (body as { error?: { details?: { reason?: string } } } | undefined)?.error?.details?.reason;

import { join } from "node:path";
import { CookieJar } from "tough-cookie";
import { freePort } from "./free-port.ts";
import { until } from "./until.ts";

const FIXTURE = join(import.meta.dir, "fixtures", "identity-provider.ts");
const CLIENT_SECRET = "a secret of the provider's client";
const STEPS_MAX = 20;
// Patience for a busy machine.
const READY_MS_MAX = 180_000;

/** What the provider knows of someone. */
export interface ProviderPerson {
  readonly email?: string | undefined;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly groups?: readonly string[];
}

export interface IdentityProvider {
  readonly issuer: string;
  /** What a Kurz at the address given at the start needs. */
  readonly env: Readonly<Record<string, string>>;
  know(login: string, person: ProviderPerson): Promise<void>;
  rotateKeys(): Promise<void>;
  /** How many codes it was asked to check. */
  countCodes(): Promise<number>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** A real provider on this machine. It forgets everything when it stops. */
export async function startIdentityProvider(baseUrl: string): Promise<IdentityProvider> {
  const port = freePort();
  const issuer = `http://127.0.0.1:${port}`;
  let child: Bun.Subprocess | null = null;

  const put = async (path: string, body: unknown): Promise<void> => {
    const { status } = await fetch(`${issuer}/test/${path}`, { method: "PUT", body: JSON.stringify(body) });
    if (status !== 204) throw new Error(`the provider answered ${status}`);
  };
  const isReady = async (): Promise<boolean> => {
    if (child?.exitCode !== null) throw new Error(`the provider has ended with ${child?.exitCode}`);
    const found = await fetch(`${issuer}/.well-known/openid-configuration`).catch(() => null);
    return found?.status === 200;
  };

  const provider: IdentityProvider = {
    issuer,
    env: {
      KURZ_OIDC_ISSUER: issuer,
      KURZ_OIDC_CLIENT_ID: "kurz",
      KURZ_OIDC_CLIENT_SECRET: CLIENT_SECRET,
      KURZ_OIDC_NAME: "Acme ID",
      KURZ_OIDC_DOMAINS: "acme.example",
      KURZ_OIDC_SCOPES: "openid email profile groups",
    },
    know: (login, person) => put(`people/${encodeURIComponent(login)}`, person),
    rotateKeys: () => put("keys", {}),
    countCodes: async () => Number(await (await fetch(`${issuer}/test/codes`)).text()),
    async start() {
      child = Bun.spawn([process.execPath, FIXTURE, String(port), "kurz", CLIENT_SECRET, baseUrl], {
        stdout: "ignore",
        stderr: "ignore",
        stdin: "ignore",
      });
      await until("the provider is ready", isReady, READY_MS_MAX);
    },
    async stop() {
      child?.kill("SIGKILL");
      await child?.exited;
      child = null;
    },
  };
  await provider.start();
  return provider;
}

/**
 * Someone in a browser at the provider: signs in there under a name, unless they are signed in already, and returns the
 * address that the provider sends them back to. Without a name, it throws if the provider asks for one.
 */
export async function visitProvider(url: string, login: string | null, jar = new CookieJar()): Promise<URL> {
  const { origin } = new URL(url);
  let next: string = url;
  let form: URLSearchParams | null = null;
  for (let step = 0; step < STEPS_MAX; step += 1) {
    if (new URL(next).origin !== origin) return new URL(next);
    const response: Response = await fetch(next, {
      method: form ? "POST" : "GET",
      redirect: "manual",
      headers: { cookie: await jar.getCookieString(next) },
      ...(form && { body: form }),
    });
    for (const line of response.headers.getSetCookie()) await jar.setCookie(line, next);
    const location = response.headers.get("location");
    if (location !== null) {
      [next, form] = [new URL(location, next).href, null];
      continue;
    }
    if (login === null) throw new Error("the provider asks who it is");
    next = actionIn(await response.text(), next);
    form = new URLSearchParams({ prompt: "login", login, password: "x" });
  }
  throw new Error(`not back after ${STEPS_MAX} steps, but at ${next}`);
}

/** Of the provider's page for signing in. */
function actionIn(page: string, base: string): string {
  const [, action] = /<form[^>]*action="([^"]+)"/.exec(page) ?? [];
  if (action === undefined) throw new Error(`the provider asks for nothing: ${page.slice(0, 1000)}`);
  return new URL(action, base).href;
}

import { CookieJar } from "tough-cookie";
import type { z } from "zod";
import { sendToServer } from "#commands/admin-client.ts";
import { dataPaths } from "#config/data-paths.ts";
import { createToken, inviteMember } from "#contract/console/account.ts";
import { type ConsoleState, getState, setUp, signIn, signUp } from "#contract/console/session.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import type { Role } from "#contract/roles.ts";
import { type KurzServer, type ServerOptions, startKurz } from "./kurz-server.ts";
import { until } from "./until.ts";

export const PASSWORD = "three small grey herons";

export interface ConsoleAnswer<T = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: T;
}

export interface Sent {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly account?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

type Answered<E> = E extends { readonly response: infer S extends z.ZodType } ? z.output<S> : undefined;

/** The path of an operation with its parameters, and the query. */
export function addressOf({ path }: Endpoint, { params = {}, query }: Pick<Sent, "params" | "query">): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  return query ? `${filled}?${new URLSearchParams(query)}` : filled;
}

/** A browser as far as the server can tell: it keeps cookies and sends fetch metadata. */
export class ConsoleClient {
  readonly url: string;
  readonly jar: CookieJar;
  /** The account on screen. */
  account = "";

  constructor(url: string, jar = new CookieJar(undefined, { rejectPublicSuffixes: false })) {
    this.url = url;
    this.jar = jar;
  }

  async request(method: string, path: string, { headers = {}, body }: Pick<Sent, "headers" | "body"> = {}) {
    const cookie = await this.jar.getCookieString(this.url + path);
    const response = await fetch(this.url + path, {
      method,
      redirect: "manual",
      headers: {
        "sec-fetch-site": "same-origin",
        ...(cookie !== "" && { cookie }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    for (const line of response.headers.getSetCookie()) await this.jar.setCookie(line, this.url + path);
    return response;
  }

  /** Calls an operation by its definition; API operations under the console's prefix. */
  async call<const E extends Endpoint>(endpoint: E, sent: Sent = {}): Promise<ConsoleAnswer<Answered<E>>> {
    const { body, account = this.account, headers = {} } = sent;
    const address = addressOf(endpoint, sent);
    const response = await this.request(
      endpoint.method,
      (address.startsWith("/console/") ? "" : "/console") + address,
      {
        headers: { ...(account !== "" && { "kurz-account": account }), ...headers },
        body,
      },
    );
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") && text !== "";
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: (isJson ? JSON.parse(text) : undefined) as Answered<E>,
    };
  }

  /** The same, but throws unless it succeeds. */
  async do<const E extends Endpoint>(endpoint: E, sent: Sent = {}): Promise<Answered<E>> {
    const { status, text, body } = await this.call(endpoint, sent);
    if (status >= 400) throw new Error(`${endpoint.id} answered ${status}: ${text}`);
    return body;
  }

  async state(): Promise<ConsoleState> {
    return this.do(getState);
  }

  /** The value of the session cookie. */
  async sessionCookie(): Promise<string | undefined> {
    const cookies = await this.jar.getCookies(this.url);
    return cookies.find(({ key }) => key.endsWith("kurz.session_token"))?.value;
  }

  signIn(email: string, password = PASSWORD): Promise<ConsoleAnswer<{ second_factor: boolean }>> {
    return this.call(signIn, { body: { email, password } });
  }
}

export interface ConsoleServer {
  readonly server: KurzServer;
  readonly url: string;
  /** The owner of the first account. */
  readonly owner: ConsoleClient;
  guest(): ConsoleClient;
  /** Someone who joins an account by invitation. */
  newMember(role: Role, inviter?: ConsoleClient): Promise<ConsoleClient & { readonly email: string }>;
  /** Someone with an account of their own. */
  newOwner(): Promise<ConsoleClient & { readonly email: string }>;
  stop(): Promise<void>;
}

export const OWNER_EMAIL = "ada@example.com";
// Each attempt may take the 30 s for which the server waits.
const SET_UP_MS_MAX = 180_000;

/** A server whose first account is set up with the printed code. */
export async function startConsole(
  env: Readonly<Record<string, string>> = {},
  options: Pick<ServerOptions, "dataDir" | "port" | "program"> = {},
): Promise<ConsoleServer> {
  const server = await startKurz({ ...options, env: { KURZ_SIGNUP: "open", KURZ_REDIRECT_PROCESSES: "1", ...env } });
  // The configured address; a passkey or cookie for another would be refused.
  const url = `http://localhost:${server.port}`;
  const guest = () => new ConsoleClient(url);
  const owner = guest();
  await becomeFirstOwner(owner, server).catch(async (error) => {
    await server.stop();
    throw error;
  });
  let people = 0;
  const nextEmail = () => `person${++people}@example.com`;
  return {
    server,
    url,
    owner,
    guest,
    async newMember(role, inviter = owner) {
      const email = nextEmail();
      const invitation = invitationIn(await inviter.do(inviteMember, { body: { email, role } }));
      const member = guest();
      await member.do(signUp, { body: { email, name: role, password: PASSWORD, invitation } });
      member.account = inviter.account;
      return Object.assign(member, { email });
    },
    async newOwner() {
      const email = nextEmail();
      await sendToServer(dataPaths(server.dataDir).adminSocket, "accounts create", {
        email,
        name: "Other",
        password: PASSWORD,
      });
      const person = guest();
      await person.signIn(email);
      person.account = await onlyAccount(person);
      return Object.assign(person, { email });
    },
    async stop() {
      await server.stop();
    },
  };
}

/** On a busy machine the server gives up waiting for the first answer, but control goes on with what was asked. */
async function becomeFirstOwner(owner: ConsoleClient, server: KurzServer): Promise<void> {
  const code = setUpCodeOf(server);
  const person = { email: OWNER_EMAIL, name: "Ada", password: PASSWORD };
  const { status, text } = await owner.call(setUp, { body: { code, ...person, account_name: "Acme" } });
  if (status === 503) {
    const isSetUp = async () => (await owner.call(getState)).body.setup_required === false;
    await until("the first account is set up", isSetUp, SET_UP_MS_MAX);
    const isSignedIn = async () => (await owner.signIn(OWNER_EMAIL)).status === 200;
    await until("its owner is signed in", isSignedIn, SET_UP_MS_MAX);
  } else if (status >= 400) throw new Error(`${setUp.id} answered ${status}: ${text}`);
  owner.account = await onlyAccount(owner);
}

export function setUpCodeOf({ output }: KurzServer): string {
  const code = /\/console\/setup\?code=(\S+)/.exec(output.stderr)?.[1];
  if (code === undefined) throw new Error(`no set-up code was printed: ${output.stderr}`);
  return code;
}

/** The secret in an invitation link. */
export const invitationIn = ({ url }: { readonly url: string }): string => url.split("/").at(-1) ?? "";

export async function onlyAccount(client: ConsoleClient): Promise<string> {
  const [account] = (await client.state()).session?.accounts ?? [];
  if (!account) throw new Error("there is no account");
  return account.id;
}

export const codeOf = ({ body }: ConsoleAnswer): string | undefined =>
  (body as { error?: { code: string } } | undefined)?.error?.code;

/** `status code`, as in `403 cross_site`; the status alone for a success. */
export const outcomeOf = (answer: ConsoleAnswer): string =>
  answer.status < 400 ? String(answer.status) : `${answer.status} ${codeOf(answer)}`;

export const newTokenBody = { name: "CI", scopes: ["links:read"], expires_in_days: 30 };
export const makeToken = (client: ConsoleClient) => client.do(createToken, { body: newTokenBody });

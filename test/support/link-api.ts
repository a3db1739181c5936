import type { Link, LinkCreate, LinkPage, LinkPatch } from "#contract/link-record.ts";
import type { LinkAction } from "#contract/links.ts";
import { type KurzServer, type ServerOptions, startKurz } from "./kurz-server.ts";
import { until } from "./until.ts";

/** A client of the links API that throws unless a call succeeds. */
export class LinkApi {
  readonly #url: string;
  readonly #token: string;

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  get authorization(): string {
    return `Bearer ${this.#token}`;
  }

  /** Returns any answer unchecked. */
  ask(method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return fetch(`${this.#url}/api/v1${path}`, {
      method,
      headers: {
        authorization: this.authorization,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async create(body: Partial<LinkCreate> = {}): Promise<Link> {
    return this.#get(await this.ask("POST", "/links", { destination_url: "https://example.com/", ...body }), 201);
  }

  /** Asks again while the records are too slow, as on a busy machine: the same key never creates two. */
  async createPatiently(body: Partial<LinkCreate> = {}): Promise<Link> {
    const link = { destination_url: "https://example.com/", ...body };
    return this.#get(await this.askToCreate(link, crypto.randomUUID()), 201);
  }

  /** With an idempotency key; asks again after a 503. */
  async askToCreate(body: unknown, key: string, onBusy: () => void = () => {}): Promise<Response> {
    const ask = () => this.ask("POST", "/links", body, { "idempotency-key": key });
    let response = await ask();
    await until("the records answer", async () => {
      if (response.status !== 503) return true;
      onBusy();
      response = await ask();
      return response.status !== 503;
    });
    return response;
  }

  async get(id: string): Promise<Link> {
    return this.#get(await this.ask("GET", `/links/${id}`), 200);
  }

  async update(id: string, patch: LinkPatch): Promise<Link> {
    return this.#get(await this.ask("PATCH", `/links/${id}`, patch), 200);
  }

  async act(id: string, action: LinkAction): Promise<Link> {
    return this.#get(await this.ask("POST", `/links/${id}/${action}`), 200);
  }

  async delete(id: string): Promise<void> {
    await this.#get(await this.ask("DELETE", `/links/${id}`), 204);
  }

  /** Deletes it for good, past the trash. */
  async erase(id: string): Promise<void> {
    await this.#get(await this.ask("DELETE", `/links/${id}?permanent=true`), 204);
  }

  async restore(id: string): Promise<void> {
    await this.#get(await this.ask("POST", `/links/${id}/restore`), 200);
  }

  /** Every link of the account. */
  async list(): Promise<Link[]> {
    const links: Link[] = [];
    for (let cursor = ""; ; ) {
      const page: LinkPage = await this.#get(await this.ask("GET", `/links?limit=100&state=all${cursor}`), 200);
      links.push(...page.data);
      if (page.next_cursor === null) return links;
      cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
    }
  }

  async #get<T>(response: Response, status: number): Promise<T> {
    const text = await response.text();
    if (response.status !== status) throw new Error(`${response.status} instead of ${status}: ${text}`);
    return (text === "" ? undefined : JSON.parse(text)) as T;
  }
}

export interface KurzWithApi {
  readonly kurz: KurzServer;
  readonly account: string;
  readonly api: LinkApi;
}

/** A running server with one account and a token with all scopes. */
export async function startKurzWithApi(options: ServerOptions = {}): Promise<KurzWithApi> {
  const kurz = await startKurz(options);
  try {
    const account = await kurz.newAccount();
    return { kurz, account, api: new LinkApi(kurz.url, await kurz.newToken(account)) };
  } catch (error) {
    await kurz.stop();
    throw error;
  }
}

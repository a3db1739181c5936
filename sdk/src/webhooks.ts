import type { CallOptions, Kurz } from "./client.ts";
import type {
  NewWebhookEndpoint,
  WebhookCreate,
  WebhookEnable,
  WebhookEndpoint,
  WebhookPatch,
  WebhookRotate,
  WebhookSecret,
} from "./generated.ts";

/** Servers that receive events; `verifyWebhook` checks what they receive. */
export class Webhooks {
  readonly #kurz: Kurz;

  constructor(kurz: Kurz) {
    this.#kurz = kurz;
  }

  /** All of them, without their secrets. */
  async list(options: CallOptions = {}): Promise<readonly WebhookEndpoint[]> {
    return (await this.#kurz.request("webhooks.list", options)).data.data;
  }

  /** Its signing secret is only in the result. */
  async create(body: WebhookCreate, options: CallOptions = {}): Promise<NewWebhookEndpoint> {
    return (await this.#kurz.request("webhooks.create", { body, ...options })).data;
  }

  async get(id: string, options: CallOptions = {}): Promise<WebhookEndpoint> {
    return (await this.#kurz.request("webhooks.get", { params: { id }, ...options })).data;
  }

  /** Omitted fields stay unchanged. */
  async update(id: string, body: WebhookPatch, options: CallOptions = {}): Promise<WebhookEndpoint> {
    return (await this.#kurz.request("webhooks.update", { params: { id }, body, ...options })).data;
  }

  /** With everything that is waiting for it. */
  async delete(id: string, options: CallOptions = {}): Promise<void> {
    await this.#kurz.request("webhooks.delete", { params: { id }, ...options });
  }

  /** Sends what happened meanwhile, unless `send_missed` is false. */
  async enable(id: string, body: WebhookEnable = {}, options: CallOptions = {}): Promise<WebhookEndpoint> {
    return (await this.#kurz.request("webhooks.enable", { params: { id }, body, ...options })).data;
  }

  async disable(id: string, options: CallOptions = {}): Promise<WebhookEndpoint> {
    return (await this.#kurz.request("webhooks.disable", { params: { id }, ...options })).data;
  }

  /** Replaces the signing secret. The new one is only in the result. */
  async rotate(id: string, body: WebhookRotate = {}, options: CallOptions = {}): Promise<WebhookSecret> {
    return (await this.#kurz.request("webhooks.rotate", { params: { id }, body, ...options })).data;
  }

  /** Sends a test event; returns the id of its delivery. */
  async test(id: string, options: CallOptions = {}): Promise<string> {
    return (await this.#kurz.request("webhooks.test", { params: { id }, ...options })).data.delivery_id;
  }
}

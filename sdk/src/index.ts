export { type CallOptions, Kurz, type KurzOptions, type KurzResponse } from "./client.ts";
export type * from "./generated.ts";
export { KurzConnectionError, KurzError, type KurzErrorCode } from "./kurz-error.ts";
export type { ChangeOptions, CreateOptions, DeleteOptions } from "./options.ts";
export { type VerifyWebhookOptions, verifyWebhook, type WebhookHeaders } from "./webhook.ts";
export { WebhookError, type WebhookErrorReason } from "./webhook-error.ts";

import type { CallOptions } from "./client.ts";

export interface CreateOptions extends CallOptions {
  /** Generated for each call by default. Set your own to retry after a crash. */
  readonly idempotencyKey?: string | undefined;
}

export interface ChangeOptions extends CallOptions {
  /** The `version` you want to change; if there is another one by now, the call fails with `precondition_failed`. */
  readonly ifMatch?: number | string | undefined;
}

export interface DeleteOptions extends ChangeOptions {
  /** Erases the link and its clicks at once, instead of moving it to the trash. */
  readonly permanent?: boolean | undefined;
}

export interface BulkOptions extends CreateOptions {
  /** All or nothing: if one operation fails, none of them happens. */
  readonly atomic?: boolean | undefined;
}

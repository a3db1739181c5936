/** What a redirect process asks control before it redirects a visitor of a guarded link. */
export interface GuardQuestion {
  readonly linkNo: number;
  /** What the visitor entered; `null` if they weren't asked. */
  readonly password: string | null;
  /** Of the visitor, as limits count it. */
  readonly network: string;
}

export type GuardAnswer =
  /** The visitor may pass, and one of the link's clicks is used up if they are limited. */
  | { readonly result: "open" }
  | { readonly result: "wrong" }
  | { readonly result: "exhausted" }
  | { readonly result: "deleted" }
  | { readonly result: "limited"; readonly retryMs: number }
  /** Too many passwords are being checked right now. */
  | { readonly result: "busy" };

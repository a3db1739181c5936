/** What a redirect process asks control before it answers a visitor of a guarded link. */
export interface GuardQuestion {
  readonly linkNo: number;
  /** What the visitor entered; `null` if they weren't asked. */
  readonly password: string | null;
  /** Of the visitor, as limits count it. */
  readonly network: string;
  /** Whether the visitor is a person who would be redirected: only they use up one of the link's clicks. */
  readonly usesClick: boolean;
}

export type GuardAnswer =
  /** The visitor may pass, and has used up one of the link's clicks if these are limited and `usesClick` is set. */
  | { readonly result: "open" }
  | { readonly result: "wrong" }
  | { readonly result: "exhausted" }
  | { readonly result: "deleted" }
  | { readonly result: "limited"; readonly retryMs: number }
  /** Too many passwords are being checked right now. */
  | { readonly result: "busy" };

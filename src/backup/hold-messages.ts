/**
 * What a backup asks of control, one after the other: to hold everything, to let the clicks engine write again, and to
 * say that the rest was held until now. The end of the connection lets go of all.
 */
export type HoldRequest = { readonly ask: "hold" | "free clicks" | "confirm" };

export type HoldAnswer = { readonly ok: true } | { readonly error: string };

/**
 * A backup sends these to control in this order: pause everything, let the clicks engine write again, confirm that the
 * rest has been paused all the time. Closing the connection ends every pause.
 */
export type HoldRequest = { readonly ask: "hold" | "free clicks" | "confirm" };

export type HoldAnswer = { readonly ok: true } | { readonly error: string };

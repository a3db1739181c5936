const KEY = "imported_clicks";

/** Where a link keeps how many clicks it had, if nobody knows when. */
export const totalOf = (clicks: number): Record<string, string> => ({ [KEY]: String(clicks) });

export const TOTAL_LOSS = `A total of clicks has no days, so it isn't in reports: it is kept in the link's metadata as ${KEY}`;

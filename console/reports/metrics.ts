/** The headline figures, in their order. */
export const metrics = ["clicks", "unique_visitors", "qr_scans", "bot_hits"] as const;
export type Metric = (typeof metrics)[number];

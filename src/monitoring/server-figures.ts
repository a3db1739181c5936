import { type Figures, series } from "#metrics/figures.ts";

const NAMES = { records: "kurz_records_server_up", clicks: "kurz_clicks_server_up" } as const;

/** Whether the servers for data answer; `undefined` for what is in a file. */
export const serverFigures = (up: Readonly<Record<keyof typeof NAMES, boolean | undefined>>): Figures =>
  Object.fromEntries(
    Object.entries(NAMES).flatMap(([need, name]) => {
      const isUp = up[need as keyof typeof NAMES];
      return isUp === undefined ? [] : [[series(name), isUp ? 1 : 0]];
    }),
  );

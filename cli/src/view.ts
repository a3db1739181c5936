import type { Io } from "./io.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** How much room there is for a text, and what may be in it. */
export interface View {
  /** Texts aren't cut off where a program reads them. */
  readonly columns: number | null;
  readonly hasColour: boolean;
  /** Whether the terminal shows more than ASCII. */
  readonly hasBlocks: boolean;
  readonly timeZone: string;
}

/** By the terminal and its settings (no-color.org); most terminals understand UTF-8 even if nothing says so. */
export function viewOf(io: Io, env: Environment): View {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || "";
  return {
    columns: io.outIsTerminal ? io.columns : null,
    hasColour: hasColour(io.outIsTerminal, env),
    hasBlocks: !/^(?:C|POSIX)$|\.(?!utf-?8)/i.test(locale),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

export const hasColour = (isTerminal: boolean, env: Environment): boolean =>
  isTerminal && !env.NO_COLOR && env.TERM !== "dumb";

type Style = "bold" | "dim" | "green" | "yellow" | "red";

const codes: Readonly<Record<Style, number>> = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 };

export const styled = (text: string, style: Style, { hasColour }: Pick<View, "hasColour">): string =>
  hasColour && text !== "" ? `\x1b[${codes[style]}m${text}\x1b[0m` : text;

import { afterMs } from "./after-ms.ts";
import { LineWriter } from "./line-writer.ts";

type Level = "info" | "warn" | "error";
type Fields = Readonly<Record<string, unknown>>;

// API calls log many lines, and no one waits for them.
const GATHER_MS = 20;
const output = new LineWriter(1, GATHER_MS);
const errors = new LineWriter(2, 0);

process.on("exit", () => {
  output.flushSync();
  errors.flushSync();
});

/** One JSON line on standard output: the log of API calls. */
export function logLine(fields: Fields): void {
  output.add(toLine(fields));
}

/** One JSON line on standard error: what an operator wants to know about the processes. */
export function logEvent(level: Level, message: string, fields: Fields = {}): void {
  errors.add(toLine({ level, message, ...fields }));
}

/** Plain text on standard error, for the person who started the command. */
export function printNote(text: string): void {
  errors.add(`${text}\n`);
}

/** Waits until everything logged so far is written, but not for ever: a reader may be stuck. */
export async function flushLog(waitMsMax = 1000): Promise<void> {
  await Promise.race([Promise.all([output.flushed(), errors.flushed()]), afterMs(waitMsMax)]);
}

/** JSON escapes only C0 controls; the others could still steer a terminal or split a line. */
function toLine(fields: Fields): string {
  const json = JSON.stringify({ time: new Date().toISOString(), ...fields });
  return `${json.replace(/[\u007f-\u009f\u2028\u2029]/g, escapeCharacter)}\n`;
}

const escapeCharacter = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

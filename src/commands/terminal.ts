import { createInterface } from "node:readline";
import { Writable } from "node:stream";

const PASSWORD_BYTES_MAX = 4096;

/** The operator's side: where output goes and a password comes from. */
export interface Terminal {
  out(text: string): Promise<void>;
  err(text: string): Promise<void>;
  /** For someone who sits at a terminal: not in the output of scripts and timers, who read both streams. */
  note(text: string): void;
  /** Shows one line that the next one replaces; an empty one takes it away. */
  progress(text: string): void;
  readPassword(prompt: string): Promise<string>;
}

export const processTerminal: Terminal = {
  out: (text) => writeAll(Bun.stdout, text),
  err: (text) => writeAll(Bun.stderr, text),
  note: (text) => process.stderr.isTTY && process.stderr.write(text),
  // Whoever reads a pipe or a file wants no line that comes and goes.
  progress: (text) => process.stderr.isTTY && process.stderr.write(`\r${text}\x1b[K`),
  readPassword: (prompt) => (process.stdin.isTTY ? promptPassword(prompt) : readPasswordFrom(Bun.stdin.stream())),
};

/** Everything up to the end, without one trailing newline; otherwise byte for byte. */
export async function readPasswordFrom(input: ReadableStream<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    bytes += chunk.length;
    if (bytes > PASSWORD_BYTES_MAX) throw new Error("the password on standard input is too long");
    chunks.push(chunk);
  }
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return decoder.decode(Buffer.concat(chunks)).replace(/\r?\n$/, "");
  } catch {
    throw new Error("the password on standard input is not UTF-8");
  }
}

async function promptPassword(prompt: string): Promise<string> {
  await processTerminal.err(prompt);
  // The line editor echoes to its output, so that output goes nowhere.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const editor = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 });
  try {
    return await new Promise((resolve, reject) => {
      editor.once("line", resolve);
      editor.once("close", () => reject(new Error("no password was entered")));
    });
  } finally {
    editor.close();
    await processTerminal.err("\n");
  }
}

async function writeAll(file: Bun.BunFile, text: string): Promise<void> {
  try {
    await Bun.write(file, text);
  } catch (error) {
    // The reader has seen enough, as in `kurz accounts list | head`.
    if ((error as NodeJS.ErrnoException).code !== "EPIPE") throw error;
  }
}

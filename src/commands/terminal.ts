import { createInterface } from "node:readline";
import { Writable } from "node:stream";

const PASSWORD_BYTES_MAX = 4096;

/** Where output goes, and where a password comes from. */
export interface Terminal {
  out(text: string): Promise<void>;
  err(text: string): Promise<void>;
  /** Only shown at a terminal: scripts and timers may read both streams. */
  note(text: string): void;
  /** Shows a line that the next one replaces; an empty one removes it. */
  progress(text: string): void;
  readPassword(prompt: string): Promise<string>;
}

export const processTerminal: Terminal = {
  out: (text) => writeAll(Bun.stdout, text),
  err: (text) => writeAll(Bun.stderr, text),
  note: (text) => process.stderr.isTTY && process.stderr.write(text),
  // A line that replaces itself makes no sense in a pipe or a file.
  progress: (text) => process.stderr.isTTY && process.stderr.write(`\r${text}\x1b[K`),
  readPassword: (prompt) => (process.stdin.isTTY ? promptPassword(prompt) : readPasswordFrom(Bun.stdin.stream())),
};

/** Everything up to the end, unchanged except for one trailing newline, which is removed. */
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
  // The line editor echoes what is typed to its output.
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

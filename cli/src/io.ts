import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { CommandError, exitCodes } from "./exit-codes.ts";

const COLUMNS_DEFAULT = 80;
const INPUT_CHARACTERS_MAX = 64 * 1024;

/** Where output goes, and where answers come from. */
export interface Io {
  out(text: string): Promise<void>;
  err(text: string): Promise<void>;
  /** Whether a person looks at the output, rather than a program or a file. */
  readonly outIsTerminal: boolean;
  readonly errIsTerminal: boolean;
  readonly inIsTerminal: boolean;
  readonly columns: number;
  /** Asks at the terminal. */
  ask(prompt: string): Promise<string>;
  /** The same, without showing what is typed. */
  askSecretly(prompt: string): Promise<string>;
  /** All of standard input. */
  readInput(): Promise<string>;
}

const { stdin, stdout, stderr } = process;

export const processIo: Io = {
  out: (text) => write(stdout, text),
  err: (text) => write(stderr, text),
  outIsTerminal: stdout.isTTY === true,
  errIsTerminal: stderr.isTTY === true,
  inIsTerminal: stdin.isTTY === true,
  columns: (stdout.isTTY && stdout.columns) || COLUMNS_DEFAULT,
  ask: (prompt) => readLine(prompt, stderr),
  // The line editor shows what is typed in its output.
  askSecretly: async (prompt) => {
    await write(stderr, prompt);
    const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
    try {
      return await readLine("", nowhere);
    } finally {
      await write(stderr, "\n");
    }
  },
  async readInput() {
    let text = "";
    stdin.setEncoding("utf8");
    for await (const chunk of stdin) {
      text += chunk;
      if (text.length > INPUT_CHARACTERS_MAX) throw new CommandError("standard input is too long");
    }
    return text;
  },
};

function readLine(prompt: string, output: NodeJS.WritableStream): Promise<string> {
  const editor = createInterface({ input: stdin, output, terminal: true, historySize: 0 });
  return new Promise<string>((resolve, reject) => {
    editor.once("close", () => reject(new CommandError("nothing was entered", exitCodes.interrupted)));
    editor.question(prompt, (line) => {
      resolve(line);
      editor.close();
    });
  });
}

const write = (stream: NodeJS.WritableStream, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      // The reader has seen enough, as in `kurz links list | head`.
      if (error && (error as NodeJS.ErrnoException).code !== "EPIPE") reject(error);
      else resolve();
    });
  });

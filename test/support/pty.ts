import { until } from "./until.ts";

interface PtyOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly columns?: number;
}

export interface Pty {
  /** Everything on the screen so far, as it was written. */
  text(): string;
  type(text: string): void;
  /** Waits until the screen has this, after everything that an earlier call has found. */
  sees(what: string | RegExp): Promise<void>;
  readonly exited: Promise<number>;
  close(): void;
}

/** Runs a program as a person does: at a terminal. */
export function openPty(command: readonly string[], { env, cwd, columns = 80 }: PtyOptions): Pty {
  let text = "";
  let seen = 0;
  const decoder = new TextDecoder();
  const child = Bun.spawn([...command], {
    env: { TERM: "xterm-256color", LANG: "C.UTF-8", ...env },
    ...(cwd !== undefined && { cwd }),
    terminal: {
      cols: columns,
      rows: 50,
      data(_terminal, data) {
        text += decoder.decode(data, { stream: true });
      },
    },
  });
  const { terminal } = child;
  if (!terminal) throw new Error("there is no terminal");
  return {
    text: () => text,
    type: (typed) => void terminal.write(typed),
    async sees(what) {
      const find = (): number => {
        const rest = text.slice(seen);
        if (typeof what === "string") return rest.indexOf(what) < 0 ? -1 : rest.indexOf(what) + what.length;
        const found = what.exec(rest);
        return found ? found.index + found[0].length : -1;
      };
      await until(`the terminal shows ${what}`, () => find() >= 0).catch((error: Error) => {
        throw new Error(`${error.message}; it shows ${JSON.stringify(text.slice(seen))}`);
      });
      seen += find();
    },
    exited: child.exited,
    close() {
      child.kill("SIGKILL");
      terminal.close();
    },
  };
}

import { dlopen, type Pointer, ptr, read } from "bun:ffi";
import { constants } from "node:os";
import { getSystemErrorName } from "node:util";

const SIG_SETMASK = 2;
const SIGNAL_SET_BYTES = 128;
const SIG_IGN = 1n;

/** What the next program hears about as soon as it listens, however early it was sent. */
const HELD = [constants.signals.SIGTERM, constants.signals.SIGINT];

// The garbage collector doesn't know of the pointers.
const kept: unknown[] = [];

const openLibrary = () =>
  dlopen("libc.so.6", {
    execve: { args: ["ptr", "ptr", "ptr"], returns: "i32" },
    sigprocmask: { args: ["i32", "ptr", "ptr"], returns: "i32" },
    signal: { args: ["i32", "u64"], returns: "u64" },
    __errno_location: { args: [], returns: "ptr" },
  } as const).symbols;

/**
 * Replaces the program of this process by another one, as execve(2) does: the process keeps its id, its children and what
 * starts and watches it. The other one ignores `ignored` until it listens to it, and has to call `acceptSignals`. Returns
 * only if that fails, with the reason.
 */
export function replaceProgram(
  command: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  ignored: NodeJS.Signals,
): Error {
  const library = openLibrary();
  const [program = ""] = command;
  const variables = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
  const [words, settings] = [command.map(text), variables.map(text)];
  const [path, argv, envp] = [text(program), pointers(words), pointers(settings)];
  kept.push(words, settings, path, argv, envp);
  const errno = library.__errno_location();
  library.signal(constants.signals[ignored], SIG_IGN);
  setMask(library, HELD);
  library.execve(ptr(path), ptr(argv), ptr(envp));
  const code = errno === null ? 0 : read.i32(errno, 0);
  setMask(library, []);
  kept.length = 0;
  return new Error(`${program} can't be executed (${code > 0 ? getSystemErrorName(-code) : "execve failed"})`);
}

/** After a replacement: lets those signals in that were held back. */
export const acceptSignals = (): void => setMask(openLibrary(), []);

/** Bit 0 is signal 1. */
function setMask({ sigprocmask }: ReturnType<typeof openLibrary>, signals: readonly number[]): void {
  const mask = new Uint8Array(SIGNAL_SET_BYTES);
  for (const signal of signals) mask[(signal - 1) >> 3] = (mask[(signal - 1) >> 3] ?? 0) | (1 << ((signal - 1) & 7));
  sigprocmask(SIG_SETMASK, ptr(mask), null);
}

const text = (value: string): Buffer => Buffer.from(`${value}\0`, "utf8");

const pointers = (texts: readonly Buffer[]): BigUint64Array =>
  BigUint64Array.from([...texts.map((each) => BigInt(ptr(each) as Pointer)), 0n]);

import { dlopen, type Pointer, ptr } from "bun:ffi";

const SIG_SETMASK = 2;
const SIGNAL_SET_BYTES = 128;

/**
 * Replaces the program of this process by another one, as execve(2) does: the process keeps its id, its children and what
 * starts and watches it. Returns only if that fails, with the reason.
 */
export function replaceProgram(command: readonly string[], env: Readonly<Record<string, string | undefined>>): Error {
  const { symbols } = dlopen("libc.so.6", {
    execve: { args: ["ptr", "ptr", "ptr"], returns: "i32" },
    sigprocmask: { args: ["i32", "ptr", "ptr"], returns: "i32" },
  });
  const [program = ""] = command;
  const variables = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
  // Kept in variables, since the garbage collector doesn't know of the pointers.
  const [words, settings] = [command.map(text), variables.map(text)];
  const [path, argv, envp] = [text(program), pointers(words), pointers(settings)];
  // A blocked signal would stay so.
  symbols.sigprocmask(SIG_SETMASK, ptr(new Uint8Array(SIGNAL_SET_BYTES)), null);
  symbols.execve(ptr(path), ptr(argv), ptr(envp));
  return new Error(
    `${program} can't be executed (${words.length + settings.length > 0 ? "execve" : "nothing"} failed)`,
  );
}

const text = (value: string): Buffer => Buffer.from(`${value}\0`, "utf8");

const pointers = (texts: readonly Buffer[]): BigUint64Array =>
  BigUint64Array.from([...texts.map((each) => BigInt(ptr(each) as Pointer)), 0n]);

import { closeSync, openSync, readdirSync, readSync } from "node:fs";

/** Kept free for everything but clients: rotated files, look-ups, the log. */
const SPARE = 32;
const BYTES_MAX = 4096;

/** How many file descriptors the clients of this process may use; unlimited if the system doesn't report a limit. */
export class DescriptorLimit {
  readonly #others: number;
  /** Kept open: once descriptors run out, it couldn't be opened. */
  readonly #file: number | undefined;
  readonly #buffer = Buffer.alloc(BYTES_MAX);
  #forClients = Number.POSITIVE_INFINITY;

  constructor() {
    this.#file = isLinux ? openSync("/proc/self/limits", "r") : undefined;
    this.#others = isLinux ? readdirSync("/proc/self/fd").length + SPARE : SPARE;
    this.read();
  }

  get forClients(): number {
    return this.#forClients;
  }

  /** Reads the limit again: it can change while the process runs. */
  read(): void {
    if (this.#file === undefined) return;
    const length = readSync(this.#file, this.#buffer, 0, BYTES_MAX, 0);
    const soft = /^Max open files +(\d+)/m.exec(this.#buffer.toString("latin1", 0, length))?.[1];
    this.#forClients = soft === undefined ? Number.POSITIVE_INFINITY : Number(soft) - this.#others;
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
  }
}

const isLinux = process.platform === "linux";

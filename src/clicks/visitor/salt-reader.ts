import { readFile, stat } from "node:fs/promises";
import { CryptoHasher } from "bun";
import { codeOf } from "#kernel/error-codes.ts";
import { dayOf, parseSalts } from "./salt-file.ts";

const CHECK_MS = 1000;

/**
 * The salts as a redirect process sees them: those in the file that control keeps, read again when it has changed. Off
 * the event loop, so that a disk which does not answer holds up no redirect; what was read last is good meanwhile.
 */
export class SaltReader {
  readonly #path: string;
  #hashers = new Map<number, CryptoHasher>();
  #checkedAt = Number.NEGATIVE_INFINITY;
  #checking: Promise<void> | undefined;
  #stamp = "";

  constructor(path: string) {
    this.#path = path;
  }

  /** A hasher keyed with the salt of the day, to be copied before use. Without a salt there is none: no click waits. */
  find(nowMs: number): CryptoHasher | undefined {
    // The clock may have been set back as well.
    if (Math.abs(nowMs - this.#checkedAt) >= CHECK_MS) void this.check(nowMs);
    return this.#hashers.get(dayOf(nowMs));
  }

  /** Whether there is a salt of the day, as far as is known without looking at the file. */
  has(nowMs: number): boolean {
    return this.#hashers.has(dayOf(nowMs));
  }

  /**
   * Looks at the file, if that was not done within the last second; costs one `stat` when nothing has changed. A process
   * without clicks calls it to let go of erased salts.
   */
  check(nowMs: number): Promise<void> {
    if (this.#checking !== undefined) return this.#checking;
    if (Math.abs(nowMs - this.#checkedAt) < CHECK_MS) return Promise.resolve();
    this.#checkedAt = nowMs;
    this.#checking = this.#read().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #read(): Promise<void> {
    const stamp = await this.#findStamp();
    if (stamp === this.#stamp) return;
    const text = await readFile(this.#path, "utf8").catch((error: unknown) => (isFamine(error) ? undefined : ""));
    if (text === undefined) return;
    const salts = parseSalts(text);
    // A file that could not be read is tried again at the next check.
    this.#stamp = salts.size === 0 ? "" : stamp;
    this.#hashers = new Map([...salts].map(([day, salt]) => [day, hasherOf(salt)]));
  }

  async #findStamp(): Promise<string> {
    try {
      const { ino, mtimeNs } = await stat(this.#path, { bigint: true });
      return `${ino} ${mtimeNs}`;
    } catch {
      return "";
    }
  }
}

/** That no descriptor is left says nothing about the file. */
const isFamine = (error: unknown): boolean => ["EMFILE", "ENFILE"].includes(codeOf(error) ?? "");

const hasherOf = (salt: string): CryptoHasher => new CryptoHasher("sha256", Buffer.from(salt, "hex"));

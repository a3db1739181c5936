import { statSync } from "node:fs";
import { CryptoHasher } from "bun";
import { dayOf, readSaltFile } from "./salt-file.ts";

const CHECK_MS = 1000;

/** The salts as a redirect process sees them: those in the file that control keeps, read again when it has changed. */
export class SaltReader {
  readonly #path: string;
  #hashers = new Map<number, CryptoHasher>();
  #checkedAt = Number.NEGATIVE_INFINITY;
  #stamp = "";

  constructor(path: string) {
    this.#path = path;
  }

  /** A hasher keyed with the salt of the day, to be copied before use. Without a salt there is none: no click waits. */
  find(nowMs: number): CryptoHasher | undefined {
    // The clock may have been set back as well.
    if (Math.abs(nowMs - this.#checkedAt) >= CHECK_MS) this.refresh(nowMs);
    return this.#hashers.get(dayOf(nowMs));
  }

  /** Costs one `stat` when nothing has changed. A process without clicks calls it to let go of erased salts. */
  refresh(nowMs: number): void {
    this.#checkedAt = nowMs;
    const stamp = this.#findStamp();
    if (stamp === this.#stamp) return;
    const salts = readSaltFile(this.#path);
    // A file that could not be read is tried again at the next check.
    this.#stamp = salts.size === 0 ? "" : stamp;
    this.#hashers = new Map([...salts].map(([day, salt]) => [day, hasherOf(salt)]));
  }

  #findStamp(): string {
    try {
      const { ino, mtimeNs } = statSync(this.#path, { bigint: true });
      return `${ino} ${mtimeNs}`;
    } catch {
      return "";
    }
  }
}

const hasherOf = (salt: string): CryptoHasher => new CryptoHasher("sha256", Buffer.from(salt, "hex"));

import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { CommandError } from "./exit-codes.ts";
import type { Environment } from "./view.ts";

export interface Profile {
  readonly url: string;
  readonly token: string;
}

interface Stored {
  readonly current: string | null;
  readonly profiles: Readonly<Record<string, Profile>>;
}

const NOTHING: Stored = { current: null, profiles: {} };
const FOR_OWNER_ONLY = 0o600;

export const DEFAULT_PROFILE = "default";

/** By the XDG Base Directory Specification; on Windows, where programs keep such things there. */
export function configPath(env: Environment): string {
  const base = env.XDG_CONFIG_HOME || (process.platform === "win32" && env.APPDATA) || join(homedir(), ".config");
  return join(base, "kurz", "config.json");
}

/** Instances and tokens, in a file that only its owner can read. */
export class ProfileStore {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  names(): readonly string[] {
    return Object.keys(this.#read().profiles).toSorted();
  }

  current(): string | null {
    return this.#read().current;
  }

  find(name: string): Profile | undefined {
    const { profiles } = this.#read();
    return Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  }

  /** Whether others on this machine can read the tokens. */
  isExposed(): boolean {
    const mode = statSync(this.path, { throwIfNoEntry: false })?.mode ?? 0;
    return process.platform !== "win32" && (mode & 0o077) !== 0;
  }

  /** Stores a profile and makes it the current one. */
  save(name: string, profile: Profile): void {
    this.#write({ current: name, profiles: { ...this.#read().profiles, [name]: profile } });
  }

  choose(name: string): void {
    this.#write({ ...this.#read(), current: name });
  }

  /** The profile that is current from then on; `null` if none is left. */
  remove(name: string): string | null {
    const { current, profiles } = this.#read();
    const { [name]: _, ...rest } = profiles;
    const next = current === name ? (Object.keys(rest).toSorted()[0] ?? null) : current;
    if (Object.keys(rest).length === 0) rmSync(this.path, { force: true });
    else this.#write({ current: next, profiles: rest });
    return next;
  }

  #read(): Stored {
    const text = this.#readText();
    if (text === null) return NOTHING;
    try {
      const { current, profiles } = JSON.parse(text) as Stored;
      if (typeof profiles !== "object" || profiles === null) throw new TypeError("no profiles");
      return { current: current ?? null, profiles };
    } catch {
      throw new CommandError(`${this.path} can't be read; repair it, or delete it and run: kurz login`);
    }
  }

  #readText(): string | null {
    try {
      return readFileSync(this.path, "utf8");
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT") return null;
      throw new CommandError(`${this.path} can't be read (${code})`);
    }
  }

  /** Replaces the file as a whole, so that a crash leaves the old one. */
  #write(stored: Stored): void {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    const aside = `${this.path}.${process.pid}`;
    writeFileSync(aside, `${JSON.stringify(stored, null, 2)}\n`, { mode: FOR_OWNER_ONLY });
    // The mode of an existing file would stay.
    chmodSync(aside, FOR_OWNER_ONLY);
    renameSync(aside, this.path);
  }
}

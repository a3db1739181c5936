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
function configPath(env: Environment): string {
  const base = env.XDG_CONFIG_HOME || (process.platform === "win32" && env.APPDATA) || join(homedir(), ".config");
  return join(base, "kurz", "config.json");
}

/** Instances and tokens, in a file that only its owner can read. */
export class ProfileStore {
  readonly #env: Environment;
  readonly #warn: (text: string) => void;
  #isChecked = false;

  constructor(env: Environment, warn: (text: string) => void) {
    this.#env = env;
    this.#warn = warn;
  }

  /** Only looked for once it is needed: with KURZ_URL and KURZ_TOKEN, nobody needs a home directory. */
  get path(): string {
    return configPath(this.#env);
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

  /** Stores a profile, and returns the current one: the first stays it until another is chosen. */
  save(name: string, profile: Profile): string {
    const { current, profiles } = this.#read();
    this.#write({ current: current ?? name, profiles: { ...profiles, [name]: profile } });
    return current ?? name;
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
      const text = readFileSync(this.path, "utf8");
      this.#checkMode();
      return text;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT") return null;
      throw new CommandError(`${this.path} can't be read (${code})`);
    }
  }

  /** Warns, once, if others on this machine can read the tokens. */
  #checkMode(): void {
    if (this.#isChecked) return;
    this.#isChecked = true;
    const isExposed = process.platform !== "win32" && (statSync(this.path).mode & 0o077) !== 0;
    if (isExposed) this.#warn(`others can read ${this.path}; run: chmod 600 ${this.path}`);
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

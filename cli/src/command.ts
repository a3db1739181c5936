import type { Kurz } from "../../sdk/src/client.ts";
import type { LinksListQuery } from "../../sdk/src/generated.ts";
import type { Connection } from "./connection.ts";
import type { Io } from "./io.ts";
import type { ProfileStore } from "./profile-store.ts";
import type { Environment, View } from "./view.ts";

export type ListedState = NonNullable<LinksListQuery["state"]>[number];

/** What the shell can suggest: one of these words, or the slugs of links in these states. */
export type Completion = readonly string[] | { readonly links: readonly ListedState[] } | "profiles" | "files";

export interface Option {
  /** How the value is called in the help; a flag has none. */
  readonly value?: string;
  readonly help: string;
  /** Can be given several times. */
  readonly many?: true;
  /** The only values there are. */
  readonly choices?: readonly string[];
  readonly completes?: Completion;
}

export interface Positional {
  readonly label: string;
  readonly help: string;
  readonly optional?: true;
  readonly many?: true;
  readonly completes?: Completion;
}

/** What was typed. Names are those that the command declares. */
export interface Input {
  readonly positionals: readonly string[];
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
  flag(name: string): boolean;
}

export interface Context {
  readonly io: Io;
  readonly env: Environment;
  readonly profiles: ProfileStore;
  /** As typed with `--profile`. */
  readonly profileName: string | undefined;
  /** The instance and token to use, or those of a profile; throws if nobody is signed in. */
  connection(profileName?: string): Connection;
  /** A client for them. */
  kurz(): Kurz;
}

export interface Command<R = unknown> {
  /** One word, or two with the group first, as in `links list`. */
  readonly name: string;
  readonly summary: string;
  /** Details for the command's own help. */
  readonly notes?: string;
  /** Works, but is not listed. */
  readonly hidden?: true;
  readonly positionals?: readonly Positional[];
  readonly options?: Readonly<Record<string, Option>>;
  /** The result is what `--json` prints. */
  run(context: Context, input: Input): Promise<R>;
  /** The result for people, from which everything is escaped that could control the terminal; empty for nothing. */
  print(result: R, view: View): string;
}

/** Methods compare their parameters loosely, so commands with different results fit into one list. */
export const command = <R>(definition: Command<R>): Command => definition;

/** Every command has these. */
export const sharedOptions: Readonly<Record<string, Option>> = {
  profile: { value: "NAME", help: "Use this profile instead of the current one.", completes: "profiles" },
  json: { help: "Print the result as JSON." },
  help: { help: "Show this help." },
};

import { Kurz } from "../../sdk/src/client.ts";
import {
  type Command,
  type Completion,
  type Context,
  type ListedState,
  type Option,
  sharedOptions,
} from "./command.ts";
import { groupsOf } from "./parse-command-line.ts";

/** A word, and what it means. */
export interface Suggestion {
  readonly word: string;
  readonly help: string;
}

// Nobody waits longer for the Tab key.
const TIMEOUT_MS = 1500;
const LINKS_MAX = 50;
/** The service searches for no less. */
const SEARCH_CHARACTERS_MIN = 3;
/** What every slug consists of. A shell could take anything else that an instance sends for a command or an option. */
const SLUG = /^[A-Za-z0-9][\w-]*$/;
/** An option with its value, as one word. */
const INLINE = /^(--[\w-]+)=(.*)$/s;

/** What could come next: these, or a file, which is the shell's own business. */
export type Suggestions = readonly Suggestion[] | "files";

/** What could come next. The last word is the one being typed; it may be empty. */
export async function complete(
  line: readonly string[],
  commands: readonly Command[],
  context: Context,
): Promise<Suggestions> {
  const typed = line.at(-1) ?? "";
  const before = line.slice(0, -1).flatMap(splitInline);
  const [, name, value = ""] = INLINE.exec(typed) ?? [];
  const found =
    name === undefined
      ? await suggest(before, typed, commands, context)
      : await suggest([...before, name], value, commands, context);
  if (found === "files") return found;
  const words = name === undefined ? found : found.map(({ word, help }) => ({ word: `${name}=${word}`, help }));
  return words.filter(({ word }) => word.startsWith(typed));
}

function splitInline(word: string): readonly string[] {
  const [, name, value = ""] = INLINE.exec(word) ?? [];
  return name === undefined ? [word] : [name, value];
}

async function suggest(
  before: readonly string[],
  typed: string,
  commands: readonly Command[],
  context: Context,
): Promise<Suggestions> {
  const listed = commands.filter(({ hidden }) => !hidden);
  const [first, second] = before;
  const found = listed.find(({ name }) => name === `${first} ${second}`) ?? listed.find(({ name }) => name === first);
  if (!found) return before.length < 2 ? nextWords(listed, first) : [];
  const options = { ...found.options, ...sharedOptions };
  const args = before.slice(found.name.split(" ").length);
  const awaited = optionOf(args.at(-1), options);
  const place = { typed, profile: profileIn(args), context };
  if (awaited?.value !== undefined) return valuesOf(awaited.choices ?? awaited.completes, place);
  if (typed.startsWith("-")) return unusedOptions(options, args);
  return valuesOf(positionalOf(found, args, options)?.completes, place);
}

/** Commands of one word, and groups; or the commands of a group. */
function nextWords(listed: readonly Command[], group: string | undefined): Suggestion[] {
  if (group !== undefined) {
    const inGroup = listed.filter(({ name }) => name.startsWith(`${group} `));
    return inGroup.map(({ name, summary }) => ({ word: name.slice(group.length + 1), help: summary }));
  }
  const single = listed
    .filter(({ name }) => !name.includes(" "))
    .map(({ name, summary }) => ({ word: name, help: summary }));
  const groups = groupsOf(listed).map((word) => ({ word, help: `${word}: several commands` }));
  return [...single, ...groups].toSorted((a, b) => (a.word < b.word ? -1 : 1));
}

const optionOf = (word: string | undefined, options: Readonly<Record<string, Option>>): Option | undefined =>
  word?.startsWith("--") && Object.hasOwn(options, word.slice(2)) ? options[word.slice(2)] : undefined;

function profileIn(args: readonly string[]): string | undefined {
  const at = args.lastIndexOf("--profile");
  return at < 0 ? undefined : args[at + 1];
}

const unusedOptions = (options: Readonly<Record<string, Option>>, args: readonly string[]): Suggestion[] =>
  Object.entries(options)
    .filter(([name, { many }]) => many || !args.includes(`--${name}`))
    .map(([name, { help }]) => ({ word: `--${name}`, help }));

/** The positional that a word at this place would be. */
function positionalOf(
  { positionals = [] }: Command,
  args: readonly string[],
  options: Readonly<Record<string, Option>>,
) {
  const given = args.filter(
    (word, at) => !word.startsWith("-") && optionOf(args[at - 1], options)?.value === undefined,
  );
  return positionals[given.length] ?? (positionals.at(-1)?.many ? positionals.at(-1) : undefined);
}

/** Where a value is being typed. */
interface Place {
  readonly typed: string;
  /** The one that the line names. */
  readonly profile: string | undefined;
  readonly context: Context;
}

async function valuesOf(completion: Completion | undefined, place: Place): Promise<Suggestions> {
  if (completion === undefined) return [];
  if (completion === "files") return completion;
  if (completion === "profiles") return place.context.profiles.names().map((word) => ({ word, help: "" }));
  if ("links" in completion) return linksLike(completion.links, place);
  return completion.map((word) => ({ word, help: "" }));
}

/** Without a connection there is nothing to suggest, and no message would be in the right place. */
async function linksLike(state: readonly ListedState[], { typed, profile, context }: Place): Promise<Suggestion[]> {
  try {
    const { url, token } = context.connection(profile);
    const kurz = new Kurz({ baseUrl: url, token, timeoutMs: TIMEOUT_MS, retriesMax: 0 });
    const query = typed.length < SEARCH_CHARACTERS_MIN ? {} : { q: typed };
    const { data } = await kurz.links.list({
      ...query,
      state,
      limit: LINKS_MAX,
      fields: ["slug", "title", "destination_url"],
    });
    return data
      .filter(({ slug }) => SLUG.test(slug))
      .map(({ slug, title, destination_url }) => ({ word: slug, help: title ?? destination_url }));
  } catch {
    return [];
  }
}

import { findNearest } from "./nearest-word.ts";

// What Kurz's two command lines, the operator's and the users', say alike. Each parses with Node's own parser.

/** A part of a command line, as the parser gives it when it is lenient. */
type Token =
  | { readonly kind: "positional" | "option-terminator" }
  | {
      readonly kind: "option";
      readonly name: string;
      /** As it was typed. */
      readonly rawName: string;
      readonly value?: string | undefined;
      readonly inlineValue?: boolean | undefined;
    };

type Options = Readonly<Record<string, { readonly type: "boolean" | "string" }>>;

/** Whether help is wanted, whatever the other words say. */
export const asksForHelp = (words: readonly string[]): boolean =>
  words[0] === "help" || beforeTerminator(words).some((word) => word === "--help" || word === "-h");

/** Without what follows `--`, which is never an option. */
export function beforeTerminator(words: readonly string[]): readonly string[] {
  const end = words.indexOf("--");
  return end < 0 ? words : words.slice(0, end);
}

/** Why a strict parser refused the options of a command: it names the one that is wrong only in its own words. */
export function explainRefusal(command: string, tokens: readonly Token[], options: Options): string {
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const { name, rawName, value, inlineValue } = token;
    const known = Object.hasOwn(options, name) ? options[name] : undefined;
    if (!known) {
      const near = findNearest(name, Object.keys(options));
      return `${command} has no option ${rawName}; ${near ? `did you mean --${near}?` : `see kurz ${command} --help`}`;
    }
    if (known.type === "boolean" && value !== undefined) return `${rawName} takes no value`;
    if (known.type === "string" && (value === undefined || (!inlineValue && value.startsWith("-")))) {
      return `${rawName} needs a value (if it starts with a dash, write ${rawName}=VALUE)`;
    }
  }
  return `the arguments can't be parsed; see kurz ${command} --help`;
}

/** What is searched of a command. */
export interface Findable {
  readonly group: string;
  readonly label: string;
  /** Other words that people call it by. */
  readonly keywords?: string;
}

/**
 * The commands that have every word of a text. Those whose label begins with it come first, then those that have its
 * words in the label; groups stay together, in the order of their best match.
 */
export function matchCommands<C extends Findable>(commands: readonly C[], text: string): readonly C[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return commands;
  const ranked = commands.flatMap((command) => {
    const rank = rankOf(command, words);
    return rank === null ? [] : [{ command, rank }];
  });
  const best = new Map<string, number>();
  for (const { command, rank } of ranked) {
    best.set(command.group, Math.min(rank, best.get(command.group) ?? rank));
  }
  const placeOf = ({ group }: C): number => (best.get(group) ?? 0) * best.size + [...best.keys()].indexOf(group);
  return ranked
    .toSorted((one, other) => placeOf(one.command) - placeOf(other.command) || one.rank - other.rank)
    .map(({ command }) => command);
}

function rankOf({ group, label, keywords = "" }: Findable, words: readonly string[]): number | null {
  const name = label.toLowerCase();
  if (name.startsWith(words.join(" "))) return 0;
  if (words.every((word) => beginsAWord(name, word))) return 1;
  const all = `${name} ${group.toLowerCase()} ${keywords}`;
  if (words.every((word) => beginsAWord(all, word))) return 2;
  return words.every((word) => all.includes(word)) ? 3 : null;
}

const beginsAWord = (text: string, word: string): boolean => ` ${text}`.includes(` ${word}`);

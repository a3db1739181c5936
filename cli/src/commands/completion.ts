import { type Command, command } from "../command.ts";
import { complete } from "../complete.ts";
import { completionScripts, FILES, shells } from "../completion-scripts.ts";
import { UsageError } from "../exit-codes.ts";

const completion = command({
  name: "completion",
  summary: "Print the completion script of a shell",
  notes: `bash: source <(kurz completion bash) in ~/.bashrc
zsh:  source <(kurz completion zsh) in ~/.zshrc, after compinit
fish: kurz completion fish > ~/.config/fish/completions/kurz.fish`,
  positionals: [{ label: "SHELL", help: `One of ${shells.join(", ")}.`, completes: shells }],
  async run(_context, { positionals: [name = ""] }) {
    const shell = shells.find((one) => one === name);
    if (!shell)
      throw new UsageError(`there is no completion for ${JSON.stringify(name)}, but for ${shells.join(", ")}`);
    return { shell, script: completionScripts[shell] };
  },
  // Not the script of the result, in which line breaks are escaped.
  print: ({ shell }) => completionScripts[shell].trimEnd(),
});

/** Called by those scripts with the words that were typed. */
const answerShell = (commands: () => readonly Command[]): Command =>
  command({
    name: "__complete",
    summary: "Suggest what could come next",
    hidden: true,
    positionals: [{ label: "WORDS", help: "What was typed.", optional: true, many: true }],
    run: (context, { positionals }) => complete(positionals, commands(), context),
    print: (found) => (found === "files" ? FILES : found.map(({ word, help }) => `${word}\t${help}`).join("\n")),
  });

export const completionCommands = (commands: () => readonly Command[]): readonly Command[] => [
  completion,
  answerShell(commands),
];

import { Search } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { classes } from "#console/ui/classes.ts";
import { Dialog } from "#console/ui/dialog.tsx";
import { Key } from "#console/ui/keys.tsx";
import { paletteTexts as texts } from "#texts/palette.ts";
import type { LinkVerb } from "./link-verbs.tsx";
import type { Command } from "./own-commands.tsx";
import { useCommands } from "./use-commands.tsx";

/** Everything that can be done or found, by typing a part of its name. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState("");
  const [active, setActive] = useState(0);
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const [verb, setVerb] = useState<LinkVerb | null>(null);
  const { commands, isSearching } = useCommands(text, verb, choose);
  const at = Math.min(active, commands.length - 1);
  /** Enter was pressed before the links of the text were there. */
  const [isAwaited, setIsAwaited] = useState(false);
  useEffect(() => {
    if (!isAwaited || isSearching) return;
    setIsAwaited(false);
    run(commands[0]);
  });

  /** What to do with a link is known; which link comes next, or neither again. */
  function choose(next: LinkVerb | null): void {
    setVerb(next);
    setText("");
    setActive(0);
    setIsAwaited(false);
  }

  function run(command: Command | undefined): void {
    if (!command) return;
    if (!command.stays) onClose();
    command.run();
  }

  /** Links of an earlier text only count if they were picked with the arrow keys. */
  function enter(): void {
    const command = commands[at];
    if (command && (at > 0 || !command.isOutdated)) run(command);
    else setIsAwaited(isSearching && text.trim() !== "");
  }

  function press(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    const moves: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1 };
    const to = moves[event.key];
    if (to !== undefined) {
      event.preventDefault();
      const next = (to + commands.length) % Math.max(commands.length, 1);
      setActive(next);
      setIsAwaited(false);
      list.current?.querySelector(`#${CSS.escape(`${listId}-${next}`)}`)?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter") {
      event.preventDefault();
      enter();
    } else if (verb && text === "" && event.key === "Backspace") {
      event.preventDefault();
      choose(null);
    }
  }

  return (
    <Dialog title={texts.title} open onClose={verb ? () => choose(null) : onClose} size="wide" bare>
      <div className="flex items-center gap-3 border-b border-line px-4">
        <Search className="size-5 shrink-0 text-faint" aria-hidden />
        {verb && (
          <span className="shrink-0 rounded-md bg-accent-soft px-2 py-1 text-xs font-medium text-accent">
            {verb.label}
          </span>
        )}
        <input
          type="text"
          data-first
          role="combobox"
          aria-label={verb ? texts.whichLinkFor(verb.label) : texts.search}
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={commands.length > 0 ? `${listId}-${at}` : undefined}
          placeholder={verb ? texts.whichLink : texts.placeholder}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setActive(0);
            setIsAwaited(false);
          }}
          onKeyDown={press}
          className="h-14 min-w-0 grow bg-transparent outline-none"
        />
        <span className="max-sm:hidden">
          <Key>Esc</Key>
        </span>
      </div>
      <div
        ref={list}
        id={listId}
        role="listbox"
        aria-label={texts.results}
        className="max-h-[min(50vh,24rem)] overflow-auto p-2"
      >
        {commands.map((command, index) => (
          <div key={command.id}>
            {command.group !== commands[index - 1]?.group && (
              <div aria-hidden className="px-3 pt-2 pb-1 text-xs font-medium text-faint">
                {command.group}
              </div>
            )}
            {/* biome-ignore lint/a11y/useFocusableInteractive: the text keeps the focus (combobox) */}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text */}
            <div
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === at}
              onMouseMove={() => setActive(index)}
              onClick={() => run(command)}
              className={classes(
                "flex h-11 cursor-pointer items-center gap-3 rounded-lg px-3 text-sm [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-faint",
                index === at && "bg-hover",
              )}
            >
              {command.icon}
              <span className="truncate">{command.label}</span>
              {command.note && (
                <span className="min-w-0 shrink-[2] grow truncate text-right text-faint">{command.note}</span>
              )}
            </div>
          </div>
        ))}
      </div>
      {commands.length === 0 && (
        <p className="px-5 pb-5 text-sm text-soft" role="status">
          {isSearching ? texts.searching : texts.nothing}
        </p>
      )}
    </Dialog>
  );
}

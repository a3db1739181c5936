import { type KeyboardEvent, type ReactNode, useId } from "react";
import { classes } from "#console/ui/classes.ts";

interface TabsProps<N extends string> {
  readonly title: string;
  readonly tabs: readonly { readonly name: N; readonly label: string }[];
  readonly chosen: N;
  readonly onChoose: (name: N) => void;
  readonly children: ReactNode;
}

/** Tabs beside a title, where there is more than one; arrows move among them, as the ARIA pattern has it. */
export function Tabs<N extends string>({ title, tabs, chosen, onChoose, children }: TabsProps<N>) {
  const id = useId();

  function move(event: KeyboardEvent<HTMLDivElement>): void {
    const at = tabs.findIndex(({ name }) => name === chosen);
    const goals: Readonly<Record<string, number>> = {
      ArrowRight: (at + 1) % tabs.length,
      ArrowLeft: (at - 1 + tabs.length) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    const goal = goals[event.key];
    const next = goal === undefined ? undefined : tabs[goal];
    if (!next) return;
    event.preventDefault();
    onChoose(next.name);
    document.getElementById(`${id}-${next.name}`)?.focus();
  }

  if (tabs.length === 1) {
    return (
      <>
        <h2 className="px-5 pt-4 pb-3 font-semibold">{title}</h2>
        <div>{children}</div>
      </>
    );
  }
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-5 pt-4 pb-2">
        <h2 id={`${id}-title`} className="font-semibold">
          {title}
        </h2>
        <div
          role="tablist"
          aria-labelledby={`${id}-title`}
          className="-mx-2 flex max-w-full flex-wrap text-sm"
          onKeyDown={move}
        >
          {tabs.map(({ name, label }) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`${id}-${name}`}
              aria-selected={name === chosen}
              aria-controls={`${id}-panel`}
              tabIndex={name === chosen ? 0 : -1}
              onClick={() => onChoose(name)}
              className={classes(
                "rounded-md px-2 py-1 whitespace-nowrap focus-visible:-outline-offset-2",
                name === chosen ? "font-medium text-accent" : "text-soft hover:text-text",
              )}
            >
              {label}
            </button>
          ))}
        </div>
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </>
  );
}

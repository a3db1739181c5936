import { Dialog } from "#console/ui/dialog.tsx";
import { COMMAND_KEY, Key } from "#console/ui/keys.tsx";
import { switchShortcuts, useShortcutsSwitch } from "./shortcuts.ts";

const groups: readonly {
  readonly title: string;
  readonly keys: readonly (readonly [keys: readonly string[], what: string])[];
}[] = [
  {
    title: "Everywhere",
    keys: [
      [[COMMAND_KEY, "K"], "Commands and search"],
      [["C"], "Create a link"],
      [["Z"], "Undo what was just done"],
      [["?"], "This help"],
      [["Esc"], "Close, or leave a field"],
    ],
  },
  {
    title: "In the list of links",
    keys: [
      [["/"], "Search"],
      [["↑", "↓"], "Go from link to link"],
      [["Enter"], "Open the link"],
      [["X"], "Select the link"],
      [["⇧", "↑", "↓"], "Select several"],
      [[COMMAND_KEY, "A"], "Select all links in the list"],
      [[COMMAND_KEY, "V"], "Shorten the address you copied"],
    ],
  },
];

export function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  const isOn = useShortcutsSwitch();
  return (
    <Dialog title="Keyboard shortcuts" open onClose={onClose}>
      <div className="grid gap-5">
        {groups.map(({ title, keys }) => (
          <section key={title}>
            <h3 className="mb-1 text-sm font-medium text-soft">{title}</h3>
            <dl>
              {keys.map(([names, what]) => (
                <div key={what} className="flex items-center justify-between border-b border-line py-2 last:border-0">
                  <dt className="order-2 flex gap-1">
                    {names.map((name) => (
                      <Key key={name}>{name}</Key>
                    ))}
                  </dt>
                  <dd>{what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <label className="flex cursor-pointer items-center gap-2.5 text-sm">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={isOn}
            onChange={(event) => switchShortcuts(event.target.checked)}
          />
          Shortcuts of a single key are on
        </label>
      </div>
    </Dialog>
  );
}

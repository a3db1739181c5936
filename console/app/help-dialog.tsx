import { Dialog } from "#console/ui/dialog.tsx";
import { COMMAND_KEY, Key } from "#console/ui/keys.tsx";
import { helpTexts as texts } from "#texts/help.ts";
import { switchShortcuts, useShortcutsSwitch } from "./shortcuts.ts";

const { everywhere, list } = texts;

const groups: readonly {
  readonly title: string;
  readonly keys: readonly (readonly [keys: readonly string[], what: string])[];
}[] = [
  {
    title: everywhere.title,
    keys: [
      [[COMMAND_KEY, "K"], everywhere.palette],
      [["C"], everywhere.create],
      [["Z"], everywhere.undo],
      [["?"], everywhere.help],
      [["Esc"], everywhere.close],
    ],
  },
  {
    title: list.title,
    keys: [
      [["/"], list.search],
      [["↑", "↓"], list.move],
      [["Enter"], list.open],
      [["X"], list.select],
      [["⇧", "↑", "↓"], list.selectSeveral],
      [[COMMAND_KEY, "A"], list.selectAll],
      [[COMMAND_KEY, "V"], list.paste],
    ],
  },
];

export function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  const isOn = useShortcutsSwitch();
  return (
    <Dialog title={texts.title} open onClose={onClose}>
      <div className="grid gap-5">
        {groups.map(({ title, keys }) => (
          <section key={title}>
            <h3 className="mb-1 text-sm font-medium text-soft">{title}</h3>
            <dl>
              {keys.map(([names, what]) => (
                <div
                  key={what}
                  className="flex items-center justify-between gap-3 border-b border-line py-2 last:border-0"
                >
                  <dt className="order-2 flex shrink-0 gap-1">
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
            className="size-4"
            checked={isOn}
            onChange={(event) => switchShortcuts(event.target.checked)}
          />
          {texts.singleKeys}
        </label>
      </div>
    </Dialog>
  );
}

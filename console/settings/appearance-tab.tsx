import { switchShortcuts, useShortcutsSwitch } from "#console/app/shortcuts.ts";
import type { Theme } from "#console/app/theme.ts";
import { chooseTheme, useTheme } from "#console/app/theme-choice.ts";
import { CheckRow, ChoiceGroup } from "#console/ui/check-row.tsx";
import { Section } from "#console/ui/section.tsx";

const choices: readonly { readonly theme: Theme; readonly label: string; readonly note: string }[] = [
  { theme: "system", label: "System", note: "Light or dark, as your device is set." },
  { theme: "light", label: "Light", note: "Dark letters on a light page." },
  { theme: "dark", label: "Dark", note: "Light letters on a dark page." },
];

export function AppearanceTab() {
  const chosen = useTheme();
  const shortcuts = useShortcutsSwitch();
  return (
    <>
      <Section title="Appearance" note="Kept in this browser only.">
        <ChoiceGroup legend="Theme">
          {choices.map(({ theme, label, note }) => (
            <CheckRow
              key={theme}
              type="radio"
              name="theme"
              label={label}
              note={note}
              checked={theme === chosen}
              onChange={() => chooseTheme(theme)}
            />
          ))}
        </ChoiceGroup>
      </Section>
      <Section title="Keyboard" note="Press ? on any page to see what keys do.">
        <CheckRow
          label="Single-key shortcuts"
          note="Switch them off if you dictate, or press keys by accident."
          checked={shortcuts}
          onChange={switchShortcuts}
        />
      </Section>
    </>
  );
}

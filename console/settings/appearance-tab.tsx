import { chooseLanguage, languageNames } from "#console/app/language-choice.ts";
import { switchShortcuts, useShortcutsSwitch } from "#console/app/shortcuts.ts";
import { themes } from "#console/app/theme.ts";
import { chooseTheme, useTheme } from "#console/app/theme-choice.ts";
import { CheckRow, ChoiceGroup } from "#console/ui/check-row.tsx";
import { Section } from "#console/ui/section.tsx";
import { consoleLanguages } from "#shared/console-languages.ts";
import { language } from "#texts/language.ts";
import { settingsTexts as texts } from "#texts/settings.ts";

export function AppearanceTab() {
  const chosen = useTheme();
  const shortcuts = useShortcutsSwitch();
  return (
    <>
      <Section title={texts.appearance} note={texts.keptHere}>
        <div className="flex flex-col gap-5">
          <ChoiceGroup legend={texts.theme}>
            {themes.map((theme) => (
              <CheckRow
                key={theme}
                type="radio"
                name="theme"
                {...texts.themes[theme]}
                checked={theme === chosen}
                onChange={() => chooseTheme(theme)}
              />
            ))}
          </ChoiceGroup>
          <ChoiceGroup legend={texts.language}>
            {consoleLanguages.map((offered) => (
              <CheckRow
                key={offered}
                type="radio"
                name="language"
                label={<span lang={offered}>{languageNames[offered]}</span>}
                checked={offered === language}
                onChange={() => chooseLanguage(offered)}
              />
            ))}
          </ChoiceGroup>
        </div>
      </Section>
      <Section title={texts.keyboard} note={texts.keyboardNote}>
        <CheckRow label={texts.shortcuts} note={texts.shortcutsNote} checked={shortcuts} onChange={switchShortcuts} />
      </Section>
    </>
  );
}

import { BookOpen, CircleQuestionMark, CodeXml, Keyboard, Sparkles } from "lucide-react";
import { Menu, MenuItem, MenuLine } from "#console/ui/menu.tsx";
import { appTexts as texts } from "#texts/app.ts";
import { useNewsSeen } from "./news-seen.ts";
import { openDocs, openReference } from "./open-docs.ts";
import { showOverlay } from "./overlays.tsx";
import { themes } from "./theme.ts";
import { chooseTheme, useTheme } from "./theme-choice.ts";

/** Docs, keys, news and the theme, from every page. */
export function HelpMenu() {
  const chosen = useTheme();
  const isSeen = useNewsSeen();
  return (
    <Menu
      align="start"
      label={texts.help}
      trigger={
        <button
          type="button"
          aria-label={isSeen ? texts.help : texts.helpWithNews}
          className="relative flex items-center gap-3 rounded-lg px-3 py-2 text-soft hover:bg-hover hover:text-text max-lg:px-2"
        >
          <CircleQuestionMark className="size-5" aria-hidden />
          <span className="max-lg:sr-only">{texts.help}</span>
          {!isSeen && (
            <span className="size-2 rounded-full bg-accent max-lg:absolute max-lg:top-1.5 max-lg:right-1.5" />
          )}
        </button>
      }
    >
      <MenuItem icon={<BookOpen aria-hidden />} onSelect={openDocs}>
        {texts.docs}
      </MenuItem>
      <MenuItem icon={<CodeXml aria-hidden />} onSelect={openReference}>
        {texts.reference}
      </MenuItem>
      <MenuItem icon={<Keyboard aria-hidden />} onSelect={() => showOverlay("help")}>
        {texts.shortcuts}
      </MenuItem>
      <MenuItem icon={<Sparkles aria-hidden />} onSelect={() => showOverlay("news")}>
        {texts.whatsNew}
      </MenuItem>
      <MenuLine />
      {themes.map((theme) => (
        <MenuItem key={theme} chosen={theme === chosen} onSelect={() => chooseTheme(theme)}>
          {texts.themes[theme]}
        </MenuItem>
      ))}
    </Menu>
  );
}

import { BookOpen, CircleQuestionMark, Keyboard, Sparkles } from "lucide-react";
import { Menu, MenuItem, MenuLine } from "#console/ui/menu.tsx";
import { useNewsSeen } from "./news-seen.ts";
import { openReference } from "./open-reference.ts";
import { showOverlay } from "./overlays.tsx";
import { type Theme, themes } from "./theme.ts";
import { chooseTheme, useTheme } from "./theme-choice.ts";

const themeLabels: Readonly<Record<Theme, string>> = {
  system: "System theme",
  light: "Light theme",
  dark: "Dark theme",
};

/** Docs, keys, news and the theme, from every page. */
export function HelpMenu() {
  const chosen = useTheme();
  const isSeen = useNewsSeen();
  return (
    <Menu
      align="start"
      label="Help"
      trigger={
        <button
          type="button"
          className="relative flex items-center gap-3 rounded-lg px-3 py-2 text-soft hover:bg-hover hover:text-text max-lg:px-2"
        >
          <CircleQuestionMark className="size-5" aria-hidden />
          <span className="max-lg:sr-only">Help</span>
          {!isSeen && (
            <span className="size-2 rounded-full bg-accent max-lg:absolute max-lg:top-1.5 max-lg:right-1.5">
              <span className="sr-only">, with news</span>
            </span>
          )}
        </button>
      }
    >
      <MenuItem icon={<BookOpen aria-hidden />} onSelect={openReference}>
        API reference
      </MenuItem>
      <MenuItem icon={<Keyboard aria-hidden />} onSelect={() => showOverlay("help")}>
        Keyboard shortcuts
      </MenuItem>
      <MenuItem icon={<Sparkles aria-hidden />} onSelect={() => showOverlay("news")}>
        What’s new
      </MenuItem>
      <MenuLine />
      {themes.map((theme) => (
        <MenuItem key={theme} chosen={theme === chosen} onSelect={() => chooseTheme(theme)}>
          {themeLabels[theme]}
        </MenuItem>
      ))}
    </Menu>
  );
}

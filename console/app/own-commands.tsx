import { useNavigate } from "@tanstack/react-router";
import {
  Archive,
  ArrowRightLeft,
  BookOpen,
  CodeXml,
  Globe,
  Keyboard,
  KeyRound,
  Languages,
  Lock,
  LogOut,
  Monitor,
  Moon,
  Plus,
  Sparkles,
  Sun,
  Trash2,
  UserPlus,
  Webhook,
} from "lucide-react";
import type { ReactNode } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { useSignOut } from "#console/sign-in/sign-out-button.tsx";
import { consoleLanguages } from "#shared/console-languages.ts";
import { appTexts } from "#texts/app.ts";
import { language } from "#texts/language.ts";
import { paletteTexts as texts } from "#texts/palette.ts";
import { chooseLanguage, languageNames } from "./language-choice.ts";
import { type LinkVerb, linkVerbs } from "./link-verbs.tsx";
import type { Findable } from "./match-commands.ts";
import { openDocs, openReference } from "./open-docs.ts";
import { showOverlay } from "./overlays.tsx";
import { pages } from "./pages.ts";
import type { Theme } from "./theme.ts";
import { chooseTheme } from "./theme-choice.ts";

export interface Command extends Findable {
  readonly id: string;
  readonly note?: string;
  readonly icon: ReactNode;
  readonly run: () => void;
  /** The palette stays open, to ask for the rest. */
  readonly stays?: true;
  /** Found for an earlier text. */
  readonly isOutdated?: boolean;
}

const themes: readonly { readonly theme: Theme; readonly icon: ReactNode }[] = [
  { theme: "light", icon: <Sun aria-hidden /> },
  { theme: "dark", icon: <Moon aria-hidden /> },
  { theme: "system", icon: <Monitor aria-hidden /> },
];

/** Pages with a dialog for something new. */
const additions = [
  {
    to: "/a/$account/links",
    ...texts.additions.link,
    icon: <Plus aria-hidden />,
    least: "member",
  },
  {
    to: "/a/$account/developer/tokens",
    ...texts.additions.token,
    icon: <KeyRound aria-hidden />,
    least: "admin",
  },
  {
    to: "/a/$account/developer/webhooks",
    ...texts.additions.webhook,
    icon: <Webhook aria-hidden />,
    least: "admin",
  },
  {
    to: "/a/$account/settings/members",
    ...texts.additions.member,
    icon: <UserPlus aria-hidden />,
    least: "admin",
  },
  {
    to: "/a/$account/domains",
    ...texts.additions.domain,
    icon: <Globe aria-hidden />,
    least: "admin",
  },
] as const;

const elsewhere = [
  { show: "archived", icon: <Archive aria-hidden /> },
  { show: "deleted", icon: <Trash2 aria-hidden /> },
] as const;

/** Everything that can be opened or done, apart from the links themselves. */
export function useOwnCommands(choose: (verb: LinkVerb) => void): readonly Command[] {
  const { account, state, may } = useWorkspace();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const params = { account: account.id };
  return [
    ...additions
      .filter(({ least }) => may(least))
      .map(({ to, label, keywords, icon }) => ({
        id: `new ${to}`,
        group: texts.groups.actions,
        label,
        keywords,
        icon,
        run: () => void navigate({ to, params, search: { new: "1" } }),
      })),
    ...linkVerbs.map((verb) => ({
      id: verb.id,
      group: texts.groups.actions,
      label: texts.askingFor(verb.label),
      keywords: verb.keywords,
      icon: verb.icon,
      stays: true as const,
      run: () => choose(verb),
    })),
    {
      id: "password",
      group: texts.groups.actions,
      ...texts.password,
      icon: <Lock aria-hidden />,
      run: () => void navigate({ to: "/a/$account/personal", params, hash: "password" }),
    },
    ...pages
      .filter((page) => !("least" in page) || may(page.least))
      .map(({ to, name, icon: Icon }) => ({
        id: to,
        group: texts.groups.pages,
        ...texts.pages[name],
        icon: <Icon aria-hidden />,
        run: () => void navigate({ to, params }),
      })),
    ...elsewhere.map(({ show, icon }) => ({
      id: show,
      group: texts.groups.pages,
      ...texts.elsewhere[show],
      icon,
      run: () => void navigate({ to: "/a/$account/links", params, search: { show } }),
    })),
    ...state.session.accounts
      .filter(({ id }) => id !== account.id)
      .map(({ id, name }) => ({
        id,
        group: texts.groups.accounts,
        label: name,
        icon: <ArrowRightLeft aria-hidden />,
        run: () => void navigate({ to: "/a/$account/links", params: { account: id } }),
      })),
    ...themes.map(({ theme, icon }) => ({
      id: theme,
      group: texts.groups.appearance,
      label: appTexts.themes[theme],
      keywords: texts.themeKeywords,
      icon,
      run: () => chooseTheme(theme),
    })),
    ...consoleLanguages
      .filter((offered) => offered !== language)
      .map((offered) => ({
        id: offered,
        group: texts.groups.appearance,
        label: texts.language(languageNames[offered]),
        keywords: texts.languageKeywords,
        icon: <Languages aria-hidden />,
        run: () => chooseLanguage(offered),
      })),
    {
      id: "docs",
      group: texts.groups.help,
      label: appTexts.docs,
      keywords: texts.docsKeywords,
      icon: <BookOpen aria-hidden />,
      run: openDocs,
    },
    {
      id: "reference",
      group: texts.groups.help,
      label: appTexts.reference,
      keywords: texts.referenceKeywords,
      icon: <CodeXml aria-hidden />,
      run: openReference,
    },
    {
      id: "help",
      group: texts.groups.help,
      label: appTexts.shortcuts,
      keywords: texts.shortcutsKeywords,
      icon: <Keyboard aria-hidden />,
      run: () => showOverlay("help"),
    },
    {
      id: "news",
      group: texts.groups.help,
      label: appTexts.whatsNew,
      keywords: texts.newsKeywords,
      icon: <Sparkles aria-hidden />,
      run: () => showOverlay("news"),
    },
    {
      id: "out",
      group: texts.groups.help,
      label: appTexts.signOut,
      keywords: texts.signOutKeywords,
      icon: <LogOut aria-hidden />,
      run: () => signOut.mutate(),
    },
  ];
}

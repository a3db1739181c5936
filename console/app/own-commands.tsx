import { useNavigate } from "@tanstack/react-router";
import {
  ArrowRightLeft,
  BookOpen,
  Globe,
  Keyboard,
  KeyRound,
  Lock,
  LogOut,
  Monitor,
  Moon,
  Plus,
  Sparkles,
  Sun,
  UserPlus,
  Webhook,
} from "lucide-react";
import type { ReactNode } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { useSignOut } from "#console/sign-in/sign-out-button.tsx";
import { type LinkVerb, linkVerbs } from "./link-verbs.tsx";
import type { Findable } from "./match-commands.ts";
import { openReference } from "./open-reference.ts";
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
}

const themes: readonly { readonly theme: Theme; readonly label: string; readonly icon: ReactNode }[] = [
  { theme: "light", label: "Light theme", icon: <Sun aria-hidden /> },
  { theme: "dark", label: "Dark theme", icon: <Moon aria-hidden /> },
  { theme: "system", label: "System theme", icon: <Monitor aria-hidden /> },
];

/** Pages with a dialog for something new. */
const additions = [
  {
    to: "/a/$account/links",
    label: "Create link",
    keywords: "new shorten add url",
    icon: <Plus aria-hidden />,
    least: "member",
  },
  {
    to: "/a/$account/developer/tokens",
    label: "Create API token",
    keywords: "new key secret developer",
    icon: <KeyRound aria-hidden />,
    least: "admin",
  },
  {
    to: "/a/$account/developer/webhooks",
    label: "Add webhook endpoint",
    keywords: "new developer events",
    icon: <Webhook aria-hidden />,
    least: "admin",
  },
  {
    to: "/a/$account/settings/members",
    label: "Invite someone",
    keywords: "new member people team user add",
    icon: <UserPlus aria-hidden />,
    least: "admin",
  },
  {
    to: "/a/$account/domains",
    label: "Add domain",
    keywords: "new host name dns",
    icon: <Globe aria-hidden />,
    least: "admin",
  },
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
        group: "Actions",
        label,
        keywords,
        icon,
        run: () => void navigate({ to, params, search: { new: "1" } }),
      })),
    ...linkVerbs.map((verb) => ({
      id: verb.id,
      group: "Actions",
      label: verb.label,
      keywords: verb.keywords,
      icon: verb.icon,
      stays: true as const,
      run: () => choose(verb),
    })),
    {
      id: "password",
      group: "Actions",
      label: "Change password",
      keywords: "personal security",
      icon: <Lock aria-hidden />,
      run: () => void navigate({ to: "/a/$account/personal", params, hash: "password" }),
    },
    ...pages
      .filter((page) => !("least" in page) || may(page.least))
      .map(({ to, label, keywords, icon: Icon }) => ({
        id: to,
        group: "Go to",
        label,
        keywords,
        icon: <Icon aria-hidden />,
        run: () => void navigate({ to, params }),
      })),
    ...state.session.accounts
      .filter(({ id }) => id !== account.id)
      .map(({ id, name }) => ({
        id,
        group: "Switch account",
        label: name,
        icon: <ArrowRightLeft aria-hidden />,
        run: () => void navigate({ to: "/a/$account/links", params: { account: id } }),
      })),
    ...themes.map(({ theme, label, icon }) => ({
      id: theme,
      group: "Appearance",
      label,
      keywords: "color mode",
      icon,
      run: () => chooseTheme(theme),
    })),
    {
      id: "docs",
      group: "Help",
      label: "API reference",
      keywords: "docs documentation openapi swagger",
      icon: <BookOpen aria-hidden />,
      run: openReference,
    },
    {
      id: "help",
      group: "Help",
      label: "Keyboard shortcuts",
      keywords: "keys",
      icon: <Keyboard aria-hidden />,
      run: () => showOverlay("help"),
    },
    {
      id: "news",
      group: "Help",
      label: "What’s new",
      keywords: "changes changelog release notes version",
      icon: <Sparkles aria-hidden />,
      run: () => showOverlay("news"),
    },
    {
      id: "out",
      group: "Help",
      label: "Sign out",
      keywords: "log out logout",
      icon: <LogOut aria-hidden />,
      run: () => signOut.mutate(),
    },
  ];
}

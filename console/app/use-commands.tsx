import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ArrowRightLeft, Keyboard, Link2, LogOut, Monitor, Moon, Plus, Sun } from "lucide-react";
import type { ReactNode } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { SEARCH_CHARACTERS_MIN } from "#console/links/link-list-search.ts";
import { useSignOut } from "#console/sign-in/sign-out-button.tsx";
import { useDebounced } from "#console/ui/debounce.ts";
import { formatAddress } from "#console/ui/format.ts";
import { listLinks } from "#contract/links.ts";
import { showAddress } from "#shared/shown-host.ts";
import { showOverlay } from "./overlays.tsx";
import { places } from "./places.ts";
import type { Theme } from "./theme.ts";
import { chooseTheme } from "./theme-choice.ts";

export interface Command {
  readonly id: string;
  readonly group: string;
  readonly label: string;
  readonly note?: string;
  readonly icon: ReactNode;
  readonly run: () => void;
}

const SETTLE_MS = 150;
const FOUND_MAX = 8;

const themes: readonly { readonly theme: Theme; readonly label: string; readonly icon: ReactNode }[] = [
  { theme: "light", label: "Light theme", icon: <Sun aria-hidden /> },
  { theme: "dark", label: "Dark theme", icon: <Moon aria-hidden /> },
  { theme: "system", label: "Theme of the system", icon: <Monitor aria-hidden /> },
];

/** The commands that hold every word of a text, then the links that hold the text. */
export function useCommands(text: string): { readonly commands: readonly Command[]; readonly isSearching: boolean } {
  const { account, state, call, may } = useWorkspace();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const params = { account: account.id };
  const q = useDebounced(text.trim(), SETTLE_MS);
  const isLong = (words: string) => [...words].length >= SEARCH_CHARACTERS_MIN;
  const { data, isFetching } = useQuery({
    queryKey: ["palette", account.id, q],
    queryFn: ({ signal }) => call(listLinks, { query: { q, state: ["all"], limit: FOUND_MAX }, signal }),
    enabled: isLong(q),
  });

  const own: readonly Command[] = [
    ...(may("member")
      ? [
          {
            id: "create",
            group: "Links",
            label: "Create a link",
            icon: <Plus aria-hidden />,
            run: () => void navigate({ to: "/a/$account/links", params, search: { new: "1" } }),
          },
        ]
      : []),
    ...places.map(({ to, label, icon: Icon }) => ({
      id: to,
      group: "Go to",
      label,
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
      icon,
      run: () => chooseTheme(theme),
    })),
    {
      id: "help",
      group: "Help",
      label: "Keyboard shortcuts",
      icon: <Keyboard aria-hidden />,
      run: () => showOverlay("help"),
    },
    { id: "out", group: "Help", label: "Sign out", icon: <LogOut aria-hidden />, run: () => signOut.mutate() },
  ];
  const words = text.toLowerCase().split(/\s+/);
  const matching = own.filter(({ group, label }) =>
    words.every((word) => `${group} ${label}`.toLowerCase().includes(word)),
  );
  const found = (isLong(text.trim()) ? (data?.data ?? []) : []).map(
    (link): Command => ({
      id: link.id,
      group: "Links found",
      label: link.title ?? formatAddress(link.short_url),
      note: link.title === null ? formatAddress(showAddress(link.destination_url).text) : formatAddress(link.short_url),
      icon: <Link2 aria-hidden />,
      run: () => void navigate({ to: "/a/$account/links", params, search: { edit: link.id } }),
    }),
  );
  return { commands: [...matching, ...found], isSearching: isFetching || (isLong(text.trim()) && q !== text.trim()) };
}

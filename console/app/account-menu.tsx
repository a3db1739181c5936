import { useNavigate } from "@tanstack/react-router";
import { ChevronsUpDown, LogOut, UserRound } from "lucide-react";
import { useWorkspace } from "#console/api/session.tsx";
import { useSignOut } from "#console/sign-in/sign-out-button.tsx";
import { Menu, MenuItem, MenuLine } from "#console/ui/menu.tsx";
import { appTexts as texts } from "#texts/app.ts";

/** Which account is on screen and who is signed in. */
export function AccountMenu() {
  const { account, state } = useWorkspace();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const { user, accounts } = state.session;
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          className="flex min-w-0 items-center gap-2.5 rounded-lg px-2 py-1.5 text-left transition-colors hover:bg-hover max-lg:border max-lg:border-line max-lg:bg-card max-lg:shadow-card"
        >
          <span
            aria-hidden
            className="flex size-7 shrink-0 items-center justify-center rounded-md bg-accent-soft text-sm font-semibold text-accent uppercase"
          >
            {[...account.name][0]}
          </span>
          <span className="min-w-0 grow max-sm:sr-only">
            <span className="sr-only">{texts.account}: </span>
            <span className="block max-w-36 truncate text-sm font-medium">{account.name}</span>
            <span className="block max-w-36 truncate text-xs text-faint">{user.email}</span>
          </span>
          <ChevronsUpDown className="size-4 shrink-0 text-faint" aria-hidden />
        </button>
      }
    >
      {accounts.map(({ id, name }) => (
        <MenuItem
          key={id}
          chosen={id === account.id}
          onSelect={() => void navigate({ to: "/a/$account/links", params: { account: id } })}
        >
          <span className="max-w-56 truncate">{name}</span>
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem
        icon={<UserRound aria-hidden />}
        onSelect={() => void navigate({ to: "/a/$account/personal", params: { account: account.id } })}
      >
        {texts.personal}
      </MenuItem>
      <MenuItem icon={<LogOut aria-hidden />} onSelect={() => signOut.mutate()}>
        {texts.signOut}
      </MenuItem>
    </Menu>
  );
}

import { Link } from "@tanstack/react-router";
import { buttonClasses } from "#console/ui/button.tsx";
import type { ConsoleState, Membership } from "#contract/console/session.ts";
import { ssoTexts as texts } from "#texts/sso.ts";
import { Gate } from "./gate.tsx";
import { SignOutButton } from "./sign-out-button.tsx";
import { SsoButton } from "./sso-button.tsx";

interface SsoWallProps {
  readonly state: ConsoleState;
  readonly account: Membership;
}

/** In place of an account that can only be opened after signing in with the operator's provider. */
export function SsoWall({ state, account }: SsoWallProps) {
  const others = state.session?.accounts.filter(({ needs_sso }) => !needs_sso) ?? [];
  return (
    <Gate title={account.name}>
      <p className="mb-6 text-soft">{state.sso ? texts.wall(state.sso.name) : texts.wallWithoutProvider}</p>
      <div className="grid gap-3">
        <SsoButton look="primary" />
        {others.map(({ id, name }) => (
          <Link key={id} to="/a/$account/links" params={{ account: id }} className={buttonClasses()}>
            <span className="min-w-0 truncate">{texts.openOther(name)}</span>
          </Link>
        ))}
        <SignOutButton />
      </div>
    </Gate>
  );
}

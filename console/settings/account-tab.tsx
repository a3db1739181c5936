import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useRefreshState, useWorkspace } from "#console/api/session.tsx";
import { Button } from "#console/ui/button.tsx";
import { ConfirmDialog } from "#console/ui/confirm-dialog.tsx";
import { CopyButton } from "#console/ui/copy-button.tsx";
import { Loaded } from "#console/ui/loaded.tsx";
import { Skeleton } from "#console/ui/panel.tsx";
import { Section } from "#console/ui/section.tsx";
import { deleteAccount } from "#contract/console/account.ts";
import { settingsTexts as texts } from "#texts/settings.ts";
import { LogoSection } from "./logo-section.tsx";
import { NameForm } from "./name-form.tsx";
import { PlanUsage } from "./plan-usage.tsx";
import { SsoSection } from "./sso-section.tsx";
import { useAccount } from "./use-account.ts";
import { useRenameAccount } from "./use-rename.ts";

export function AccountTab() {
  const { account, state, may } = useWorkspace();
  const query = useAccount();
  const rename = useRenameAccount();
  return (
    <>
      <Section title={texts.account} note={texts.accountNote}>
        {may("owner") ? (
          <NameForm label={texts.accountName} name={account.name} change={rename} />
        ) : (
          <p className="font-medium break-words">
            {account.name} <span className="font-normal text-soft">· {texts.onlyOwnersRename}</span>
          </p>
        )}
        <p className="mt-4 flex items-center gap-1 text-sm text-soft">
          <span className="min-w-0 truncate font-mono text-xs">{account.id}</span>
          <CopyButton text={account.id} label={texts.copyAccountId} />
        </p>
      </Section>
      <Section title={texts.plan} note={texts.planNote}>
        <Loaded query={query} waiting={<Skeleton className="h-40" />}>
          {(data) => <PlanUsage account={data} />}
        </Loaded>
      </Section>
      {may("admin") && query.data && <LogoSection hasLogo={query.data.has_logo} />}
      {may("owner") && state.sso && query.data && (
        <SsoSection name={state.sso.name} required={query.data.sso_required} />
      )}
      {may("owner") && <DeleteAccount />}
    </>
  );
}

function DeleteAccount() {
  const { account, call } = useWorkspace();
  const refresh = useRefreshState();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  async function remove(): Promise<void> {
    await call(deleteAccount);
    // The way home leads to an account that is known to be there.
    await refresh();
    await navigate({ to: "/" });
  }
  return (
    <>
      <Section
        tone="bad"
        title={texts.deleteAccount}
        note={texts.deleteAccountNote}
        action={
          <Button look="danger" onClick={() => setAsking(true)}>
            {texts.deleteAccount}
          </Button>
        }
      />
      {asking && (
        <ConfirmDialog
          title={texts.askDelete(account.name)}
          confirmLabel={texts.deleteForGood}
          typed={account.name}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        >
          {texts.askDeleteNote}
        </ConfirmDialog>
      )}
    </>
  );
}

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
import { LogoSection } from "./logo-section.tsx";
import { NameForm } from "./name-form.tsx";
import { PlanUsage } from "./plan-usage.tsx";
import { useAccount } from "./use-account.ts";
import { useRenameAccount } from "./use-rename.ts";

export function AccountTab() {
  const { account, may } = useWorkspace();
  const query = useAccount();
  const rename = useRenameAccount();
  return (
    <>
      <Section title="Account" note="Links, members, tokens and webhooks belong to it.">
        {may("owner") ? (
          <NameForm label="Name of the account" name={account.name} change={rename} />
        ) : (
          <p className="font-medium break-words">
            {account.name} <span className="font-normal text-soft">· only owners change the name.</span>
          </p>
        )}
        <p className="mt-4 flex items-center gap-1 text-sm text-soft">
          <span className="min-w-0 truncate font-mono text-xs">{account.id}</span>
          <CopyButton text={account.id} label="Copy account id" />
        </p>
      </Section>
      <Section title="Plan and usage" note="The operator of this server decides on plans.">
        <Loaded query={query} waiting={<Skeleton className="h-40" />}>
          {(data) => <PlanUsage account={data} />}
        </Loaded>
      </Section>
      {may("admin") && query.data && <LogoSection hasLogo={query.data.has_logo} />}
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
        title="Delete the account"
        note="Its links stop redirecting, and everything in it is deleted for good: links, reports, tokens, webhooks and members."
        action={
          <Button look="danger" onClick={() => setAsking(true)}>
            Delete account
          </Button>
        }
      />
      {asking && (
        <ConfirmDialog
          title={`Delete ${account.name}?`}
          confirmLabel="Delete for good"
          typed={account.name}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        >
          Every short link of this account stops working at once. Nobody can bring it back, not even the operator.
        </ConfirmDialog>
      )}
    </>
  );
}

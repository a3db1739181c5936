import { useState } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { useChange } from "#console/api/use-change.ts";
import { Button } from "#console/ui/button.tsx";
import { classes } from "#console/ui/classes.ts";
import { ConfirmDialog } from "#console/ui/confirm-dialog.tsx";
import { formatExact } from "#console/ui/format.ts";
import { Badge } from "#console/ui/panel.tsx";
import { When } from "#console/ui/when.tsx";
import { revokeToken, type Token } from "#contract/console/account.ts";
import { scopeTexts } from "#texts/scopes.ts";
import { tokenTexts as texts } from "#texts/tokens.ts";

/** Why a token no longer works. */
export function endOf({ revoked_at, expires_at }: Token): "revoked" | "expired" | null {
  if (revoked_at !== null) return "revoked";
  return expires_at !== null && Date.parse(expires_at) <= Date.now() ? "expired" : null;
}

export function TokenRow({ token }: { readonly token: Token }) {
  const { call } = useWorkspace();
  const [revoking, setRevoking] = useState(false);
  const revocation = useChange(() => call(revokeToken, { params: { id: token.id } }), {
    refreshes: ["tokens", "account"],
    inForm: true,
  });
  const end = endOf(token);
  return (
    <li className="flex items-start justify-between gap-4 border-line px-5 py-4 not-first:border-t sm:px-6">
      <div className={classes("min-w-0", end && "text-faint")}>
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <span className="min-w-0 font-medium break-words">{token.name}</span>
          {end && <Badge>{texts.ends[end]}</Badge>}
        </p>
        <p className="mt-0.5 font-mono text-xs break-all text-faint">kurz_{token.id}_…</p>
        <p className={classes("mt-1.5 text-sm", end ? "text-faint" : "text-soft")}>
          {token.scopes.map((scope) => scopeTexts[scope].label).join(" · ")}
        </p>
        <p className="mt-0.5 text-sm text-faint">
          {token.last_used_at === null ? texts.neverUsed : <When said={texts.used} instant={token.last_used_at} />} ·{" "}
          <Ending token={token} />
          {token.rate_limit !== null && ` · ${texts.rateLimit(formatExact(token.rate_limit))}`}
        </p>
      </div>
      {!end && (
        <Button look="danger" size="small" aria-label={texts.revokeName(token.name)} onClick={() => setRevoking(true)}>
          {texts.revoke}
        </Button>
      )}
      {revoking && (
        <ConfirmDialog
          title={texts.revokeQuestion(token.name)}
          confirmLabel={texts.revokeToken}
          onConfirm={() => revocation.mutateAsync()}
          onClose={() => setRevoking(false)}
        >
          {texts.revokeNote}
        </ConfirmDialog>
      )}
    </li>
  );
}

function Ending({ token: { revoked_at, expires_at } }: { readonly token: Token }) {
  if (revoked_at !== null) return <When said={texts.revokedAt} instant={revoked_at} />;
  if (expires_at === null) return texts.neverExpires;
  return (
    <When said={Date.parse(expires_at) <= Date.now() ? texts.expiredAt : texts.expiresAt} instant={expires_at} exact />
  );
}

import { ExternalLink, LockKeyhole, UsersRound } from "lucide-react";
import { useState } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { useChange } from "#console/api/use-change.ts";
import { Button, buttonClasses } from "#console/ui/button.tsx";
import { classes } from "#console/ui/classes.ts";
import { ConfirmDialog } from "#console/ui/confirm-dialog.tsx";
import { CopyButton } from "#console/ui/copy-button.tsx";
import { formatAddress, formatInstant } from "#console/ui/format.ts";
import { Badge } from "#console/ui/panel.tsx";
import { toast } from "#console/ui/toast.tsx";
import { When } from "#console/ui/when.tsx";
import { revokeShare, type Share } from "#contract/shares.ts";
import { sharingTexts as texts } from "#texts/sharing.ts";
import { BadgeCode } from "./badge-code.tsx";

interface ShareRowProps {
  readonly share: Share;
  /** Created just now: its address is what the person wants next. */
  readonly isNew: boolean;
}

/** One address of a report: copied, opened or revoked. */
export function ShareRow({ share, isNew }: ShareRowProps) {
  const { url, expired, badge_url } = share;
  const { call } = useWorkspace();
  const [isRevoking, setRevoking] = useState(false);
  const revocation = useChange(() => call(revokeShare, { params: { id: share.id } }), {
    refreshes: ["shares"],
    onDone: () => toast(expired ? texts.removed : texts.revoked),
    inForm: !expired,
  });
  return (
    <li className={classes("rounded-xl border p-3 sm:p-4", isNew ? "border-accent bg-accent-soft/40" : "border-line")}>
      <div className="flex flex-wrap items-center gap-2">
        <input
          readOnly
          aria-label={texts.address}
          value={url}
          spellCheck={false}
          // biome-ignore lint/a11y/noAutofocus: the form that had the focus is gone, and this is what came of it
          autoFocus={isNew}
          onFocus={(event) => event.currentTarget.select()}
          className={classes(
            "h-control min-w-0 grow basis-56 rounded-lg border border-line-strong bg-sunken px-3 font-mono text-sm",
            expired && "text-faint line-through",
          )}
        />
        {!expired && (
          <>
            <CopyButton text={url} label={texts.copyAddress} look={isNew ? "primary" : "plain"} size="normal">
              {texts.copyAddress}
            </CopyButton>
            <a
              href={url}
              target="_blank"
              rel="noreferrer"
              aria-label={texts.previewOf}
              title={texts.previewOf}
              className={buttonClasses({ look: "quiet", size: "icon" })}
            >
              <ExternalLink className="size-4" aria-hidden />
            </a>
          </>
        )}
      </div>
      <div className="mt-2.5 flex flex-wrap items-center gap-x-2.5 gap-y-1.5 text-sm text-soft">
        <Terms share={share} />
        <Button
          look={expired ? "plain" : "danger"}
          size="small"
          className="ml-auto"
          aria-label={(expired ? texts.removeLabel : texts.revokeLabel)(formatAddress(url))}
          // An address that no longer works is no loss.
          onClick={() => (expired ? revocation.mutate() : setRevoking(true))}
        >
          {expired ? texts.remove : texts.revoke}
        </Button>
      </div>
      {badge_url !== null && !expired && <BadgeCode badgeUrl={badge_url} url={url} />}
      {share.password_protected && !expired && <p className="mt-2 text-sm text-soft">{texts.noBadge}</p>}
      {isRevoking && (
        <ConfirmDialog
          title={texts.revokeQuestion}
          confirmLabel={texts.revoke}
          onConfirm={() => revocation.mutateAsync()}
          onClose={() => setRevoking(false)}
        >
          {texts.revokeNote}
        </ConfirmDialog>
      )}
    </li>
  );
}

const Terms = ({ share }: { readonly share: Share }) => (
  <>
    {share.expired && <Badge>{texts.expired}</Badge>}
    <span>
      <When said={texts.created} instant={share.created_at} />
      {share.expires_at !== null && `, ${texts.until(formatInstant(share.expires_at))}`}
    </span>
    {share.password_protected && (
      <span className="inline-flex items-center gap-1">
        <LockKeyhole className="size-3.5" aria-hidden />
        {texts.password}
      </span>
    )}
    {share.min_visitors > 1 && (
      <span className="inline-flex items-center gap-1">
        <UsersRound className="size-3.5" aria-hidden />
        {texts.minVisitors(share.min_visitors)}
      </span>
    )}
  </>
);

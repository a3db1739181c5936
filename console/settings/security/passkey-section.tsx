import { browserSupportsWebAuthn } from "@simplewebauthn/browser";
import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { useChange } from "#console/api/use-change.ts";
import { Button } from "#console/ui/button.tsx";
import { ConfirmDialog } from "#console/ui/confirm-dialog.tsx";
import { Loaded } from "#console/ui/loaded.tsx";
import { Section } from "#console/ui/section.tsx";
import { When } from "#console/ui/when.tsx";
import { listPasskeys, type Passkey, removePasskey } from "#contract/console/user.ts";
import { securityTexts as texts } from "#texts/security.ts";
import { PasskeyDialog } from "./passkey-dialog.tsx";

export function PasskeySection() {
  const { account, call } = useWorkspace();
  const [adding, setAdding] = useState(false);
  const query = useQuery({ queryKey: ["passkeys", account.id], queryFn: () => call(listPasskeys) });
  return (
    <Section
      title={texts.passkeys}
      note={texts.passkeysNote}
      action={
        browserSupportsWebAuthn() ? (
          <Button onClick={() => setAdding(true)}>{texts.addPasskey}</Button>
        ) : (
          <p className="text-sm text-soft">{texts.passkeysUnsupported}</p>
        )
      }
      flush
    >
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="px-5 py-4 text-sm text-soft sm:px-6">{texts.noPasskeys}</p>
          ) : (
            <ul aria-label={texts.passkeys}>
              {data.map((passkey) => (
                <PasskeyRow key={passkey.id} passkey={passkey} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {adding && <PasskeyDialog passkey={null} onClose={() => setAdding(false)} />}
    </Section>
  );
}

function PasskeyRow({ passkey }: { readonly passkey: Passkey }) {
  const { call } = useWorkspace();
  const [open, setOpen] = useState<"rename" | "remove" | null>(null);
  const removal = useChange(() => call(removePasskey, { params: { id: passkey.id } }), {
    refreshes: ["passkeys", "sessions"],
    inForm: true,
  });
  return (
    <li className="flex items-center justify-between gap-3 border-line px-5 py-3.5 not-first:border-t sm:px-6">
      <KeyRound className="size-5 shrink-0 text-faint" aria-hidden />
      <div className="min-w-0 grow">
        <p className="font-medium break-words">{passkey.name}</p>
        <p className="text-sm text-soft">
          <When said={texts.passkeyAdded} instant={passkey.created_at} />
        </p>
      </div>
      <Button look="quiet" size="small" aria-label={texts.renameWhat(passkey.name)} onClick={() => setOpen("rename")}>
        {texts.rename}
      </Button>
      <Button look="danger" size="small" aria-label={texts.removeWhat(passkey.name)} onClick={() => setOpen("remove")}>
        {texts.remove}
      </Button>
      {open === "rename" && <PasskeyDialog passkey={passkey} onClose={() => setOpen(null)} />}
      {open === "remove" && (
        <ConfirmDialog
          title={texts.askRemovePasskey(passkey.name)}
          confirmLabel={texts.removePasskey}
          onConfirm={() => removal.mutateAsync()}
          onClose={() => setOpen(null)}
        >
          {texts.askRemovePasskeyNote}
        </ConfirmDialog>
      )}
    </li>
  );
}

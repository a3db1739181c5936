import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { Button } from "#console/ui/button.tsx";
import { Dialog } from "#console/ui/dialog.tsx";
import { Loaded } from "#console/ui/loaded.tsx";
import type { Link } from "#contract/link-record.ts";
import { listLinkShares, type Share } from "#contract/shares.ts";
import { sharingTexts as texts } from "#texts/sharing.ts";
import { ShareForm } from "./share-form.tsx";
import { ShareRow } from "./share-row.tsx";

interface ShareDialogProps {
  readonly link: Link;
  readonly onClose: () => void;
}

/** Where the report of a link is shared, and how to share it. */
export function ShareDialog({ link, onClose }: ShareDialogProps) {
  const { account, call } = useWorkspace();
  const query = useQuery({
    queryKey: ["shares", account.id, link.id],
    queryFn: ({ signal }) => call(listLinkShares, { params: { id: link.id }, signal }),
  });
  return (
    <Dialog title={texts.title(link.slug)} open onClose={onClose} size="wide">
      <p className="mb-5 text-soft">{texts.note}</p>
      <Loaded query={query}>{({ data }) => <Shares linkId={link.id} shares={data} />}</Loaded>
    </Dialog>
  );
}

function Shares({ linkId, shares }: { readonly linkId: string; readonly shares: readonly Share[] }) {
  const [isAdding, setAdding] = useState(false);
  const [created, setCreated] = useState<string | null>(null);
  const isForm = isAdding || shares.length === 0;
  return (
    <>
      {shares.length > 0 && (
        <ul aria-label={texts.list} className="mb-5 grid gap-3">
          {shares.map((share) => (
            <ShareRow key={share.id} share={share} isNew={share.id === created} />
          ))}
        </ul>
      )}
      {isForm ? (
        <ShareForm
          linkId={linkId}
          hasHeading={shares.length > 0}
          onCreated={({ id }) => {
            setCreated(id);
            setAdding(false);
          }}
          {...(shares.length > 0 && { onCancel: () => setAdding(false) })}
        />
      ) : (
        <Button onClick={() => setAdding(true)}>
          <Plus className="size-4" aria-hidden />
          {texts.another}
        </Button>
      )}
    </>
  );
}

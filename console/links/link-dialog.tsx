import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { Dialog } from "#console/ui/dialog.tsx";
import { Failure } from "#console/ui/failure.tsx";
import { Skeleton } from "#console/ui/panel.tsx";
import { getLink } from "#contract/links.ts";
import { findLink, linkKey } from "./link-cache.ts";
import { LinkFacts } from "./link-facts.tsx";
import { LinkForm } from "./link-form.tsx";

interface LinkDialogProps {
  /** `null` for a new link. */
  readonly linkId: string | null;
  readonly readOnly: boolean;
  readonly onClose: () => void;
}

/** Makes a link, changes one, or shows one to those who may not change it. */
export function LinkDialog({ linkId, readOnly, onClose }: LinkDialogProps) {
  const { account, call } = useWorkspace();
  const client = useQueryClient();
  const {
    data: link,
    error,
    refetch,
  } = useQuery({
    queryKey: linkKey(account.id, linkId ?? ""),
    queryFn: ({ signal }) => call(getLink, { params: { id: linkId ?? "" }, signal }),
    enabled: linkId !== null,
    initialData: () => (linkId === null ? undefined : findLink(client, account.id, linkId)),
    // What a list knew may be old.
    initialDataUpdatedAt: 0,
  });
  const [dirty, setDirty] = useState(false);
  const [asking, setAsking] = useState(false);
  const leave = useCallback(() => {
    if (!dirty || asking) onClose();
    else setAsking(true);
  }, [dirty, asking, onClose]);
  const title = linkId === null ? "Create link" : readOnly ? "Link" : "Edit link";
  return (
    <Dialog title={title} open onClose={leave} size="wide" sticky={dirty}>
      {linkId === null || (link && !readOnly) ? (
        <LinkForm
          link={linkId === null ? null : (link ?? null)}
          onDirty={setDirty}
          onClose={leave}
          onDone={onClose}
          discarding={asking}
          onKeep={() => setAsking(false)}
        />
      ) : link ? (
        <LinkFacts link={link} />
      ) : error ? (
        <Failure error={error} onRetry={refetch} />
      ) : (
        <div role="status" aria-label="Loading" className="grid gap-4">
          <Skeleton className="h-10" />
          <Skeleton className="h-10" />
          <Skeleton className="h-24" />
        </div>
      )}
    </Dialog>
  );
}

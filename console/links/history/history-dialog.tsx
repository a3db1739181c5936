import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { Dialog } from "#console/ui/dialog.tsx";
import { Failure } from "#console/ui/failure.tsx";
import { PagedLog } from "#console/ui/paged-log.tsx";
import { Skeleton } from "#console/ui/panel.tsx";
import { toast, toastError } from "#console/ui/toast.tsx";
import { getLinkHistory, revertLink } from "#contract/link-history.ts";
import type { Link } from "#contract/link-record.ts";
import { historyTexts as texts } from "#texts/link-history.ts";
import { uiTexts } from "#texts/ui.ts";
import { putLink, refreshLists } from "../link-cache.ts";
import { useLink } from "../use-link.ts";
import { VersionEntry } from "./version-entry.tsx";
import { revertedFields } from "./version-fields.ts";

interface HistoryDialogProps {
  readonly linkId: string;
  readonly onClose: () => void;
}

/** What a link was, who changed it, and the way back. */
export function HistoryDialog({ linkId, onClose }: HistoryDialogProps) {
  const { data: link, error, refetch } = useLink(linkId);
  return (
    <Dialog title={link ? texts.title(link.slug) : uiTexts.loading} open onClose={onClose} size="wide">
      {link ? (
        <Versions link={link} />
      ) : error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <div role="status" aria-label={uiTexts.loading}>
          <Skeleton className="h-40" />
        </div>
      )}
    </Dialog>
  );
}

function Versions({ link }: { readonly link: Link }) {
  const { account, call, may } = useWorkspace();
  const client = useQueryClient();
  const params = { id: link.id };
  const [reverted, setReverted] = useState<number | null>(null);
  const history = useInfiniteQuery({
    // Another version of the link has another history.
    queryKey: ["link-history", account.id, link.id, link.version],
    queryFn: ({ pageParam, signal }) =>
      call(getLinkHistory, { params, query: { ...(pageParam && { cursor: pageParam }) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: (before) => before,
  });
  const revert = useMutation({
    mutationFn: (version: number) => call(revertLink, { params, body: { version } }),
    onSuccess(changed, version) {
      setReverted(changed.version);
      putLink(client, account.id, changed);
      refreshLists(client, account.id, [link.id], "edited");
      const before = link.version;
      toast(texts.reverted(version), { undo: () => revert.mutate(before) });
    },
    onError: toastError,
  });
  const mayRevert = may("member") && link.state !== "deleted";
  return (
    <PagedLog query={history} empty={<p className="text-soft">{texts.none}</p>}>
      {(versions) => (
        <>
          {mayRevert && versions.length > 1 && <p className="mb-4 text-sm text-soft">{texts.revertNote}</p>}
          <ol aria-label={texts.list} className="grid">
            {versions.map((version, index) => (
              <VersionEntry
                key={version.version}
                version={version}
                isCurrent={index === 0}
                isNew={version.version === reverted}
                isLast={index === versions.length - 1 && !history.hasNextPage}
                reverts={mayRevert ? revertedFields(link, versions, version.version) : []}
                isBusy={revert.isPending}
                onRevert={() => revert.mutate(version.version)}
              />
            ))}
          </ol>
        </>
      )}
    </PagedLog>
  );
}

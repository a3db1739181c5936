import { useBlocker } from "@tanstack/react-router";
import { useCallback, useRef, useState } from "react";
import { Dialog } from "#console/ui/dialog.tsx";
import { Failure } from "#console/ui/failure.tsx";
import { Skeleton } from "#console/ui/panel.tsx";
import { LinkFacts } from "./link-facts.tsx";
import { LinkForm } from "./link-form.tsx";
import { useLink } from "./use-link.ts";

interface LinkDialogProps {
  /** `null` for a new link. */
  readonly linkId: string | null;
  readonly readOnly: boolean;
  readonly onClose: () => void;
}

/** Makes a link, changes one, or shows one to those who may not change it. */
export function LinkDialog({ linkId, readOnly, onClose }: LinkDialogProps) {
  const { data: link, error, refetch } = useLink(linkId);
  const [dirty, setDirty] = useState(false);
  const [hasRules, setHasRules] = useState(false);
  const [asking, setAsking] = useState(false);
  const isLeaving = useRef(false);
  const close = useCallback(() => {
    isLeaving.current = true;
    onClose();
  }, [onClose]);
  const leave = useCallback(() => {
    if (!dirty || asking) close();
    else setAsking(true);
  }, [dirty, asking, close]);
  // The way back of the browser is asked the same question; so is whoever closes the tab, in the browser's own words.
  useBlocker({
    disabled: !dirty,
    enableBeforeUnload: () => !isLeaving.current,
    shouldBlockFn() {
      const blocks = !isLeaving.current && !asking;
      if (blocks) setAsking(true);
      return blocks;
    },
  });
  const title = linkId === null ? "Create link" : readOnly ? "Link" : "Edit link";
  return (
    <Dialog title={title} open onClose={leave} size={hasRules ? "widest" : "wide"} sticky={dirty}>
      {linkId === null || (link && !readOnly) ? (
        <LinkForm
          link={linkId === null ? null : (link ?? null)}
          onDirty={setDirty}
          onRules={setHasRules}
          onClose={leave}
          onDone={close}
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

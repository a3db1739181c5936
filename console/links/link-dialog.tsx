import { useBlocker } from "@tanstack/react-router";
import { useCallback, useRef, useState } from "react";
import { Dialog } from "#console/ui/dialog.tsx";
import { Failure } from "#console/ui/failure.tsx";
import { Skeleton } from "#console/ui/panel.tsx";
import type { Link } from "#contract/link-record.ts";
import { linkFormTexts as texts } from "#texts/link-form.ts";
import { uiTexts } from "#texts/ui.ts";
import { LinkFacts } from "./link-facts.tsx";
import { LinkForm } from "./link-form.tsx";
import { emptyValues, valuesOfCopy } from "./link-form-values.ts";
import { TrashNote } from "./trash-note.tsx";
import { useLink } from "./use-link.ts";

interface LinkDialogProps {
  /** `null` for a new link. */
  readonly linkId: string | null;
  /** What a new link begins as a copy of. */
  readonly copyOf?: string | null;
  /** Where a new link leads, if it is known already. */
  readonly destination?: string | null;
  readonly onCreated?: (link: Link) => void;
  readonly readOnly: boolean;
  readonly onClose: () => void;
}

/** Makes a link, changes one, or shows one to those who may not change it. */
export function LinkDialog(props: LinkDialogProps) {
  const { linkId, copyOf = null, destination = null, readOnly, onCreated, onClose } = props;
  const isNew = linkId === null;
  const { data: link, error, refetch } = useLink(linkId ?? copyOf);
  const isReady = link !== undefined || (isNew && copyOf === null);
  const [dirty, setDirty] = useState(false);
  const [hasRules, setHasRules] = useState(false);
  const [asking, setAsking] = useState(false);
  const isLeaving = useRef(false);
  const close = useCallback(() => {
    isLeaving.current = true;
    onClose();
  }, [onClose]);
  const leave = useCallback(() => {
    if (dirty) setAsking(true);
    else close();
  }, [dirty, close]);
  const keep = useCallback(() => setAsking(false), []);
  // The browser's back button asks the same question; closing the tab asks it in the browser's own words.
  useBlocker({
    disabled: !dirty,
    enableBeforeUnload: () => !isLeaving.current,
    shouldBlockFn() {
      if (isLeaving.current) return false;
      setAsking((before) => !before);
      return true;
    },
  });
  const isFixed = !isNew && (readOnly || link?.state === "deleted");
  const { create, duplicate, show, edit } = texts.titles;
  const title = isNew ? (copyOf === null ? create : duplicate) : isFixed ? show : edit;
  return (
    <Dialog
      title={title}
      open
      // Only the question's own button discards anything: Escape answers it like it answers others, with no.
      onClose={(by) => (asking && by === "escape" ? keep() : leave())}
      size={hasRules ? "widest" : "wide"}
      sticky={dirty}
    >
      {isReady && !isFixed ? (
        <LinkForm
          link={isNew ? null : (link ?? null)}
          start={isNew && link ? valuesOfCopy(link) : { ...emptyValues, destination_url: destination ?? "" }}
          onCreated={onCreated}
          onDirty={setDirty}
          onRules={setHasRules}
          onClose={leave}
          onDone={close}
          discarding={asking}
          onKeep={keep}
        />
      ) : link ? (
        <>
          {link.erases_at !== null && <TrashNote link={link} erasesAt={link.erases_at} mayRestore={!readOnly} />}
          <LinkFacts link={link} />
        </>
      ) : error ? (
        <Failure error={error} onRetry={refetch} />
      ) : (
        <div role="status" aria-label={uiTexts.loading} className="grid gap-4">
          <Skeleton className="h-control" />
          <Skeleton className="h-control" />
          <Skeleton className="h-24" />
        </div>
      )}
    </Dialog>
  );
}

import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { useChange } from "#console/api/use-change.ts";
import { tintOfColor } from "#console/links/use-tag-colors.ts";
import { Button } from "#console/ui/button.tsx";
import { ConfirmDialog } from "#console/ui/confirm-dialog.tsx";
import { tintOf } from "#console/ui/tint.ts";
import { toast } from "#console/ui/toast.tsx";
import { deleteTag, type Tag } from "#contract/tags.ts";
import { tagTexts as texts } from "#texts/tags.ts";
import { TagDialog } from "./tag-dialog.tsx";
import { TAG_QUERIES } from "./tag-queries.ts";

/** A tag, the ways to its links and clicks, and what can be done with it. */
export function TagRow({ tag }: { readonly tag: Tag }) {
  const { account, call, may } = useWorkspace();
  const { name, color, link_count, click_count, pending } = tag;
  const [open, setOpen] = useState<"edit" | "delete" | null>(null);
  const close = () => setOpen(null);
  const params = { account: account.id };
  const search = { tag: [name] };
  const removal = useChange(() => call(deleteTag, { params: { tag: name } }), {
    refreshes: TAG_QUERIES,
    inForm: true,
    onDone: () => toast(texts.deleted(name)),
  });
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line px-5 py-3 not-first:border-t sm:px-6">
      <div className="flex min-w-0 flex-1 basis-40 flex-wrap items-center gap-2">
        <span
          style={color ? tintOfColor(color) : tintOf(name)}
          className="tinted max-w-full truncate rounded-full px-2.5 py-0.5 text-sm font-medium"
        >
          {name}
        </span>
        {pending && (
          <span role="status" className="text-sm text-soft">
            {texts.pending}
          </span>
        )}
      </div>
      <p className="flex gap-4 text-sm tabular-nums sm:text-right">
        <Link
          to="/a/$account/links"
          params={params}
          search={{ ...search, show: "all" }}
          aria-label={`${texts.showLinks(name)}: ${texts.links(link_count)}`}
          className="text-soft hover:text-accent hover:underline sm:min-w-20"
        >
          {texts.links(link_count)}
        </Link>
        <Link
          to="/a/$account/reports"
          params={params}
          search={search}
          aria-label={`${texts.showReport(name)}: ${texts.clicks(click_count)}`}
          className="text-soft hover:text-accent hover:underline sm:min-w-28"
        >
          {texts.clicks(click_count)}
        </Link>
      </p>
      {may("member") && (
        <div className="-mx-2.5 flex items-center gap-1">
          <Button
            look="quiet"
            size="small"
            disabled={pending}
            aria-label={texts.edit(name)}
            onClick={() => setOpen("edit")}
          >
            {texts.editShort}
          </Button>
          <Button
            look="quiet"
            size="small"
            disabled={pending}
            aria-label={texts.delete(name)}
            onClick={() => setOpen("delete")}
          >
            {texts.deleteShort}
          </Button>
        </div>
      )}
      {open === "edit" && <TagDialog tag={tag} onClose={close} />}
      {open === "delete" && (
        <ConfirmDialog
          title={texts.askDelete(name)}
          confirmLabel={texts.deleteShort}
          onConfirm={() => removal.mutateAsync()}
          onClose={close}
        >
          {texts.askDeleteNote(link_count)}
        </ConfirmDialog>
      )}
    </li>
  );
}

import { useNavigate } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { lazyPart } from "#console/api/load-part.ts";
import { useWorkspace } from "#console/api/session.tsx";
import { type LinkChanges, useLinkChanges } from "#console/links/link-changes.ts";
import { LinkMenu } from "#console/links/link-menu.tsx";
import type { Link } from "#contract/link-record.ts";

const HistoryDialog = lazyPart(() => import("#console/links/history/history-dialog.tsx"), "HistoryDialog");
const LinkDialog = lazyPart(() => import("#console/links/link-dialog.tsx"), "LinkDialog");
const QrDialog = lazyPart(() => import("#console/links/qr-dialog.tsx"), "QrDialog");

/** What can be done with the link that a report is about. */
export function LinkReportMenu({ link }: { readonly link: Link }) {
  const { account, may } = useWorkspace();
  const navigate = useNavigate();
  const { act, erase } = useLinkChanges();
  const [open, setOpen] = useState<"edit" | "qr" | "history" | null>(null);
  const close = () => setOpen(null);
  const leave = () => navigate({ to: "/a/$account/links", params: { account: account.id } });
  const changes: LinkChanges = {
    act(changed, move) {
      act(changed, move);
      if (move === "delete") void leave();
    },
    async erase(erased) {
      await erase(erased);
      await leave();
    },
  };
  return (
    <>
      <LinkMenu
        link={link}
        mayChange={may("member")}
        changes={changes}
        onEdit={() => setOpen("edit")}
        onQr={() => setOpen("qr")}
        onHistory={() => setOpen("history")}
      />
      <Suspense>
        {open === "edit" && <LinkDialog linkId={link.id} readOnly={false} onClose={close} />}
        {open === "qr" && <QrDialog linkId={link.id} onClose={close} />}
        {open === "history" && <HistoryDialog linkId={link.id} onClose={close} />}
      </Suspense>
    </>
  );
}

import { useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { useDialogClosing, withDialog } from "#console/app/dialog-history.ts";
import { filterOf, type LinkListSearch } from "./link-list-search.ts";

type DialogSearch = Pick<LinkListSearch, "new" | "copy" | "edit" | "qr" | "history">;

/** Opens a dialog of a link, or leaves for its report. */
export type OpenLink = (
  what:
    | { readonly edit: string }
    | { readonly copy: string }
    | { readonly qr: string }
    | { readonly history: string }
    | { readonly report: string },
) => void;

const withoutDialog = (search: LinkListSearch): LinkListSearch => filterOf(search);

/** Dialogs stand in the address: they can be shared, and the browser's way back closes them. */
export function useLinkDialogs() {
  const { account } = useWorkspace();
  const navigate = useNavigate({ from: "/a/$account/links" });
  const reportHref = useCallback((id: string) => `/console/a/${account.id}/links/${id}`, [account.id]);
  const openDialog = useCallback(
    (dialog: DialogSearch) =>
      void navigate({
        to: ".",
        search: (search: LinkListSearch) => ({ ...withoutDialog(search), ...dialog }),
        state: withDialog,
        resetScroll: false,
      }),
    [navigate],
  );
  const openLink = useCallback<OpenLink>(
    (what) => {
      if ("report" in what) void navigate({ href: reportHref(what.report) });
      else openDialog(what);
    },
    [navigate, openDialog, reportHref],
  );
  const closeDialog = useDialogClosing(
    useCallback(() => void navigate({ to: ".", search: withoutDialog, replace: true, resetScroll: false }), [navigate]),
  );
  return { openDialog, openLink, closeDialog, reportHref };
}

import { useNavigate, useRouter } from "@tanstack/react-router";
import { useCallback } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import type { LinkListSearch } from "./link-list-search.ts";

type DialogSearch = Pick<LinkListSearch, "new" | "edit" | "qr">;

/** Opens a dialog of a link, or leaves for its report. */
export type OpenLink = (
  what: { readonly edit: string } | { readonly qr: string } | { readonly report: string },
) => void;

const withoutDialog = ({ new: _new, edit: _edit, qr: _qr, ...rest }: LinkListSearch): LinkListSearch => rest;

/** Dialogs stand in the address: they can be shared, and the browser's way back closes them. */
export function useLinkDialogs() {
  const { account } = useWorkspace();
  const navigate = useNavigate({ from: "/a/$account/links" });
  const router = useRouter();
  const reportHref = useCallback((id: string) => `/console/a/${account.id}/links/${id}`, [account.id]);
  const openDialog = useCallback(
    (dialog: DialogSearch) =>
      void navigate({
        to: ".",
        search: (search: LinkListSearch) => ({ ...withoutDialog(search), ...dialog }),
        state: (state) => ({ ...state, dialog: true as const }),
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
  const closeDialog = useCallback(() => {
    if (router.state.location.state.dialog) router.history.back();
    else void navigate({ to: ".", search: withoutDialog, replace: true, resetScroll: false });
  }, [navigate, router]);
  return { openDialog, openLink, closeDialog, reportHref };
}

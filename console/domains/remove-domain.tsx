import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { useChange } from "#console/api/use-change.ts";
import { Button } from "#console/ui/button.tsx";
import { ConfirmDialog } from "#console/ui/confirm-dialog.tsx";
import { Dialog, DialogFooter } from "#console/ui/dialog.tsx";
import { Section } from "#console/ui/section.tsx";
import { toast } from "#console/ui/toast.tsx";
import type { Domain } from "#contract/domain-record.ts";
import { deleteDomain } from "#contract/domains.ts";
import { domainTexts } from "#texts/domains.ts";
import { uiTexts } from "#texts/ui.ts";

const texts = domainTexts.remove;

export function RemoveDomain({ domain }: { readonly domain: Domain }) {
  const { account, call } = useWorkspace();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  async function remove(): Promise<void> {
    await call(deleteDomain, { params: { id: domain.id } });
    await navigate({ to: "/a/$account/domains", params: { account: account.id } });
    toast(texts.done(domain.display_name));
  }
  const removal = useChange(remove, { refreshes: ["domains", "account"], inForm: true });
  const { link_count } = domain;
  return (
    <Section
      title={texts.action}
      tone="bad"
      note={texts.note(link_count)}
      action={
        <Button look="danger" onClick={() => setAsking(true)}>
          {texts.action}
        </Button>
      }
    >
      {asking && link_count > 0 && <HasLinks domain={domain} onClose={() => setAsking(false)} />}
      {asking && link_count === 0 && (
        <ConfirmDialog
          title={texts.question(domain.display_name)}
          confirmLabel={texts.action}
          onConfirm={() => removal.mutateAsync()}
          onClose={() => setAsking(false)}
        >
          {texts.questionNote}
        </ConfirmDialog>
      )}
    </Section>
  );
}

/** The server would refuse it: says so before anyone tries, and leads to what has to be done. */
function HasLinks({ domain, onClose }: { readonly domain: Domain; readonly onClose: () => void }) {
  const { account } = useWorkspace();
  const navigate = useNavigate();
  const { name, display_name, link_count } = domain;
  const showLinks = () =>
    navigate({
      to: "/a/$account/links",
      params: { account: account.id },
      search: { domain: name, show: "all" },
    });
  return (
    <Dialog title={texts.hasLinks(display_name)} open onClose={onClose}>
      <p className="text-soft">{texts.hasLinksNote(link_count)}</p>
      <DialogFooter>
        <Button onClick={onClose}>{uiTexts.cancel}</Button>
        <Button look="primary" data-first onClick={() => void showLinks()}>
          {texts.showLinks(link_count)}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { useChange } from "#console/api/use-change.ts";
import { Button } from "#console/ui/button.tsx";
import { ConfirmDialog } from "#console/ui/confirm-dialog.tsx";
import { Dialog, DialogFooter } from "#console/ui/dialog.tsx";
import { plural } from "#console/ui/format.ts";
import { Section } from "#console/ui/section.tsx";
import { toast } from "#console/ui/toast.tsx";
import type { Domain } from "#contract/domain-record.ts";
import { deleteDomain } from "#contract/domains.ts";

export function RemoveDomain({ domain }: { readonly domain: Domain }) {
  const { account, call } = useWorkspace();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  async function remove(): Promise<void> {
    await call(deleteDomain, { params: { id: domain.id } });
    await navigate({ to: "/a/$account/domains", params: { account: account.id } });
    toast(`Removed ${domain.display_name}.`);
  }
  const removal = useChange(remove, { refreshes: ["domains", "account"], inForm: true });
  const { link_count } = domain;
  return (
    <Section
      title="Remove domain"
      tone="bad"
      note={
        link_count === 0
          ? "It has no links, so nothing stops working."
          : `It has ${plural(link_count, "link")}, archived and paused ones included. Delete them before you remove it.`
      }
      action={
        <Button look="danger" onClick={() => setAsking(true)}>
          Remove domain
        </Button>
      }
    >
      {asking && link_count > 0 && <HasLinks domain={domain} onClose={() => setAsking(false)} />}
      {asking && link_count === 0 && (
        <ConfirmDialog
          title={`Remove ${domain.display_name}?`}
          confirmLabel="Remove domain"
          onConfirm={() => removal.mutateAsync()}
          onClose={() => setAsking(false)}
        >
          Its addresses for other visitors are deleted with it. To use the name again, you’ll have to verify it again.
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
    <Dialog title={`${display_name} can’t be removed yet`} open onClose={onClose}>
      <p className="text-soft">
        It still has {plural(link_count, "link")}, archived and paused ones included. Delete{" "}
        {link_count === 1 ? "it" : "them"} first: a link can’t move to another domain.
      </p>
      <DialogFooter>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" data-first onClick={() => void showLinks()}>
          Show {link_count === 1 ? "link" : "links"}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

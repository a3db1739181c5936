import { useNavigate } from "@tanstack/react-router";
import { Ellipsis, KeyRound, Pencil, Power, RotateCcw, Send, Trash2 } from "lucide-react";
import { useState } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { useChange } from "#console/api/use-change.ts";
import { Button } from "#console/ui/button.tsx";
import { ConfirmDialog } from "#console/ui/confirm-dialog.tsx";
import { Menu, MenuItem, MenuLine } from "#console/ui/menu.tsx";
import { toast } from "#console/ui/toast.tsx";
import { deleteWebhook, disableWebhook, testWebhook, type WebhookEndpoint } from "#contract/console/webhooks.ts";
import { deliveryTexts as texts } from "#texts/deliveries.ts";
import { EnableDialog } from "./enable-dialog.tsx";
import { EndpointDialog } from "./endpoint-dialog.tsx";
import { RecoverDialog } from "./recover-dialog.tsx";
import { RotateDialog } from "./rotate-dialog.tsx";

type Open = "edit" | "enable" | "recover" | "rotate" | "delete";

export function EndpointActions({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { account, call } = useWorkspace();
  const navigate = useNavigate();
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const target = { params: { id: endpoint.id } };
  const test = useChange(() => call(testWebhook, target), {
    refreshes: ["deliveries", "webhooks"],
    onDone: () => toast(texts.testSent),
  });
  const disable = useChange(() => call(disableWebhook, target), {
    refreshes: ["webhooks"],
    onDone: () => toast(texts.switchedOff),
  });
  async function remove(): Promise<void> {
    await call(deleteWebhook, target);
    await navigate({ to: "/a/$account/developer/webhooks", params: { account: account.id } });
  }
  const removal = useChange(remove, { refreshes: ["account", "webhooks"], inForm: true });
  return (
    <div className="flex gap-2">
      {endpoint.enabled ? (
        <Button size="small" onClick={() => test.mutate()} busy={test.isPending}>
          <Send className="size-4" aria-hidden />
          {texts.sendTest}
        </Button>
      ) : (
        <Button size="small" look="primary" onClick={() => setOpen("enable")}>
          <Power className="size-4" aria-hidden />
          {texts.switchOn}
        </Button>
      )}
      <Button size="small" onClick={() => setOpen("edit")}>
        <Pencil className="size-4" aria-hidden />
        {texts.edit}
      </Button>
      <Menu
        label={texts.moreActions}
        trigger={
          <Button size="small" aria-label={texts.moreActions}>
            <Ellipsis className="size-4" aria-hidden />
          </Button>
        }
      >
        <MenuItem icon={<KeyRound aria-hidden />} onSelect={() => setOpen("rotate")}>
          {texts.rotate.action}
        </MenuItem>
        {endpoint.enabled && (
          <>
            <MenuItem icon={<RotateCcw aria-hidden />} onSelect={() => setOpen("recover")}>
              {texts.recover.action}
            </MenuItem>
            <MenuItem icon={<Power aria-hidden />} onSelect={() => disable.mutate()}>
              {texts.switchOff}
            </MenuItem>
          </>
        )}
        <MenuLine />
        <MenuItem icon={<Trash2 aria-hidden />} danger onSelect={() => setOpen("delete")}>
          {texts.remove.action}
        </MenuItem>
      </Menu>
      {open === "edit" && <EndpointDialog endpoint={endpoint} onClose={close} />}
      {open === "enable" && <EnableDialog endpoint={endpoint} onClose={close} />}
      {open === "recover" && <RecoverDialog endpoint={endpoint} onClose={close} />}
      {open === "rotate" && <RotateDialog endpoint={endpoint} onClose={close} />}
      {open === "delete" && (
        <ConfirmDialog
          title={texts.remove.question}
          confirmLabel={texts.remove.action}
          onConfirm={() => removal.mutateAsync()}
          onClose={close}
        >
          {texts.remove.note}
        </ConfirmDialog>
      )}
    </div>
  );
}

import { useQuery } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { useWorkspace } from "#console/api/session.tsx";
import { useChange } from "#console/api/use-change.ts";
import { Button } from "#console/ui/button.tsx";
import { CodeBlock } from "#console/ui/code-block.tsx";
import { CopyButton } from "#console/ui/copy-button.tsx";
import { Dialog, DialogFooter } from "#console/ui/dialog.tsx";
import { Loaded } from "#console/ui/loaded.tsx";
import { toast } from "#console/ui/toast.tsx";
import { When } from "#console/ui/when.tsx";
import { type Delivery, getDelivery, redeliver } from "#contract/console/webhooks.ts";
import { deliveryTexts as texts } from "#texts/deliveries.ts";
import { uiTexts } from "#texts/ui.ts";
import { AttemptList } from "./attempt-list.tsx";
import { DeliveryBadge } from "./delivery-texts.tsx";

const REFRESH_MS = 1500;

interface DeliveryDialogProps {
  readonly id: string;
  /** Whether the endpoint is on. */
  readonly canSend: boolean;
  readonly onClose: () => void;
}

/** One delivery: what was sent, each attempt, and what came back. */
export function DeliveryDialog({ id, canSend, onClose }: DeliveryDialogProps) {
  const { account, call } = useWorkspace();
  const query = useQuery({
    queryKey: ["deliveries", account.id, "one", id],
    queryFn: () => call(getDelivery, { params: { id } }),
    // A finished delivery only changes when someone resends it, which reads it again.
    refetchInterval: ({ state }) => (state.data?.next_attempt_at ? REFRESH_MS : false),
  });
  const again = useChange(() => call(redeliver, { params: { id } }), {
    refreshes: ["deliveries", "webhooks"],
    onDone: () => toast(texts.delivery.resent),
  });
  return (
    <Dialog title={query.data?.event ?? texts.delivery.title} open onClose={onClose} size="wide">
      <Loaded query={query}>{(delivery) => <DeliveryView delivery={delivery} />}</Loaded>
      <DialogFooter>
        {!canSend && <p className="mr-auto text-sm text-soft">{texts.delivery.isOff}</p>}
        <Button onClick={onClose}>{uiTexts.close}</Button>
        {canSend && (
          <Button look="primary" busy={again.isPending} onClick={() => again.mutate()}>
            <Send className="size-4" aria-hidden />
            {texts.delivery.redeliver}
          </Button>
        )}
      </DialogFooter>
    </Dialog>
  );
}

const DeliveryView = ({ delivery }: { readonly delivery: Delivery }) => (
  <div className="grid grid-cols-1 gap-5">
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
      <DeliveryBadge state={delivery.state} last_attempt={delivery.last_attempt} />
      {delivery.subject !== null && <span className="min-w-0 font-medium break-all text-text">{delivery.subject}</span>}
      <When instant={delivery.created_at} />
      {delivery.next_attempt_at && <When said={texts.delivery.nextAttempt} instant={delivery.next_attempt_at} />}
      <span className="flex min-w-0 items-center font-mono text-xs">
        <span className="truncate">{delivery.id}</span>
        <CopyButton text={delivery.id} label={texts.delivery.copyId} />
      </span>
    </div>
    <section aria-label={texts.delivery.attempts}>
      <h3 className="mb-2 text-sm font-medium">{texts.delivery.attempts}</h3>
      <AttemptList attempts={delivery.log} />
    </section>
    <div>
      <h3 className="mb-2 text-sm font-medium">{texts.delivery.payload}</h3>
      <CodeBlock label={texts.delivery.payload} code={prettyJson(delivery.body)} />
    </div>
  </div>
);

/** As it was sent where it cannot be read. */
function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

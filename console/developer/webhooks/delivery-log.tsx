import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { type NavigateOptions, useNavigate, useSearch } from "@tanstack/react-router";
import { Inbox } from "lucide-react";
import { useWorkspace } from "#console/api/session.tsx";
import { useDialogClosing, withDialog } from "#console/app/dialog-history.ts";
import { Select } from "#console/ui/field.tsx";
import { PagedLog } from "#console/ui/paged-log.tsx";
import { Empty } from "#console/ui/panel.tsx";
import { Section } from "#console/ui/section.tsx";
import { deliveryStates, eventKinds, listDeliveries, type WebhookEndpoint } from "#contract/console/webhooks.ts";
import { deliveryTexts as texts } from "#texts/deliveries.ts";
import { DeliveryDialog } from "./delivery-dialog.tsx";
import { DeliveryRow } from "./delivery-row.tsx";
import type { DeliverySearch } from "./delivery-search.ts";

const REFRESH_MS = 2000;
const from = "/a/$account/developer/webhooks/$endpoint";

/** What was sent and what came of it; it follows what happens. */
export function DeliveryLog({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { account, call } = useWorkspace();
  const { state, event, delivery } = useSearch({ from });
  const navigate = useNavigate({ from });
  const log = useInfiniteQuery({
    queryKey: ["deliveries", account.id, endpoint.id, state, event],
    queryFn: ({ pageParam }) =>
      call(listDeliveries, { params: { id: endpoint.id }, query: { state, event, before: pageParam } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_before }) => next_before ?? undefined,
    // Every page would be read again, and someone who looks at older ones isn't waiting for news.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : REFRESH_MS),
    placeholderData: keepPreviousData,
  });
  const filters = { ...(state && { state }), ...(event && { event }) };
  const show = (search: DeliverySearch, options: Pick<NavigateOptions, "replace" | "state"> = { replace: true }) =>
    void navigate({ to: ".", search, resetScroll: false, ...options });
  const close = useDialogClosing(() => show(filters));
  return (
    <Section
      title={texts.log.title}
      note={texts.log.note}
      flush
      action={
        <div className="flex flex-wrap gap-2">
          <Filter
            label={texts.log.state}
            value={state}
            options={deliveryStates}
            textOf={(one) => texts.states[one]}
            onChange={(next) => show({ ...(next && { state: next }), ...(event && { event }) })}
          />
          <Filter
            label={texts.log.event}
            value={event}
            options={eventKinds}
            textOf={(kind) => kind}
            onChange={(next) => show({ ...(state && { state }), ...(next && { event: next }) })}
          />
        </div>
      }
    >
      <PagedLog query={log} empty={<NoDeliveries isFiltered={state !== undefined || event !== undefined} />}>
        {(rows) => (
          <ul aria-label={texts.log.title}>
            {rows.map((row) => (
              <DeliveryRow
                key={row.id}
                delivery={row}
                onOpen={() => show({ ...filters, delivery: row.id }, { replace: false, state: withDialog })}
              />
            ))}
          </ul>
        )}
      </PagedLog>
      {delivery !== undefined && <DeliveryDialog id={delivery} canSend={endpoint.enabled} onClose={close} />}
    </Section>
  );
}

const NoDeliveries = ({ isFiltered }: { readonly isFiltered: boolean }) => (
  <Empty icon={<Inbox aria-hidden />} title={isFiltered ? texts.log.noMatch : texts.log.none}>
    {isFiltered ? texts.log.noMatchNote : texts.log.noneNote}
  </Empty>
);

interface FilterProps<T extends string> {
  readonly label: string;
  readonly value: T | undefined;
  readonly options: readonly T[];
  readonly textOf: (option: T) => string;
  readonly onChange: (value: T | undefined) => void;
}

const Filter = <T extends string>({ label, value, options, textOf, onChange }: FilterProps<T>) => (
  <Select
    aria-label={label}
    value={value ?? ""}
    onChange={(event) => onChange(options.find((option) => option === event.target.value))}
    className="h-8! text-sm"
  >
    <option value="">{texts.log.anyOf(label)}</option>
    {options.map((option) => (
      <option key={option} value={option}>
        {textOf(option)}
      </option>
    ))}
  </Select>
);

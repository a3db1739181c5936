import { appendAudit } from "#audit/audit.service.ts";
import { type ChosenEvent, defaultEvents, scopeOfEvent } from "#contract/webhooks.ts";
import type { OutboundClient } from "#engines/outbound/outbound-client.ts";
import type { Records } from "#engines/records/records.ts";
import type { Sql } from "#engines/records/schema.ts";
import { missingScope } from "#http/authorize.ts";
import { notFound } from "#kernel/api-error.ts";
import type { Caller } from "#kernel/caller.ts";
import type { Clock } from "#kernel/clock.ts";
import { newId } from "#kernel/ids.ts";
import { releaseEndpoint, reserveEndpoint } from "#plans/plan-limits.ts";
import { dropPending } from "./deliveries.store.ts";
import { type CheckedFields, checkEndpointFields, type EndpointFields } from "./endpoint-fields.ts";
import { type Endpoint, toEndpoint } from "./endpoint-record.ts";
import { newSecret, type SecretBox } from "./endpoint-secret.ts";
import {
  deleteEndpoint,
  deleteSomeDeliveries,
  type EndpointRow,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  updateEndpoint,
} from "./endpoints.store.ts";

interface Deps {
  readonly records: Records;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  readonly findUrlProblem: OutboundClient["findUrlProblem"];
  /** Called for an endpoint that may have deliveries due. */
  readonly wake: (endpointNo: number) => void;
}

/** The only time the secret is shown. */
export interface NewSecret {
  readonly id: string;
  readonly secret: string;
}

const OVERLAP_MS = 24 * 3_600_000;
// A batch is one transaction, which blocks the event loop; between batches, other work gets a turn.
const BATCH = 500;

export function endpointService({ records, clock, secrets, findUrlProblem, wake }: Deps) {
  /** Looks the endpoint up within the account, changes it and writes the audit log, in one transaction. */
  const change = (
    caller: Caller,
    id: string,
    action: string,
    work: (tx: Sql, row: EndpointRow, at: number) => Promise<EndpointRow>,
  ): Promise<Endpoint> =>
    records.write(async (tx) => {
      const at = clock();
      const changed = await work(tx, await getEndpoint(tx, caller, id), at);
      await appendAudit(tx, { at, accountNo: caller.accountNo, actor: caller.actor, action, subject: id });
      return toEndpoint(changed, caller.accountId, at);
    });

  return {
    async create(
      caller: Caller,
      fields: Pick<EndpointFields, "url"> & Partial<EndpointFields>,
    ): Promise<Endpoint & NewSecret> {
      const checked = checkEndpointFields({ events: defaultEvents, description: null, ...fields }, findUrlProblem);
      const { url = "", description = null, events = [] } = checked;
      assertMayRead(caller, events);
      const id = newId("we");
      const secret = newSecret();
      return records.write(async (tx) => {
        const at = clock();
        await reserveEndpoint(tx, caller);
        const row = await insertEndpoint(tx, {
          id,
          account_no: caller.accountNo,
          url,
          description,
          ...eventColumns(events),
          secret: secrets.seal(secret, id),
          old_secret: null,
          old_secret_until: null,
          created_at: at,
          updated_at: at,
          ...enabledColumns,
        });
        await appendAudit(tx, {
          at,
          accountNo: caller.accountNo,
          actor: caller.actor,
          action: "webhook.created",
          subject: id,
          details: { host: new URL(url).host, events },
        });
        return { ...toEndpoint(row, caller.accountId, at), secret };
      });
    },

    async list(caller: Caller): Promise<Endpoint[]> {
      const rows = await listEndpoints(records.read, caller.accountNo);
      return rows.map((row) => toEndpoint(row, caller.accountId, clock()));
    },

    async get(caller: Caller, id: string): Promise<Endpoint> {
      return toEndpoint(await getEndpoint(records.read, caller, id), caller.accountId, clock());
    },

    async update(caller: Caller, id: string, fields: Partial<EndpointFields>): Promise<Endpoint> {
      const checked = checkEndpointFields(fields, findUrlProblem);
      const { url, events } = checked;
      return change(caller, id, "webhook.updated", (tx, row, at) => {
        // Another address gets what the one before got.
        if (url !== undefined || events) assertMayRead(caller, events ?? (JSON.parse(row.events) as ChosenEvent[]));
        return updateEndpoint(tx, row.no, { ...columnsOf(checked), updated_at: at });
      });
    },

    /** Pending deliveries are kept for seven days; new events aren't queued. */
    disable: (caller: Caller, id: string): Promise<Endpoint> =>
      change(caller, id, "webhook.disabled", async (tx, row, at) =>
        row.disabled_by === "owner"
          ? row
          : updateEndpoint(tx, row.no, { disabled_at: at, disabled_by: "owner", updated_at: at }),
      ),

    /** With `sendMissed`, pending deliveries are sent; otherwise they are dropped, but can be recovered later. */
    async enable(caller: Caller, id: string, { sendMissed }: { readonly sendMissed: boolean }): Promise<Endpoint> {
      const { no, disabled_at } = await getEndpoint(records.read, caller, id);
      if (disabled_at !== null && !sendMissed) {
        while ((await records.write((tx) => dropPending(tx, no, BATCH))) > 0);
      }
      const endpoint = await change(caller, id, "webhook.enabled", (tx, row, at) =>
        updateEndpoint(tx, row.no, { ...enabledColumns, updated_at: at }),
      );
      wake(no);
      return endpoint;
    },

    /** With `overlap`, the old secret keeps signing for a day so receivers can switch; otherwise it ends at once. */
    async rotate(caller: Caller, id: string, { overlap }: { readonly overlap: boolean }): Promise<NewSecret> {
      const secret = newSecret();
      await change(caller, id, "webhook.secret_rotated", (tx, row, at) =>
        updateEndpoint(tx, row.no, {
          secret: secrets.seal(secret, id),
          old_secret: overlap ? row.secret : null,
          old_secret_until: overlap ? at + OVERLAP_MS : null,
          updated_at: at,
        }),
      );
      return { id, secret };
    },

    /** Also deletes its deliveries. */
    async delete(caller: Caller, id: string): Promise<void> {
      // Disabled first, so nothing is queued or sent while its deliveries are deleted.
      const { no } = await records.write(async (tx) => {
        const row = await getEndpoint(tx, caller, id);
        return updateEndpoint(tx, row.no, { disabled_at: clock(), disabled_by: "owner" });
      });
      while ((await records.write((tx) => deleteSomeDeliveries(tx, no, BATCH))) > 0);
      await change(caller, id, "webhook.deleted", async (tx, row) => {
        await deleteEndpoint(tx, row.no);
        await releaseEndpoint(tx, caller.accountNo);
        return row;
      });
    },
  };
}
export type EndpointService = ReturnType<typeof endpointService>;

/** Otherwise a token could have sent to itself what it can't read. */
function assertMayRead({ scopes }: Caller, events: readonly ChosenEvent[]): void {
  const hidden = scopes && events.find((event) => !scopes.includes(scopeOfEvent(event)));
  if (hidden) throw missingScope(scopeOfEvent(hidden), scopes, ` to have ${hidden} sent`);
}

const enabledColumns = {
  disabled_at: null,
  disabled_by: null,
  failing_since: null,
  last_failure_at: null,
  exhausted_at: null,
} as const;

const eventColumns = (events: readonly string[]) => ({
  events: JSON.stringify(events),
  takes_clicks: events.includes("link.clicked") ? (1 as const) : (0 as const),
});

const columnsOf = ({ url, events, description }: CheckedFields) => ({
  ...(url !== undefined && { url }),
  ...(description !== undefined && { description }),
  ...(events && eventColumns(events)),
});

/** Another account's endpoint looks like a missing one. */
export async function getEndpoint(sql: Sql, { accountNo }: Caller, id: string): Promise<EndpointRow> {
  const row = await findEndpoint(sql, accountNo, id);
  if (!row) throw notFound();
  return row;
}

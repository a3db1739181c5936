import type { BlockReason } from "#contract/errors.ts";
import type { Records } from "#engines/records/records.ts";
import type { Sql } from "#engines/records/schema.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Outbox } from "#outbox/outbox.service.ts";
import type { DestinationRules } from "#shared/destination-rules.ts";
import type { CursorCodec } from "./link-cursor.ts";
import type { ShortOrigin } from "./link-record.ts";

export interface LinkDeps {
  readonly records: Records;
  readonly clock: Clock;
  readonly cursors: CursorCodec;
  readonly origin: ShortOrigin;
  readonly outbox: Outbox;
  readonly destinations: DestinationRules;
  readonly secretKey: string;
  /** Why the operator blocks a destination, or `null`. */
  readonly blockReasonOf: (destinationUrl: string) => BlockReason | null;
  /** A command without a server doesn't: it leaves the blocks that links have. */
  readonly knowsBlocklist: () => boolean;
}

/**
 * A use case whose request is checked as far as that needs no records. It runs in a transaction of its own or with others
 * in one, and maybe more than once.
 */
export type LinkWork<T> = (tx: Sql, now: number) => Promise<T>;

import type { Records } from "#engines/records/records.ts";
import type { Caller } from "#kernel/caller.ts";
import type { Clock } from "#kernel/clock.ts";
import type { LinkService } from "#links/links.service.ts";
import type { ClickTarget } from "./click-lines.ts";
import { findLinkNumbers } from "./sample-data.store.ts";
import type { SampleLink } from "./sample-links.ts";

interface Options {
  readonly records: Records;
  /** The links service as of another time: a link is as old as its first click. */
  readonly linksAt: (clock: Clock) => LinkService;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  readonly onProgress: (links: number) => void;
}

export interface CreatedLink extends ClickTarget {
  readonly id: string;
}

/** Rules of sample links have no conditions, so the first one decides every visit. */
function decidedBy({ rules }: SampleLink["body"]): Pick<ClickTarget, "rules"> {
  const first = rules?.[0];
  if (!first) return {};
  const ways = first.split?.map(({ name, weight }) => [`${first.name}/${name}`, weight] as const);
  return { rules: ways ?? [[first.name ?? "", 1]] };
}

// They share a commit, which blocks the event loop for a few milliseconds.
const BATCH_SIZE = 16;

/** Creates the links through the links service, so that they obey the same rules as any other link. */
export async function createLinks(samples: readonly SampleLink[], options: Options): Promise<CreatedLink[]> {
  const { records, linksAt, caller, signal, onProgress } = options;
  const created: CreatedLink[] = [];
  for (let start = 0; start < samples.length; start += BATCH_SIZE) {
    signal.throwIfAborted();
    const batch = await Promise.all(
      samples.slice(start, start + BATCH_SIZE).map(async ({ createdMs, channel, body }) => {
        const link = await linksAt(() => createdMs).create(caller, body, null);
        if (!("id" in link)) throw new Error("a link without an idempotency key was replayed");
        return { id: link.id, createdMs, channel, utm: body.utm, ...decidedBy(body) };
      }),
    );
    const numbers = await findLinkNumbers(
      records.read,
      batch.map(({ id }) => id),
    );
    for (const link of batch) {
      created.push({ ...link, accountNo: caller.accountNo, linkNo: numbers.get(link.id) ?? 0 });
    }
    onProgress(created.length);
  }
  return created;
}

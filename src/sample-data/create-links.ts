import type { Records } from "#engines/records/records.ts";
import type { Caller } from "#kernel/caller.ts";
import type { Clock } from "#kernel/clock.ts";
import type { LinkService } from "#links/links.service.ts";
import type { ClickTarget } from "./click-lines.ts";
import type { SampleLink } from "./sample-links.ts";

interface Options {
  readonly records: Records;
  /** The links service as of another time: a link is as old as its first click. */
  readonly linksAt: (clock: Clock) => LinkService;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  readonly onProgress: (links: number) => void;
}

// They share a commit, which holds the event loop for a few milliseconds.
const AT_ONCE = 16;

/** Makes the links through the links service, so that whatever holds for links holds for these. */
export async function makeLinks(samples: readonly SampleLink[], options: Options): Promise<ClickTarget[]> {
  const { records, linksAt, caller, signal, onProgress } = options;
  const targets: ClickTarget[] = [];
  for (let start = 0; start < samples.length; start += AT_ONCE) {
    signal.throwIfAborted();
    const some = samples.slice(start, start + AT_ONCE);
    const made = await Promise.all(
      some.map(async ({ createdMs, channel, body }) => {
        const link = await linksAt(() => createdMs).create(caller, body, null);
        if (!("id" in link)) throw new Error("a link without an idempotency key was replayed");
        return { id: link.id, createdMs, channel, utm: body.utm };
      }),
    );
    const numbers = await findNumbers(
      records,
      made.map(({ id }) => id),
    );
    for (const { id, ...target } of made) {
      targets.push({ ...target, accountNo: caller.accountNo, linkNo: numbers.get(id) ?? 0 });
    }
    onProgress(targets.length);
  }
  return targets;
}

async function findNumbers({ read }: Records, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await read.selectFrom("links").select(["id", "no"]).where("id", "in", ids).execute();
  return new Map(rows.map(({ id, no }) => [id, no]));
}

import { existsSync } from "node:fs";
import { ForeignClicks } from "#engines/clicks/clicks-engine.ts";
import { logEvent } from "#runtime/log.ts";
import type { Services } from "#runtime/services.ts";

type Deps = Pick<Services, "clicks" | "paths" | "records">;

/** Asked before clicks are taken from the journal; throws while the clicks file is another installation's. */
export function ownClicksGuard({ clicks }: Pick<Deps, "clicks">): () => Promise<void> {
  let isOwn = false;
  return async () => {
    if (isOwn) return;
    try {
      await clicks.linkTagsPosition();
      isOwn = true;
    } catch (error) {
      // A file that cannot be read holds up reports alone; its consumer tries again.
      if (error instanceof ForeignClicks) throw error;
    }
  };
}

/** Where the file is gone, reports begin anew, and should not do so without a word. */
export async function reportMissingClicks({ paths, records }: Pick<Deps, "paths" | "records">): Promise<void> {
  if (existsSync(paths.clicks)) return;
  const { counted } = await records.scan
    .selectFrom("link_counts")
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>("click_count"), eb.lit(0)).as("counted"))
    .executeTakeFirstOrThrow();
  if (Number(counted) === 0) return;
  logEvent("error", "the clicks file is missing; reports start empty", {
    path: paths.clicks,
    counted_on_links: counted,
    remedy: 'bring it back from a backup as "A damaged clicks file" in docs/operations.md says',
  });
}

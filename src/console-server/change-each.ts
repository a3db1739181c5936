import type { ChangedLink } from "#contract/console/links.ts";
import type { Link } from "#contract/link-record.ts";
import { ApiError } from "#kernel/api-error.ts";

/** Changes links one after the other; one that can't be changed doesn't stop the others. */
export async function changeEach(
  ids: readonly string[],
  change: (id: string) => Promise<Link | undefined>,
): Promise<{ data: ChangedLink[] }> {
  const data: ChangedLink[] = [];
  for (const id of new Set(ids)) data.push(await changeOne(id, change));
  return { data };
}

async function changeOne(id: string, change: (id: string) => Promise<Link | undefined>): Promise<ChangedLink> {
  try {
    return { id, link: (await change(id)) ?? null, problem: null };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, message, details } = error;
    return { id, link: null, problem: { code, message, ...(details && { details }) } };
  }
}

import type { Link } from "#contract/link-record.ts";
import { type Fleet, inTurn } from "#test/support/fleet.ts";

const REQUESTS_PER_NODE = 2;
const KEYS_AT_ONCE = 4;

export interface KeyResults {
  /** Keys for which not all answers that succeeded named the same link, or none succeeded. */
  readonly disagreements: readonly string[];
  /** Answers that neither succeeded nor said that the key is in use at the moment, by status. */
  readonly refusals: Readonly<Record<number, number>>;
  /** Requests that got a 503 and were sent once more. */
  readonly sentAgain: number;
  readonly linksMade: number;
}

/** Sends requests with one idempotency key to all nodes at once, for many keys. */
export async function createWithKeys({ apis }: Fleet, keys: number): Promise<KeyResults> {
  const disagreements: string[] = [];
  const refusals: Record<number, number> = {};
  let sentAgain = 0;
  const tag = `keys-${Bun.randomUUIDv7()}`;

  const createOnce = async (turn: number): Promise<void> => {
    const key = `${tag}-${turn}`;
    const body = { destination_url: `https://example.com/${turn}`, tags: [tag] };
    const requests = Array.from({ length: apis.length * REQUESTS_PER_NODE }, async (_, n) => {
      const answer = await inTurn(apis, n).askToCreate(body, key, () => {
        sentAgain += 1;
      });
      const text = await answer.text();
      if (answer.status === 201) return (JSON.parse(text) as Link).id;
      if (answer.status !== 409) refusals[answer.status] = (refusals[answer.status] ?? 0) + 1;
      return null;
    });
    const ids = new Set((await Promise.all(requests)).filter((id) => id !== null));
    if (ids.size !== 1) disagreements.push(key);
  };

  let next = 0;
  const work = async (): Promise<void> => {
    while (next < keys) {
      next += 1;
      await createOnce(next);
    }
  };
  await Promise.all(Array.from({ length: KEYS_AT_ONCE }, work));
  const links = await inTurn(apis, 0).list();
  const linksMade = links.filter(({ tags }) => tags.includes(tag)).length;
  return { disagreements, refusals, sentAgain, linksMade };
}

import { decideTogether } from "#test/support/coordination-figures.ts";
import { type Fleet, inTurn } from "#test/support/fleet.ts";
import { operatorOf } from "#test/support/operator.ts";

export const LIMIT = 120;
const REQUESTS_PER_NODE = 70;

/** How many requests of one token all nodes together let through, each time with a new token. */
export async function acceptedAtOnce(fleet: Fleet, times: number): Promise<number[]> {
  const accepted: number[] = [];
  const operator = operatorOf(inTurn(fleet.nodes, 0));
  for (let round = 0; round < times; round += 1) {
    let last = 0;
    await decideTogether(fleet.nodes, async () => {
      const token = await operator.newToken(fleet.account, { rateLimit: LIMIT });
      const requests = fleet.nodes.flatMap(({ url }) =>
        Array.from({ length: REQUESTS_PER_NODE }, () =>
          fetch(`${url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } }),
        ),
      );
      const answers = await Promise.all(requests);
      const others = answers.filter(({ status }) => status !== 200 && status !== 429);
      if (others.length > 0) throw new Error(`${others.length} answers are neither 200 nor 429`);
      last = answers.filter(({ status }) => status === 200).length;
    });
    accepted.push(last);
  }
  return accepted;
}

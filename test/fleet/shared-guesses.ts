import { decideTogether } from "#test/support/coordination-figures.ts";
import { type Fleet, inTurn } from "#test/support/fleet.ts";

const PASSWORD = "tulip";
export const GUESSES_PER_NETWORK = 10;
export const GUESSES_PER_LINK = 100;
/** Fewer than a node lets wait. */
const AT_ONCE = 12;

interface Guess {
  readonly password: string;
  readonly network: string;
}

type Enter = (node: number, guess: Guess) => Promise<string>;

interface Guesses {
  /** Of a network's wrong passwords, given to all nodes at once: how many were checked and how many refused. */
  readonly ofNetwork: Readonly<Record<string, number>>;
  /** What each node then says to the right one of that network, and to that of another. */
  readonly afterwards: readonly string[];
  readonly elsewhere: readonly string[];
  /** The same for wrong ones that each come from another network. */
  readonly ofLink: Readonly<Record<string, number>>;
  readonly afterAll: readonly string[];
}

/** Guesses the passwords of two links on every node. */
export async function guessOnAll(fleet: Fleet): Promise<Guesses> {
  let guesses: Guesses | undefined;
  await decideTogether(fleet.nodes, async () => {
    const everyNode = fleet.nodes.map((_, node) => node);
    const [first, second] = [await newGuarded(fleet), await newGuarded(fleet)];
    const right = (enter: Enter, network: string) =>
      Promise.all(everyNode.map((node) => enter(node, { password: PASSWORD, network })));
    const wrong = (network: string): Guess => ({ password: "rose", network });
    guesses = {
      ofNetwork: await enterAll(first, 3 * GUESSES_PER_NETWORK, () => wrong("192.0.2.1")),
      afterwards: await right(first, "192.0.2.1"),
      elsewhere: await right(first, "192.0.2.2"),
      ofLink: await enterAll(second, GUESSES_PER_LINK + 20, (n) => wrong(`198.51.100.${n}`)),
      afterAll: await right(second, "192.0.2.3"),
    };
  });
  if (!guesses) throw new Error("nothing was guessed");
  return guesses;
}

/** How often each answer was given to so many guesses, which go to the nodes in turn. */
async function enterAll(enter: Enter, count: number, guessOf: (n: number) => Guess): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (let from = 0; from < count; from += AT_ONCE) {
    const batch = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, index) => from + index);
    for (const answer of await Promise.all(batch.map((n) => enter(n, guessOf(n))))) {
      counts[answer] = (counts[answer] ?? 0) + 1;
    }
  }
  return counts;
}

/** A link with a password, and what a node says to a guess. */
async function newGuarded(fleet: Fleet): Promise<Enter> {
  const { id, slug } = await inTurn(fleet.apis, 0).create({ password: PASSWORD });
  // A hundred guesses at the usual cost might take longer than the minute in which they count.
  const hash = await Bun.password.hash(PASSWORD, { algorithm: "argon2id", memoryCost: 8, timeCost: 1 });
  await fleet.postgres.administer(`update links set password_hash = '${hash}' where id = '${id}'`, fleet.database);
  return async (node, { password, network }) => {
    const { status, headers } = await fetch(`${inTurn(fleet.nodes, node).url}/${slug}`, {
      method: "POST",
      headers: { "x-forwarded-for": network },
      body: new URLSearchParams({ password }),
      redirect: "manual",
    });
    return headers.has("retry-after") ? `${status}, later` : `${status}`;
  };
}

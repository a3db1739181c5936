import { decideTogether } from "#test/support/coordination-figures.ts";
import { type Fleet, inTurn } from "#test/support/fleet.ts";

const PASSWORD = "tulip";
const GUESSES_PER_NETWORK = 10;
const GUESSES_PER_LINK = 100;
const GUESSES_BEYOND = 20;
const [RIGHT, WRONG, REFUSED] = ["303", "403", "429, later"] as const;
/** Fewer than a node lets wait. */
const AT_ONCE = 12;
/** How long a wrong password of a link counts, whatever its network; those of one network count for longer. */
const WINDOW_MS = 60_000;
const ROUNDS_MAX = 5;

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

/** What so many nodes must say. */
export function expectedGuesses(nodes: number): Guesses {
  const onAll = (answer: string): readonly string[] => Array.from({ length: nodes }, () => answer);
  return {
    ofNetwork: { [WRONG]: GUESSES_PER_NETWORK, [REFUSED]: 2 * GUESSES_PER_NETWORK },
    afterwards: onAll(REFUSED),
    elsewhere: onAll(RIGHT),
    ofLink: { [WRONG]: GUESSES_PER_LINK, [REFUSED]: GUESSES_BEYOND },
    afterAll: onAll(REFUSED),
  };
}

/** How many were checked of how many. */
export function describeGuesses({ ofNetwork, ofLink }: Guesses): string {
  const checked = (answers: Readonly<Record<string, number>>): string => {
    const all = Object.values(answers).reduce((sum, count) => sum + count, 0);
    return `${answers[WRONG] ?? 0} of ${all}`;
  };
  return `checked: ${checked(ofNetwork)} of one network, ${checked(ofLink)} of as many networks`;
}

/** Guesses the passwords of two links on every node. */
export async function guessOnAll(fleet: Fleet): Promise<Guesses> {
  let guesses: Guesses | undefined;
  await decideTogether(fleet.nodes, async () => {
    const everyNode = fleet.nodes.map((_, node) => node);
    const right = (enter: Enter, network: string) =>
      Promise.all(everyNode.map((node) => enter(node, { password: PASSWORD, network })));
    const wrong = (network: string): Guess => ({ password: "rose", network });
    const ofNetwork = await inOneWindow(fleet, async (enter) => ({
      ofNetwork: await enterAll(enter, 3 * GUESSES_PER_NETWORK, () => wrong("192.0.2.1")),
      afterwards: await right(enter, "192.0.2.1"),
      elsewhere: await right(enter, "192.0.2.2"),
    }));
    const ofLink = await inOneWindow(fleet, async (enter) => ({
      ofLink: await enterAll(enter, GUESSES_PER_LINK + GUESSES_BEYOND, (n) => wrong(`198.51.100.${n}`)),
      afterAll: await right(enter, "192.0.2.3"),
    }));
    guesses = { ...ofNetwork, ...ofLink };
  });
  if (!guesses) throw new Error("nothing was guessed");
  return guesses;
}

/**
 * Guesses with a new link until all of it happens within the time in which the first guess counts, and no node is too busy
 * for a guess: on a busy machine either may take several rounds.
 */
async function inOneWindow<T>(fleet: Fleet, guess: (enter: Enter) => Promise<T>): Promise<T> {
  for (let round = 1; ; round += 1) {
    let isBusy = false;
    const enter = await newGuarded(fleet);
    const startedMs = performance.now();
    const found = await guess(async (node, entered) => {
      const answer = await enter(node, entered);
      isBusy ||= answer.startsWith("503");
      return answer;
    });
    const isInTime = performance.now() - startedMs < WINDOW_MS;
    if ((isInTime && !isBusy) || round === ROUNDS_MAX) return found;
  }
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
  // A hundred guesses at the usual cost would take a good part of the minute in which they count.
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

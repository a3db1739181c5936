import { seededRandom } from "./seeded-random.ts";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_CHARACTERS = 10;
const RANDOM_CHARACTERS = 16;
const POOL_DRAWS = 256;

/** Makes lower-case ULIDs that sort in the order they were made, also within a millisecond or when the clock steps back. */
export function ulidSource(
  clock: () => number = Date.now,
  fill: (pool: Uint8Array<ArrayBuffer>) => void = (pool) => crypto.getRandomValues(pool),
): () => string {
  const pool = new Uint8Array(RANDOM_CHARACTERS * POOL_DRAWS);
  const randomPart = new Uint8Array(RANDOM_CHARACTERS);
  let used = pool.length;
  let lastMs = -1;
  let timePart = "";

  const drawRandomPart = (): void => {
    if (used === pool.length) {
      fill(pool);
      used = 0;
    }
    for (let place = 0; place < RANDOM_CHARACTERS; place += 1) randomPart[place] = (pool[used + place] ?? 0) & 31;
    used += RANDOM_CHARACTERS;
  };

  const incrementRandomPart = (): void => {
    for (let place = RANDOM_CHARACTERS - 1; place >= 0; place -= 1) {
      const digit = randomPart[place] ?? 0;
      randomPart[place] = (digit + 1) & 31;
      if (digit < 31) return;
    }
  };

  return () => {
    const now = clock();
    if (now <= lastMs) incrementRandomPart();
    else {
      lastMs = now;
      timePart = encodeTime(now);
      drawRandomPart();
    }
    let text = timePart;
    for (const digit of randomPart) text += ALPHABET[digit];
    return text;
  };
}

let nextUlid = ulidSource();

export const newUlid = (): string => nextUlid();

export const newId = (prefix: string): string => `${prefix}_${newUlid()}`;

/** From now on the ids of this process are those of every process that calls this. They can be foreseen. */
export function repeatIds(fromMs: number, seed: number): void {
  const random = seededRandom(seed);
  let nowMs = fromMs;
  nextUlid = ulidSource(
    () => nowMs++,
    (pool) => pool.set(pool.map(() => random() * 256)),
  );
}

function encodeTime(ms: number): string {
  let text = "";
  for (let rest = ms, place = 0; place < TIME_CHARACTERS; place += 1) {
    text = ALPHABET[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_CHARACTERS = 10;
const RANDOM_CHARACTERS = 16;
const POOL_DRAWS = 256;

/** Makes lower-case ULIDs that sort in the order they were made, also within a millisecond or when the clock steps back. */
export function ulidSource(clock: () => number = Date.now): () => string {
  const pool = new Uint8Array(RANDOM_CHARACTERS * POOL_DRAWS);
  const randomPart = new Uint8Array(RANDOM_CHARACTERS);
  let used = pool.length;
  let lastMs = -1;
  let timePart = "";

  const drawRandomPart = (): void => {
    if (used === pool.length) {
      crypto.getRandomValues(pool);
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

export const newUlid = ulidSource();

export const newId = (prefix: string): string => `${prefix}_${newUlid()}`;

function encodeTime(ms: number): string {
  let text = "";
  for (let rest = ms, place = 0; place < TIME_CHARACTERS; place += 1) {
    text = ALPHABET[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

import { newRedisPrefix } from "./shared-redis.ts";

export const profiles = ["embedded", "distributed"] as const;
export type Profile = (typeof profiles)[number];

const SECRET_KEY = "a secret key for tests that all nodes of a deployment share";

/** Which engines the servers of tests use: those in the data directory, or servers of their own. */
export function testProfile(): Profile {
  const name = process.env.KURZ_TEST_PROFILE ?? "embedded";
  const found = profiles.find((profile) => profile === name);
  if (!found) throw new Error(`KURZ_TEST_PROFILE must be one of ${profiles.join(", ")}`);
  return found;
}

type Settings = Readonly<Record<string, string>>;

const settings = new Map<string, Promise<Settings>>();

/** Settings of the profile. A server that starts again with its data directory gets its engines again. */
export function profileSettings(dataDir: string): Promise<Settings> {
  if (testProfile() === "embedded") return Promise.resolve({});
  const known = settings.get(dataDir) ?? newEngines(dataDir);
  settings.set(dataDir, known);
  return known;
}

/** Those that a server was started with, for commands beside it; none if there was no server in this data directory. */
export const findSettings = (dataDir: string): Promise<Settings> => settings.get(dataDir) ?? Promise.resolve({});

const databases = new Map<string, string>();

/** The address of the database of a server that was started with this data directory; `null` if it has a file. */
export const findDatabase = (dataDir: string): string | null => databases.get(dataDir) ?? null;

async function newEngines(dataDir: string): Promise<Settings> {
  // Loaded on demand: most tests need none of it.
  const { newTestDatabase } = await import("./test-postgres.ts");
  const [{ url }, redisUrl] = await Promise.all([newTestDatabase(), newRedisPrefix()]);
  databases.set(dataDir, url);
  return { DATABASE_URL: url, REDIS_URL: redisUrl, KURZ_SECRET_KEY: SECRET_KEY };
}

import { ensurePrograms } from "../../scripts/prerequisites.ts";

// Debian keeps servers outside a normal user's search path.
const SEARCH_PATH = `${process.env.PATH}:/usr/sbin:/sbin`;

export const findProgram = (name: string): string | null => Bun.which(name, { PATH: SEARCH_PATH });

export const ensureBenchPrograms = (): Promise<void> =>
  ensurePrograms([
    ...["nginx", "wrk", "ps", "chromium", "redis-server"].filter((name) => findProgram(name) === null),
    "/usr/lib/postgresql/*/bin/postgres",
  ]);

import { join } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * Everything beside the code that a server reads, by its path in a clone. The one-file program contains a copy of each
 * under the same path.
 */
export const shippedFiles = [
  // Directories: what `npm run build` makes.
  "dist/console",
  "dist/clients",
  "dist/docs",
  "LICENSE",
  "NOTICE",
  "THIRD_PARTY_LICENSES",
  "src/accounts/common-passwords.txt",
  "node_modules/@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb",
  // A directory in the one-file program alone: the compressed library of the clicks database.
  "dist/library",
] as const;

/** The modules that worker threads run. */
export const shippedWorkers = [
  "src/backup/records-copy-worker.ts",
  "src/engines/records/sqlite/scan-worker.ts",
  "src/links/password-worker.ts",
  "src/qr/render-worker.ts",
  "src/redirect/records-worker.ts",
] as const;

/** Whether this is the one-file program, which has no clone around it. */
export const isOneFile = Bun.isStandaloneExecutable;

const root = isOneFile ? import.meta.dir : join(import.meta.dir, "..", "..");

/** The directory inside the one-file program that has the files. */
export const SHIPPED_DIRECTORY = "shipped";
const files = isOneFile ? join(root, SHIPPED_DIRECTORY) : root;

/** Where code reads a file that ships with Kurz. Other programs can't: in the one-file program it is no file on disk. */
export const shippedFile = (path: (typeof shippedFiles)[number]): string => join(files, path);

export const shippedWorker = (path: (typeof shippedWorkers)[number]): URL =>
  pathToFileURL(join(root, isOneFile ? path.replace(/\.ts$/, ".js") : path));

/** A path in the clone; `null` in the one-file program. */
export const findInClone = (path: string): string | null => (isOneFile ? null : join(root, path));

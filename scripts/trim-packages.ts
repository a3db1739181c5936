import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** What only compilers, debuggers and readers of the code look at. */
const FOR_DEVELOPMENT = /\.(?:map|d\.[mc]?ts|tsbuildinfo)$/;

/** Parts of packages that the server never loads, by path below `node_modules`. */
const UNUSED = [
  // Each half of the file that is used.
  /^@ip-location-db\/geo-whois-asn-country-mmdb\/.+-ipv[46]\.mmdb$/,
  // Of the console's build alone. npm leaves them in, since a library of the server could use them, too.
  /^(?:react|react-dom|scheduler)(?:\/|$)/,
];

/** Whether an installation for the server alone can do without the file. Licences always stay. */
export const isUnneeded = (path: string): boolean =>
  FOR_DEVELOPMENT.test(path) || UNUSED.some((pattern) => pattern.test(path));

/** Removes what isn't needed at run time from an installation without development dependencies. */
export function trimPackages(modules: string): void {
  for (const name of readdirSync(modules, { recursive: true, encoding: "utf8" })) {
    if (isUnneeded(name)) rmSync(join(modules, name), { recursive: true, force: true });
  }
}

if (import.meta.main) trimPackages(join(import.meta.dir, "..", "node_modules"));

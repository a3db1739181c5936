import { readFileSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(import.meta.dir, "..", "..");

/** A package of which code, data or pictures are in what we ship. */
export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  /** As its own package.json says: an SPDX expression, or undefined if it says nothing. */
  readonly licence: string | undefined;
  /** Subresource integrity of its archive. */
  readonly integrity: string | undefined;
  /** Where npm puts it, below the root of the project. */
  readonly place: string;
  /** Whether npm only installs it on certain systems, as the runtime and DuckDB's library for each of them. */
  readonly isForOneSystem: boolean;
  /** Whether it is only there as part of a bundle. */
  readonly isBundled: boolean;
}

/** What the bundles of the console, the documentation and the tools are made of; their own dependencies follow from the lockfile. */
export const bundledRoots = [
  "@fontsource-variable/geist",
  "@modelcontextprotocol/server",
  "@simplewebauthn/browser",
  "@tanstack/react-query",
  "@tanstack/react-router",
  "country-flag-icons",
  "lucide-react",
  "react",
  "react-dom",
  "swagger-ui-dist",
  "tailwindcss",
] as const;

interface LockEntry {
  readonly version: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly os?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
}

type LockPackages = Readonly<Record<string, LockEntry>>;

export const readLockfile = (): LockPackages =>
  (JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as { packages: LockPackages }).packages;

/** Everything that the image, the executable or `npm ci --omit=dev` contains, on any system, sorted by name. */
export function shippedPackages(lock: LockPackages = readLockfile()): readonly ShippedPackage[] {
  const bundled = bundledPlaces(lock);
  return Object.entries(lock)
    .filter(([place]) => place !== "")
    .flatMap(([place, { version, license, integrity, dev, devOptional, os }]): ShippedPackage[] => {
      const isInstalled = !dev && !devOptional;
      if (!isInstalled && !bundled.has(place)) return [];
      const name = place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);
      const isForOneSystem = os !== undefined;
      return [{ name, version, licence: license, integrity, place, isForOneSystem, isBundled: !isInstalled }];
    })
    .toSorted((a, b) => compare(a.name, b.name) || compare(a.version, b.version));
}

function bundledPlaces(lock: LockPackages): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (name: string, from: string): void => {
    const place = findPlace(lock, name, from);
    if (place === undefined) throw new Error(`package-lock.json has no ${name}, which ${from || "the console"} needs`);
    if (found.has(place)) return;
    found.add(place);
    for (const dependency of Object.keys(lock[place]?.dependencies ?? {})) visit(dependency, place);
  };
  for (const name of bundledRoots) visit(name, "");
  return found;
}

/** As Node.js looks for it: next to the package that needs it, then ever further up. */
function findPlace(lock: LockPackages, name: string, from: string): string | undefined {
  const place = `${from === "" ? "" : `${from}/`}node_modules/${name}`;
  if (Object.hasOwn(lock, place)) return place;
  return from === ""
    ? undefined
    : findPlace(lock, name, from.slice(0, Math.max(0, from.lastIndexOf("/node_modules/"))));
}

// Not by language: the order must be the same everywhere.
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

import { expect, test } from "bun:test";
import { existsSync, lstatSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import lock from "../package-lock.json";
import { isUnneeded } from "../scripts/trim-packages.ts";

const ROOT = join(import.meta.dir, "..");
const MODULES = join(ROOT, "node_modules");
const MEGABYTES_MAX = 250;
const BLOCK_BYTES = 512;

interface Locked {
  readonly dev?: boolean;
}

/** What `npm ci --omit=dev` installs, of which packages for other systems are missing here. */
const runtimePackages = Object.entries(lock.packages as Readonly<Record<string, Locked>>)
  .filter(([path, { dev = false }]) => path !== "" && !dev)
  .map(([path]) => join(ROOT, path))
  .filter(existsSync);

/** As `du` counts what is left after the installation: whole blocks, and a file with several names once. */
function bytesOf(directory: string, seen: Set<number>): number {
  const spaceOf = ({ blocks, ino }: Stats): number => {
    if (seen.has(ino)) return 0;
    seen.add(ino);
    return blocks * BLOCK_BYTES;
  };
  let bytes = spaceOf(lstatSync(directory));
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (isUnneeded(path.slice(MODULES.length + 1))) continue;
    if (!entry.isDirectory()) bytes += spaceOf(lstatSync(path));
    // Packages in there are listed themselves.
    else if (entry.name !== "node_modules") bytes += bytesOf(path, seen);
  }
  return bytes;
}

test("licences and everything that programs load stay when packages are trimmed", () => {
  const needed = [
    "bun/bin/bun.exe",
    "zod/index.js",
    "zod/LICENSE",
    "@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb",
    "react-like/index.js",
  ];
  expect(needed.filter(isUnneeded)).toEqual([]);
  const unneeded = ["zod/index.d.ts", "hono/x.d.mts", "kysely/dist/a.js.map", "react/index.js", "react-dom"];
  expect(unneeded.filter(isUnneeded)).toEqual(unneeded);
});

test(`packages that the server needs take at most ${MEGABYTES_MAX} MB`, () => {
  const seen = new Set<number>();
  const sizes = runtimePackages.map((path) => ({
    path: path.slice(ROOT.length + 1),
    megabytes: bytesOf(path, seen) / 2 ** 20,
  }));
  const total = sizes.reduce((sum, { megabytes }) => sum + megabytes, 0);
  const largest = sizes.toSorted((a, b) => b.megabytes - a.megabytes).slice(0, 8);
  // Shown if it fails: what to look at first.
  expect({ total, largest, isSmall: total <= MEGABYTES_MAX }).toMatchObject({ isSmall: true });
  expect(sizes.length).toBeGreaterThan(20);
});

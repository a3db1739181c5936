import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { targets } from "../binary/targets.ts";
import { shippedPackages } from "../licences/shipped-packages.ts";
import { softwareBill } from "./sbom.ts";

export interface ArtefactPlace {
  readonly version: string;
  /** The directory that it goes into. */
  readonly directory: string;
  readonly madeAt: Date;
}

/** Something that people download. Whatever it leaves in the directory is part of the release. */
export interface Artefact {
  readonly what: string;
  /** A program that makes it, run in the root of the project. */
  readonly command: (place: ArtefactPlace) => readonly string[];
}

/**
 * Everything that a release consists of, in the order of making. A script that builds something into a directory joins
 * with a line.
 */
export const artefacts: readonly Artefact[] = [
  { what: "the source", command: ({ version, directory }) => archiveCommand(version, directory) },
  // Leaves nothing there: the next one contains it.
  { what: "everything that a server serves", command: () => ["npm", "run", "--silent", "build"] },
  { what: "the executables", command: ({ directory }) => ["bun", "scripts/build-binary.ts", directory, ...allTargets] },
  { what: "the client for npm", command: ({ directory }) => ["npm", "pack", "./sdk", "--pack-destination", directory] },
  { what: "the client for Python", command: ({ directory }) => ["python3", "python/build.py", "--wheel", directory] },
  {
    what: "the users' command line for npm",
    command: ({ directory }) => ["npm", "pack", "./cli", "--pack-destination", directory],
  },
  {
    what: "the licences of everything in it",
    command: ({ directory }) => ["cp", "THIRD_PARTY_LICENSES", join(directory, "THIRD_PARTY_LICENSES.txt")],
  },
];

const allTargets = targets.flatMap(({ name }) => ["--target", name]);

const archiveCommand = (version: string, directory: string): readonly string[] => [
  ...["git", "archive", "--format=tar.gz", `--prefix=kurz-${version}/`],
  ...["-o", join(directory, `kurz-${version}.tar.gz`), "HEAD"],
];

export const BILL = "the software bill of materials";

export function writeBill({ version, directory, madeAt }: ArtefactPlace): void {
  const bill = softwareBill(shippedPackages(), { version, madeAt });
  writeFileSync(join(directory, `kurz-${version}.cdx.json`), `${JSON.stringify(bill, null, 2)}\n`);
}

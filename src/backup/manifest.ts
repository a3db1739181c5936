import { lstatSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { listFiles, sha256Of } from "./durable-files.ts";

const FORMAT = 1;
const MANIFEST = "manifest.json";

/** No path that leaves its directory: a manifest may come from anywhere. */
const FilePath = z.string().regex(/^(?:data|settings)\/(?:journal\/)?[A-Za-z0-9][A-Za-z0-9._-]*$/);

const BackedUpFile = z.strictObject({
  path: FilePath,
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

const Manifest = z.strictObject({
  about: z.string(),
  format: z.literal(FORMAT),
  kurz: z.string(),
  taken_at: z.iso.datetime(),
  /** The schema of the records. */
  schema: z.int().min(0),
  /** Whether `data/secret.key` is the key, or the operator keeps it elsewhere. */
  secret_key: z.enum(["included", "elsewhere"]),
  files: z.array(BackedUpFile),
});
export type Manifest = z.output<typeof Manifest>;
export type BackupFacts = Pick<Manifest, "kurz" | "taken_at" | "schema" | "secret_key">;

const ABOUT = "A backup of Kurz. Use `kurz restore` to restore it into an empty data directory.";

/** Describes the files of a backup. Its presence means that the backup is complete, so it is written last. */
export async function writeManifest(directory: string, facts: BackupFacts): Promise<Manifest> {
  const files: Manifest["files"] = [];
  for (const path of listFiles(directory)) {
    const file = join(directory, path);
    files.push({ path, bytes: lstatSync(file).size, sha256: await sha256Of(file) });
  }
  const manifest = Manifest.parse({ about: ABOUT, format: FORMAT, ...facts, files });
  writeFileSync(join(directory, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  return manifest;
}

export function readManifest(directory: string): Manifest {
  const found = parseJson(readText(join(directory, MANIFEST), directory), directory);
  const { format } = z.object({ format: z.int() }).catch({ format: 0 }).parse(found);
  if (format > FORMAT)
    throw new Error(`the backup in ${directory} was created by a newer version of Kurz (format ${format})`);
  const parsed = Manifest.safeParse(found);
  if (!parsed.success) throw damaged(directory);
  return parsed.data;
}

export const sumBytes = ({ files }: Manifest): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

function readText(path: string, directory: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
    throw new Error(`there is no complete backup in ${directory}: ${MANIFEST} is missing`);
  }
}

function parseJson(text: string, directory: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw damaged(directory);
  }
}

const damaged = (directory: string): Error => new Error(`the ${MANIFEST} in ${directory} is damaged`);

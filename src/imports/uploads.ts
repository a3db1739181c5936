import { closeSync, mkdirSync, openSync, readdirSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { UPLOAD_BYTES_MAX } from "#contract/console/imports.ts";
import { bodyProblem, notFound, validationFailed } from "#kernel/api-error.ts";
import type { Caller } from "#kernel/caller.ts";
import { undefinedIfMissing } from "#kernel/error-codes.ts";
import { newId } from "#kernel/ids.ts";

export const UPLOADS = "uploads";
const KEPT_MS = 86_400_000;
const UPLOADS_MAX = 4;
const UPLOAD_ID = /^upl_[0-9a-z]{20,40}$/;

type Owner = Pick<Caller, "accountId">;

/** Files that people upload part by part, each in the folder of its account. */
export function importUploads(root: string) {
  const folderOf = ({ accountId }: Owner): string => join(root, UPLOADS, accountId);

  const fileOf = (owner: Owner, id: string): string => {
    // It becomes part of a path.
    if (!UPLOAD_ID.test(id)) throw notFound();
    return join(folderOf(owner), id);
  };

  const sizeOf = (file: string): number => {
    try {
      return statSync(file).size;
    } catch (error) {
      undefinedIfMissing(error);
      throw notFound();
    }
  };

  return {
    start(owner: Owner): { id: string } {
      const folder = folderOf(owner);
      mkdirSync(folder, { recursive: true });
      // Those that were given up make room.
      for (const name of readdirSync(folder)
        .sort()
        .slice(0, -(UPLOADS_MAX - 1)))
        rmSync(join(folder, name));
      const id = newId("upl");
      closeSync(openSync(join(folder, id), "w"));
      return { id };
    },

    /** A part that was sent before is written again, which changes nothing. */
    add(owner: Owner, id: string, offset: number, data: Uint8Array): { bytes: number } {
      const file = fileOf(owner, id);
      const size = sizeOf(file);
      if (offset > size) {
        throw validationFailed([bodyProblem("offset", "out_of_range", `The next part begins at ${size}.`)]);
      }
      if (offset + data.length > UPLOAD_BYTES_MAX) {
        throw validationFailed([bodyProblem("data", "too_long", "A file can have at most 1 GiB.")]);
      }
      const fd = openSync(file, "r+");
      try {
        for (let at = 0; at < data.length; ) at += writeSync(fd, data, at, data.length - at, offset + at);
      } finally {
        closeSync(fd);
      }
      return { bytes: sizeOf(file) };
    },

    /** Its path; throws if the account has no such file. */
    get(owner: Owner, id: string): string {
      const file = fileOf(owner, id);
      sizeOf(file);
      return file;
    },
  };
}
export type ImportUploads = ReturnType<typeof importUploads>;

export function eraseOldUploads(root: string, now: number): void {
  const all = join(root, UPLOADS);
  for (const account of namesIn(all)) {
    for (const name of namesIn(join(all, account))) {
      const file = join(all, account, name);
      if (statSync(file).mtimeMs < now - KEPT_MS) rmSync(file);
    }
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    return undefinedIfMissing(error) ?? [];
  }
}

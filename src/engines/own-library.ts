import { isOneFile, shippedFile } from "#kernel/shipped-files.ts";
import { unpackLibrary } from "./unpack-library.ts";

let place: string | null = null;
let unpacking: Promise<string> | null = null;
let directory: string | null = null;

/** Where the one-file program keeps the library of the clicks database, which the system only loads from a file. */
export function keepLibraryIn(path: string): void {
  place = path;
}

/** Does nothing in a clone, where the library is a file already. */
export async function prepareLibrary(): Promise<void> {
  if (!isOneFile) return;
  if (place === null) throw new Error("keepLibraryIn has to be called first");
  unpacking ??= unpackLibrary(shippedFile("dist/library"), place);
  try {
    directory = await unpacking;
  } catch (error) {
    unpacking = null;
    throw error;
  }
}

/** For the one-file program only. */
export function preparedLibrary(): string {
  if (directory === null) throw new Error("prepareLibrary has to be called first");
  return directory;
}

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The part of a secret that a thief would need: for a token the last one, since its id is public. */
const preciousPart = (secret: string): string => secret.split("_").at(-1) ?? secret;

/** The files of the directory and the texts that contain a secret. */
export function findLeaks(
  secrets: Iterable<string>,
  directory: string,
  texts: Readonly<Record<string, string>>,
): string[] {
  const wanted = [...secrets].map(preciousPart);
  const places: (readonly [string, Buffer])[] = [
    ...listFiles(directory).map((file) => [file, unlessGone(Buffer.alloc(0), () => readFileSync(file))] as const),
    ...Object.entries(texts).map(([name, text]) => [name, Buffer.from(text)] as const),
  ];
  return places.flatMap(([place, bytes]) => wanted.filter((text) => bytes.includes(text)).map(() => place));
}

const listFiles = (directory: string): string[] =>
  unlessGone([], () => readdirSync(directory, { withFileTypes: true })).flatMap((entry) => {
    const path = join(directory, entry.name);
    return entry.isDirectory() ? listFiles(path) : entry.isFile() ? [path] : [];
  });

/** A running server deletes its own files, such as journal segments that it has ingested. */
function unlessGone<T>(nothing: T, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return nothing;
    throw error;
  }
}

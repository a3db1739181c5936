import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What a thief would need of a secret: of a token its last part, since its id is no secret. */
const preciousPart = (secret: string): string => secret.split("_").at(-1) ?? secret;

/** Where a secret stands in a file of the directory or in a text. */
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

/** A server that runs deletes files of its own, such as segments of the journal that it has read. */
function unlessGone<T>(nothing: T, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return nothing;
    throw error;
  }
}

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
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const places: (readonly [string, Buffer])[] = [
    ...files.map((file) => [file, readFileSync(file)] as const),
    ...Object.entries(texts).map(([name, text]) => [name, Buffer.from(text)] as const),
  ];
  return places.flatMap(([place, bytes]) => wanted.filter((text) => bytes.includes(text)).map(() => place));
}

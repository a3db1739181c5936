import { existsSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json";

/** The one-file program for this machine, as `npm run build:binary` leaves it. */
export function oneFileProgram(): string {
  const name = `kurz-${version}-${process.platform}-${process.arch}`;
  const path = join(import.meta.dir, "..", "..", "dist", "binary", name);
  if (!existsSync(path)) throw new Error(`${path} is missing; run npm run build:binary`);
  return path;
}

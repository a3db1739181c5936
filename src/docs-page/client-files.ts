import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PublicFile, PublicFiles } from "#http/public-files.ts";
import { shippedFile } from "#kernel/shipped-files.ts";
import { version } from "../../package.json";

/** The directory of the built clients. */
export const CLIENTS_DIST = shippedFile("dist/clients");

/** Below `/docs`, which is no slug, and which balancers in front of several nodes already know. */
export const CLIENTS_PATH = "/docs/clients/";

const PACKAGE = "application/gzip";
const SCRIPT = "text/javascript; charset=utf-8";

/** Each file by the names that it is served under. */
const served: readonly { readonly file: string; readonly names: readonly string[]; readonly type: string }[] = [
  { file: "kurz-sdk.tgz", names: ["kurz-sdk.tgz", `kurz-sdk-${version}.tgz`], type: PACKAGE },
  { file: "kurz-sdk.js", names: ["kurz-sdk.js"], type: SCRIPT },
  { file: "kurz-cli.tgz", names: ["kurz-cli.tgz", `kurz-cli-${version}.tgz`], type: PACKAGE },
  { file: "kurz", names: ["kurz"], type: SCRIPT },
];

/** The clients that match this instance. Read once they are there: the build may have left them out. */
export function clientFiles(directory: string): () => PublicFiles | null {
  let files: PublicFiles | null = null;
  return () => {
    try {
      files ??= readClientFiles(directory);
    } catch {
      // Not built, or just being replaced.
    }
    return files;
  };
}

function readClientFiles(directory: string): PublicFiles {
  return new Map(
    served.flatMap(({ file, names, type }) => {
      const content: PublicFile = {
        body: readFileSync(join(directory, file)),
        type,
        // An upgrade replaces them.
        cacheControl: "no-cache",
        // Anyone may have them, and pages of other origins import the script.
        headers: { "access-control-allow-origin": "*" },
      };
      return names.map((name): [string, PublicFile] => [`${CLIENTS_PATH}${name}`, content]);
    }),
  );
}

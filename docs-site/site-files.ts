import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { BROTLI_ENDING } from "#shared/console-manifest.ts";
import { DOCS_ASSETS } from "#shared/docs-manifest.ts";

// As for the console: one below the highest, which takes more than twice as long for another 1 %.
const BROTLI_QUALITY = 10;

/** Writes the site's files into a directory, and knows them all. */
export class SiteFiles {
  readonly #directory: string;
  readonly assets: string[] = [];

  constructor(directory: string) {
    this.#directory = directory;
  }

  write(name: string, content: string | Uint8Array): string {
    writeFileSync(join(this.#directory, name), content);
    return name;
  }

  /** `site.css` becomes `site.3k2….css`, so that browsers can keep it for good. Returns its address. */
  addAsset(name: string, content: string | Uint8Array): string {
    const dot = name.lastIndexOf(".");
    const hashed = `${name.slice(0, dot)}.${Bun.hash(content).toString(36)}${name.slice(dot)}`;
    if (!this.assets.includes(hashed)) {
      this.write(hashed, content);
      if (/\.(?:js|css|json|svg)$/.test(name)) this.write(`${hashed}${BROTLI_ENDING}`, compress(content));
      this.assets.push(hashed);
    }
    return DOCS_ASSETS + hashed;
  }
}

function compress(content: string | Uint8Array): Uint8Array {
  const bytes = Buffer.from(content);
  return brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
}

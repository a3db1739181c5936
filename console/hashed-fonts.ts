import { writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { BunPlugin } from "bun";

/** What the build calls a font, after its content. */
export const fontName = (source: string, bytes: Uint8Array): string =>
  `${basename(source, ".woff2")}.${Bun.hash(bytes).toString(36)}.woff2`;

/**
 * Writes the fonts that the style sheet names beside it, with a hash of their content in their names. The bundler would
 * write them into the style sheet, which is needed for the first paint and would be seven times as long.
 */
export const hashedFonts = (directory: string, written: Set<string>): BunPlugin => ({
  name: "hashed-fonts",
  setup(build) {
    build.onResolve({ filter: /\.woff2$/ }, async ({ path, importer }) => {
      const source = Bun.resolveSync(path, dirname(importer));
      const bytes = await Bun.file(source).bytes();
      const name = fontName(source, bytes);
      writeFileSync(join(directory, name), bytes);
      written.add(name);
      return { path: `./${name}`, external: true };
    });
  },
});

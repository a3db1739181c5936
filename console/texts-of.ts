import { join } from "node:path";
import type { BunPlugin } from "bun";
import type { ConsoleLanguage } from "#shared/console-languages.ts";

/**
 * Texts are imported from `#texts/`, which is English. A bundle in another language has its texts in their place, so each
 * language loads its own only.
 */
export const textsOf = (language: ConsoleLanguage): BunPlugin => ({
  name: `texts-${language}`,
  setup(build) {
    build.onResolve({ filter: /^#texts\// }, ({ path }) => ({
      path: join(import.meta.dir, "texts", language, path.slice("#texts/".length)),
    }));
  },
});

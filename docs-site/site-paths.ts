import { basename, dirname, join } from "node:path/posix";

export const START_PATH = "/docs";
export const REFERENCE_PATH = "/docs/api";
const REFERENCE_FILE = "docs/openapi.json";

/** Where the site has a file of the repository: `docs/links.md` at `/docs/links`, `sdk/README.md` at `/docs/sdk`. */
export function sitePathOf(file: string): string {
  if (file === "docs/README.md") return START_PATH;
  if (file === REFERENCE_FILE) return REFERENCE_PATH;
  const name = basename(file, ".md");
  return `${START_PATH}/${(name === "README" ? basename(dirname(file)) : name).toLowerCase()}`;
}

/** The file of the repository that a link in another file leads to, such as `../sdk/README.md` in `docs/qr.md`. */
export const targetOf = (file: string, href: string): string => join(dirname(file), href.replace(/#.*/, ""));

export const anchorIn = (href: string): string => /#.*/.exec(href)?.[0] ?? "";

export const isElsewhere = (href: string): boolean => /^[a-z][a-z+.-]*:/i.test(href);

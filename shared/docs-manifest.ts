/** Written by the build of the documentation site: what is served below `/docs`, and from which file. */
export interface DocsManifest {
  /** By path. */
  readonly pages: Readonly<Record<string, string>>;
  /** The page for paths that don't exist. */
  readonly missing: string;
  /** Plain texts by path. */
  readonly texts: Readonly<Record<string, string>>;
  /** Served below `DOCS_ASSETS`, with a hash of their content in their names. */
  readonly assets: readonly string[];
}

export const DOCS_ASSETS = "/docs/assets/";

/** Stands for the address of the instance in the examples of pages, which the build doesn't know. */
export const BASE_URL_MARK = "{{instance-base-url}}";

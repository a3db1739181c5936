import { releasedEndpoints } from "#contract/index.ts";
import type { SearchSection } from "./search-section.ts";
import { REFERENCE_PATH } from "./site-paths.ts";

/** The operations of the API, for the search; their addresses are the renderer's own. */
export const operationSections = (): SearchSection[] =>
  releasedEndpoints.map(({ id, method, path, summary, description, tag }) => ({
    page: "API reference",
    path: `${REFERENCE_PATH}#/${encodeURIComponent(tag)}/${encodeURIComponent(id)}`,
    heading: `${summary} (${method} ${path})`,
    about: "",
    text: description.replace(/\s+/g, " "),
  }));

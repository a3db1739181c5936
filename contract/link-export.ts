import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { LinkFilters } from "./links.ts";

const LinkExportQuery = LinkFilters.extend({
  format: z
    .enum(["ndjson", "csv"])
    .default("ndjson")
    .describe(
      "`ndjson`: one link per line, as the API returns it. `csv`: a table with a header line, in which text that " +
        "spreadsheets would run as a formula begins with an apostrophe.",
    ),
});
export type LinkExportQuery = z.output<typeof LinkExportQuery>;

export const exportLinks = endpoint({
  id: "links.export",
  method: "GET",
  path: "/api/v1/links/export",
  summary: "Export links",
  description:
    "Streams all links that the list returns with the same filters, oldest first, however many there are. If the response " +
    "breaks off, it ends without its last chunk: HTTP clients report that as an error.",
  tag: "Links",
  scope: "links:read",
  query: LinkExportQuery,
  status: 200,
  textTypes: ["application/x-ndjson", "text/csv"],
  errors: [],
});

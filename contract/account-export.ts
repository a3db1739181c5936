import { ARCHIVE_MEDIA_TYPE } from "./account-archive.ts";
import { endpoint } from "./endpoint.ts";

export const exportAccount = endpoint({
  id: "account.export",
  method: "GET",
  path: "/api/v1/export",
  summary: "Export the account",
  description:
    "Streams an archive of the account: links with their histories, domains, tags, UTM templates, and clicks as counts per " +
    "quarter of an hour. Another Kurz can import it. It contains no secrets, no passwords, nothing that identifies a visitor, " +
    "and no webhook endpoints. Links in the trash are left out. If the response breaks off, it ends without its last chunk: HTTP clients report that as " +
    "an error.",
  tag: "Account",
  scope: "links:read",
  moreScopes: ["analytics:read", "domains:read"],
  role: "admin",
  status: 200,
  downloads: [ARCHIVE_MEDIA_TYPE],
  errors: [],
});

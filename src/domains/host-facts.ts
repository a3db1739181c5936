import { type Records, RecordsUnavailable } from "#engines/records/records.ts";
import { asciiName } from "#kernel/ascii-name.ts";
import { hostNameOf } from "#shared/host-name.ts";
import { findAppDocument, findVerifiedNo } from "./verified-names.store.ts";

interface Deps {
  readonly records: Pick<Records, "read">;
  /** The instance's own, maybe with a port. */
  readonly ownHosts: readonly string[];
}

const documents = {
  "apple-app-site-association": "apple_app_site_association",
  "assetlinks.json": "assetlinks",
} as const;

const DOCUMENT = /^https?:\/\/[^/]*\/docs\/\.well-known\/([a-z0-9.-]+)\/(apple-app-site-association|assetlinks\.json)$/;
const TLS_CHECK = /^https?:\/\/[^/]*\/tls-check\?/;
const MAX_AGE_SECONDS = 300;
const RETRY_SECONDS = 5;

/** Whoever asks can ask again. */
async function unlessAway(answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof RecordsUnavailable)) throw error;
    return new Response("try again later\n", { status: 503, headers: { "retry-after": `${RETRY_SECONDS}` } });
  }
}

/** What programs ask about a host, answered for other processes of the node. `null` if it is about something else. */
export function hostFacts({ records, ownHosts }: Deps) {
  const own = new Set(ownHosts.map(hostNameOf));

  return {
    /** Whether a proxy may get a certificate for the name: 200 or 404. */
    async tlsCheck({ url }: Request): Promise<Response | null> {
      if (!TLS_CHECK.test(url)) return null;
      const name = asciiName(new URL(url).searchParams.get("domain") ?? "");
      return unlessAway(async () => {
        const isServed = own.has(name) || (name !== "" && (await findVerifiedNo(records.read, name)) !== undefined);
        return new Response(isServed ? "ok\n" : "unknown\n", { status: isServed ? 200 : 404 });
      });
    },

    /** A document for apps; redirect processes ask for it under this path, and so may anyone. */
    async appDocument({ url }: Request): Promise<Response | null> {
      const [, name = "", file] = DOCUMENT.exec(url) ?? [];
      if (file === undefined) return null;
      return unlessAway(async () => {
        const text = await findAppDocument(records.read, name, documents[file as keyof typeof documents]);
        if (text === null) return new Response("not found\n", { status: 404 });
        const headers = { "content-type": "application/json", "cache-control": `public, max-age=${MAX_AGE_SECONDS}` };
        return new Response(text, { headers });
      });
    },
  };
}

import { acceptsCoding } from "./text-response.ts";

export interface PublicFile {
  /** A function makes the body on the first request. */
  readonly body: string | Uint8Array | (() => string);
  readonly type: string;
  readonly cacheControl: string;
  /** The body compressed beforehand, better than there is time for here. */
  readonly brotli?: Uint8Array<ArrayBuffer>;
  /** Request headers that decide which file is served at a path. */
  readonly varies?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** The file name for `?download=1`. */
  readonly downloadName?: string;
}

/** By path. Served to anyone, without a token. */
export type PublicFiles = ReadonlyMap<string, PublicFile>;

interface Prepared {
  readonly etag: string;
  readonly plain: Uint8Array<ArrayBuffer>;
  /** Missing if it isn't smaller, as with fonts. */
  readonly gzipped?: Uint8Array<ArrayBuffer>;
}

// Files live as long as the process, so each is hashed and compressed once, on its first request.
const prepared = new WeakMap<PublicFile, Prepared>();

export function servePublicFile(
  files: PublicFiles,
  path: string,
  request: Request,
  headers: Readonly<Record<string, string>>,
): Response {
  const file = files.get(path);
  if (!file) return new Response("Not found.\n", { status: 404, headers });
  const { etag, plain, gzipped } = prepare(file);
  const accepted = request.headers.get("accept-encoding");
  const { coding, body } = [
    { coding: "br" as const, body: file.brotli },
    { coding: "gzip" as const, body: gzipped },
  ].find((one) => one.body && acceptsCoding(accepted, one.coding)) ?? { coding: null, body: plain };
  const merged = {
    ...headers,
    ...file.headers,
    "cache-control": file.cacheControl,
    // A weak tag, because it stands for every encoding.
    etag,
    vary: ["Accept-Encoding", ...(file.varies ?? [])].join(", "),
  };
  if (request.headers.get("if-none-match")?.includes(etag)) return new Response(null, { status: 304, headers: merged });
  const download = file.downloadName && /[?&]download=1(&|$)/.test(request.url);
  return new Response(body, {
    headers: {
      ...merged,
      "content-type": file.type,
      ...(coding && { "content-encoding": coding }),
      ...(download && { "content-disposition": `attachment; filename="${file.downloadName}"` }),
    },
  });
}

function prepare(file: PublicFile): Prepared {
  const known = prepared.get(file);
  if (known) return known;
  const body = typeof file.body === "function" ? file.body() : file.body;
  const plain = new Uint8Array(typeof body === "string" ? new TextEncoder().encode(body) : body);
  // Smaller than by the default library, in the same time.
  const gzipped = Bun.gzipSync(plain, { library: "libdeflate", level: 6 });
  const etag = `W/"${Bun.hash(plain).toString(36)}"`;
  const made = { etag, plain, ...(gzipped.length < plain.length && { gzipped }) };
  prepared.set(file, made);
  return made;
}

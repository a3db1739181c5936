import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { validationFailed } from "#kernel/api-error.ts";

/** What a list is asked for. */
interface ListQuery {
  readonly cursor?: string | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
  readonly fields?: readonly string[] | undefined;
}

/** A link at the edge of a page: where the next one starts, or the one before ends. */
export interface Position {
  readonly value: number | string;
  readonly no: number;
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypted rather than signed: link numbers would reveal how many links the service has. */
export function cursorCodec(secretKey: string) {
  const key = createHash("sha256").update(`cursor:${secretKey}`).digest();
  return {
    encode(position: Position, query: ListQuery): string {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(boundTo(query));
      const text = Buffer.concat([cipher.update(JSON.stringify([position.value, position.no])), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), text]).toString("base64url");
    },

    decode(cursor: string, query: ListQuery, field: "cursor" | "before" = "cursor"): Position {
      try {
        const bytes = Buffer.from(cursor, "base64url");
        // The decoder skips invalid characters, but a cursor must match exactly.
        if (bytes.toString("base64url") !== cursor) throw new Error("not a canonical cursor");
        const tagged = IV_BYTES + TAG_BYTES;
        const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV_BYTES))
          .setAAD(boundTo(query))
          .setAuthTag(bytes.subarray(IV_BYTES, tagged));
        const text = Buffer.concat([decipher.update(bytes.subarray(tagged)), decipher.final()]).toString();
        const [value, no] = JSON.parse(text) as [number | string, number];
        return { value, no };
      } catch {
        throw validationFailed([
          {
            location: "query",
            field,
            code: "invalid_cursor",
            message:
              field === "cursor"
                ? "Use the previous page's next_cursor, with the same sort and filters."
                : "Use the following page's previous_cursor, with the same sort and filters.",
          },
        ]);
      }
    },
  };
}
export type CursorCodec = ReturnType<typeof cursorCodec>;

/** A cursor only works with the same filters and sort; the page size and what is shown of a link may change. */
function boundTo({ cursor: _, before: __, limit: ___, fields: ____, ...rest }: ListQuery): Buffer {
  return createHash("sha256")
    .update(JSON.stringify(Object.entries(rest).toSorted()))
    .digest();
}

import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import type { LinkQuery } from "#contract/links.ts";
import { validationFailed } from "#kernel/api-error.ts";

/** The last link of a page: where the next one starts. */
export interface Position {
  readonly value: number;
  readonly no: number;
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypted rather than signed: a link's number would tell how many links the whole service holds. */
export function cursorCodec(secretKey: string) {
  const key = createHash("sha256").update(`cursor:${secretKey}`).digest();
  return {
    encode(position: Position, query: LinkQuery): string {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(boundTo(query));
      const text = Buffer.concat([cipher.update(JSON.stringify([position.value, position.no])), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), text]).toString("base64url");
    },

    decode(cursor: string, query: LinkQuery): Position {
      try {
        const bytes = Buffer.from(cursor, "base64url");
        // The decoder skips what is no base64: a cursor has one spelling all the same.
        if (bytes.toString("base64url") !== cursor) throw new Error("not as it was given out");
        const tagged = IV_BYTES + TAG_BYTES;
        const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV_BYTES))
          .setAAD(boundTo(query))
          .setAuthTag(bytes.subarray(IV_BYTES, tagged));
        const text = Buffer.concat([decipher.update(bytes.subarray(tagged)), decipher.final()]).toString();
        const [value, no] = JSON.parse(text) as [number, number];
        return { value, no };
      } catch {
        throw validationFailed([
          {
            location: "query",
            field: "cursor",
            code: "invalid_cursor",
            message: "Use next_cursor of the page before, with the same sort and filters.",
          },
        ]);
      }
    },
  };
}
export type CursorCodec = ReturnType<typeof cursorCodec>;

/** A cursor fits only the list it came from; the page size may change on the way. */
function boundTo({ cursor: _, limit: __, ...rest }: LinkQuery): Buffer {
  return createHash("sha256")
    .update(JSON.stringify(Object.entries(rest).toSorted()))
    .digest();
}

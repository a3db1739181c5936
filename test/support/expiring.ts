import { KurzError } from "#sdk/kurz-error.ts";

const SOON_MS = 2000;
const LATEST_MS = 120_000;

/** When a link is to expire so that this is soon; later if a busy machine took until then to say so to the server. */
export async function expiringSoon<T>(send: (expiresAt: string) => Promise<T>, firstMs = SOON_MS): Promise<T> {
  for (let ms = firstMs; ; ms *= 2) {
    try {
      return await send(new Date(Date.now() + ms).toISOString());
    } catch (error) {
      // It must be in the future.
      const isLate = error instanceof TooLate || (error instanceof KurzError && error.code === "validation_failed");
      if (!isLate || ms > LATEST_MS) throw error;
    }
  }
}

/** For senders that see the server's answer themselves. */
export class TooLate extends Error {}

import { until } from "./until.ts";

const POLL_MS = 50;

/** Waits until the expectations hold, and fails with what they said last. They are about something that isn't there yet. */
export async function eventually(expectations: () => Promise<void>, msMax?: number): Promise<void> {
  let last: unknown;
  const hold = () =>
    expectations().then(
      () => true,
      (error) => {
        last = error;
        return false;
      },
    );
  await until("the expectations hold", hold, msMax, POLL_MS).catch((error) => {
    throw last ?? error;
  });
}

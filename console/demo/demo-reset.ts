import { useEffect, useState } from "react";
import { locale } from "#console/ui/locale.ts";
import type { ConsoleState } from "#contract/console/session.ts";

type Demo = NonNullable<ConsoleState["demo"]>;

const MINUTE_MS = 60_000;
const TICK_MS = 5000;

export const formatResetTime = ({ resets_at }: Demo): string =>
  new Date(resets_at).toLocaleTimeString(locale, { hour: "numeric", minute: "2-digit" });

/** How many minutes are left, counting the one that has begun. */
export function useMinutesLeft({ resets_at }: Demo): number {
  const left = () => Math.max(0, Math.ceil((Date.parse(resets_at) - Date.now()) / MINUTE_MS));
  const [minutes, setMinutes] = useState(left);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another time of reset starts another count
  useEffect(() => {
    setMinutes(left());
    const timer = setInterval(() => setMinutes(left()), TICK_MS);
    return () => clearInterval(timer);
  }, [resets_at]);
  return minutes;
}

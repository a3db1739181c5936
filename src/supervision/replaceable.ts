import { enginePlaces } from "#config/engine-places.ts";
import type { Config } from "#config/settings.ts";
import { isShared } from "#engines/places.ts";

/** Why no other program can take over from a server, or take one over, with these settings; `undefined` if it can. */
export function findRestartReason(config: Config): string | undefined {
  const { records, clicks } = enginePlaces(config);
  if (process.platform !== "linux") return "a reload takes Linux";
  if (config.demo) return "a demo can't be reloaded";
  if (isShared(records) || isShared(clicks)) return "a node with its data on servers can't be reloaded";
  if (!config.fastLane) return "a server with KURZ_FAST_LANE=off can't be reloaded";
  return undefined;
}

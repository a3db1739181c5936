import type { Records } from "#engines/records/records.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Auth } from "./auth.ts";
import type { DeviceCookies } from "./device-cookies.ts";
import type { SignInThrottle } from "./sign-in-throttle.ts";

export interface SignInDeps {
  readonly auth: () => Promise<Auth>;
  readonly records: Records;
  readonly clock: Clock;
  readonly throttle: SignInThrottle;
  readonly devices: DeviceCookies;
}

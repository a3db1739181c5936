import { ARRIVING_BYTES_MAX } from "./body-limits.ts";
import { FairShares } from "./fair-shares.ts";

const PLACES = 1024;
const STREAMS_MAX = 128;

/** The limits that all requests to control share, whether or not they go through the HTTP server. */
export class ControlShares {
  /** Requests that wait for control. */
  readonly places: FairShares;
  /** Bytes of bodies that are still arriving. */
  readonly arriving = new FairShares(ARRIVING_BYTES_MAX);
  readonly #streamsMax: number;
  #streams = 0;
  /** Requests that control couldn't answer. */
  refusals = 0;

  constructor(places = PLACES, streamsMax = STREAMS_MAX) {
    this.places = new FairShares(places);
    this.#streamsMax = streamsMax;
  }

  /** For event streams, which never end by themselves and must leave room for other requests. */
  takeStream(): boolean {
    if (this.#streams >= this.#streamsMax) return false;
    this.#streams += 1;
    return true;
  }

  giveStreamBack(): void {
    this.#streams -= 1;
  }
}

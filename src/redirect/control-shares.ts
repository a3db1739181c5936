import { ARRIVING_BYTES_MAX } from "./body-limits.ts";
import { FairShares } from "./fair-shares.ts";

const PLACES = 1024;
const STREAMS_MAX = 128;

/** What clients share on their way to control, whichever way that is. */
export class ControlShares {
  /** For requests that wait for control. */
  readonly places: FairShares;
  /** Bytes of bodies that are still arriving. */
  readonly arriving = new FairShares(ARRIVING_BYTES_MAX);
  readonly #streamsMax: number;
  #streams = 0;
  /** How often control could not be asked. */
  refusals = 0;

  constructor(places = PLACES, streamsMax = STREAMS_MAX) {
    this.places = new FairShares(places);
    this.#streamsMax = streamsMax;
  }

  /** For an answer that has no end, as an event stream: those must leave room for the others. */
  takeStream(): boolean {
    if (this.#streams >= this.#streamsMax) return false;
    this.#streams += 1;
    return true;
  }

  giveStreamBack(): void {
    this.#streams -= 1;
  }
}

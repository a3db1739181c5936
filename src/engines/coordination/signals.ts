export interface SignalHandlers {
  /** Another node has published this. */
  readonly onSignal: (text: string) => void;
  /** From now on signals arrive; earlier ones may have been missed. */
  readonly onResumed?: () => void;
}

/**
 * Wakes up other nodes. A signal reaches each of them at most once, and none that is cut off at that moment, so whoever
 * relies on one also looks by themselves from time to time.
 */
export interface Signals {
  /** To the other nodes, not to this one. Never fails and never waits. */
  publish(topic: string, text: string): void;
  /** Returns a function that ends the subscription. */
  subscribe(topic: string, handlers: SignalHandlers): () => void;
}

/** For a single node: there is nobody to wake up. */
export const noSignals: Signals = { publish() {}, subscribe: () => () => {} };

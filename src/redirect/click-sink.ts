import type { VisitFacts } from "#visits/rule.ts";

/** The part of a request that a redirect depends on. */
export interface RequestText {
  readonly method: string;
  /** Ends with path and query; anything before them is ignored. */
  readonly url: string;
  readonly headers: Pick<Headers, "get">;
}

export interface VisitedLink {
  readonly no: number;
  readonly accountNo: number;
  /** Where most visits lead. */
  readonly location: string;
  /** For the sink: what all clicks that led there by no rule have in common. */
  kept: unknown;
}

/** Where a visit led, and why. */
export interface VisitTarget {
  readonly location: string;
  /** The name of the link's domain; empty for the instance's own. */
  readonly domain: string;
  /** The rule that decided, as in reports; empty for the link's destination. */
  readonly rule: string;
}

/** Finds out what rules and clicks need to know about a visit, and records clicks. */
export interface ClickSink<V extends VisitFacts = VisitFacts> {
  classify(request: RequestText, clientAddress: string, accountNo: number): V;
  /** Whether nobody sees the answer: a bot, a preview, or a browser that loads ahead. */
  isBot(visit: V): boolean;
  /**
   * Called for each redirect that counts as a click, before it is answered. If it returns a promise, the answer waits
   * for it, and is sent even if the promise rejects.
   */
  record(visit: V, link: VisitedLink, target: VisitTarget): Promise<void> | undefined;
}

/** Records nothing, so the server doesn't even look up the client address. */
export const noClicks: ClickSink = {
  classify: ({ url }) => ({ ...UNKNOWN, url }),
  isBot: () => false,
  record: () => undefined,
};

const UNKNOWN: VisitFacts = {
  country: "",
  language: "",
  device: "",
  os: "",
  browser: "",
  referrer: "",
  source: "link",
  url: "",
  visitor: "",
};

/** What is known of a visit when its destination is chosen. An empty text is unknown, and never matches. */
export interface VisitFacts {
  readonly country: string;
  readonly language: string;
  readonly device: string;
  readonly os: string;
  readonly browser: string;
  /** The host name of the page with the link. */
  readonly referrer: string;
  readonly source: "link" | "qr";
  /** Ends with the path and the query that the visitor sent. */
  readonly url: string;
  /** Tells visitors apart within a day. */
  readonly visitor: string;
}

export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Weekday = (typeof weekdays)[number];

export interface InstantRange {
  readonly after?: string | undefined;
  readonly before?: string | undefined;
}

/** Hours of a day, in a zone. Those that end before they begin end on the next day, and belong to the first. */
export interface WeeklyHours {
  readonly days?: readonly Weekday[] | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly timezone: string;
}

/** All of them must hold; a list holds if one of its entries does. */
export interface PlainConditions {
  readonly country?: readonly string[] | undefined;
  readonly language?: readonly string[] | undefined;
  readonly device?: readonly string[] | undefined;
  readonly os?: readonly string[] | undefined;
  readonly browser?: readonly string[] | undefined;
  readonly referrer?: readonly string[] | undefined;
  readonly source?: readonly string[] | undefined;
  readonly query?: Readonly<Record<string, string | true>> | undefined;
  readonly time?: InstantRange | WeeklyHours | undefined;
}

export interface Conditions extends PlainConditions {
  /** None of these may hold. */
  readonly not?: PlainConditions | undefined;
}

export interface Way {
  readonly name: string;
  readonly weight: number;
  readonly destination_url: string;
}

interface RuleFrame {
  readonly name: string;
  readonly when?: Conditions | undefined;
}

export type Rule = RuleFrame & ({ readonly destination_url: string } | { readonly split: readonly Way[] });

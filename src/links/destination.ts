import { domainToUnicode } from "node:url";
import {
  type DestinationCheck,
  type DestinationRules,
  judgeDestination,
  problem,
  type Refusal,
} from "#shared/destination-rules.ts";

// No legitimate label mixes two of these, whose letters look alike (UTS 39, "highly restrictive").
const CONFUSABLE_SCRIPTS = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
];

/** Checks a URL a user entered; `url` is its normalized form to store and redirect to. */
export const checkDestination = (input: string, rules: DestinationRules): DestinationCheck =>
  judgeDestination(input, rules, findHomograph);

function findHomograph(hostname: string): Refusal | null {
  if (!hostname.includes("xn--")) return null;
  const unicode = domainToUnicode(hostname);
  if (unicode === "") return problem("host_not_allowed", "The destination's host is not a valid DNS name.");
  const mixed = unicode.split(".").find((label) => CONFUSABLE_SCRIPTS.filter((s) => s.test(label)).length > 1);
  if (mixed === undefined) return null;
  return problem("homograph", `The host mixes look-alike letters from different scripts; in ASCII it is ${hostname}.`);
}

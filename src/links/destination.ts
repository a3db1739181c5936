import { domainToUnicode } from "node:url";
import {
  type DestinationCheck,
  type DestinationRules,
  judgeDestination,
  problem,
  type Refusal,
} from "#shared/destination-rules.ts";

// No honest label mixes two of these: their letters look alike (UTS 39, "highly restrictive").
const CONFUSABLE_SCRIPTS = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
];

/** Judges what a user typed; the `url` of a good answer is the serialised form to store and to redirect to. */
export const checkDestination = (input: string, rules: DestinationRules): DestinationCheck =>
  judgeDestination(input, rules, findHomograph);

function findHomograph(hostname: string): Refusal | null {
  if (!hostname.includes("xn--")) return null;
  const unicode = domainToUnicode(hostname);
  if (unicode === "") return problem("host_not_allowed", "The host of the destination is not a valid DNS name.");
  const mixed = unicode.split(".").find((label) => CONFUSABLE_SCRIPTS.filter((s) => s.test(label)).length > 1);
  if (mixed === undefined) return null;
  return problem("homograph", `The host mixes look-alike letters of different scripts; in ASCII it reads ${hostname}.`);
}

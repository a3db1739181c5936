import { domainToASCII } from "node:url";
import { hostNameOf } from "#shared/host-name.ts";

/** A name that people entered, as in a Host header and as it is stored: in punycode, too. Empty if it can't be one. */
export const asciiName = (input: string): string => domainToASCII(hostNameOf(input.trim()));

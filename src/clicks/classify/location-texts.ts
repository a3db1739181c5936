import { cleanText } from "#clicks/clean-text.ts";
import type { FindShape } from "#clicks/click-shapes.ts";
import type { Definition } from "#clicks/journal/definitions.ts";
import { Remembered } from "./remembered.ts";
import { utmFieldsOf } from "./utm.ts";

const OTHERS_MAX = 16;

/**
 * The campaign texts of clicks that led to one location. Most links have neither rules nor a domain of their own, so their
 * clicks need no text put together to find them.
 */
export class LocationTexts {
  readonly #utmFields: string;
  readonly #findShape: FindShape;
  #plain: Definition | undefined;
  #others: Remembered<Definition> | undefined;

  constructor(location: string, findShape: FindShape) {
    this.#utmFields = utmFieldsOf(location);
    this.#findShape = findShape;
  }

  find(domain: string, rule: string): Definition {
    if (domain === "" && rule === "") {
      this.#plain ??= this.#define("", "");
      return this.#plain;
    }
    this.#others ??= new Remembered(OTHERS_MAX, (key) => {
      const [ofDomain = "", ofRule = ""] = key.split("\t");
      return this.#define(ofDomain, ofRule);
    });
    return this.#others.get(`${domain}\t${rule}`);
  }

  #define(domain: string, rule: string): Definition {
    return this.#findShape(`${this.#utmFields}\t${cleanText(domain)}\t${cleanText(rule)}`);
  }
}

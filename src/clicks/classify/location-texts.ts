import { cleanText } from "#clicks/clean-text.ts";
import type { FindShape } from "#clicks/click-shapes.ts";
import type { Definition } from "#clicks/journal/definitions.ts";
import { Remembered } from "./remembered.ts";
import { utmFieldsOf } from "./utm.ts";

const DOMAINS_MAX = 16;
const RULES_MAX = 32;

/** The campaign texts of clicks that led to one location. Most links have neither rules nor a domain of their own. */
export class LocationTexts {
  readonly #utmFields: string;
  readonly #findShape: FindShape;
  #plain: Definition | undefined;
  #others: Remembered<Remembered<Definition>> | undefined;

  constructor(location: string, findShape: FindShape) {
    this.#utmFields = utmFieldsOf(location);
    this.#findShape = findShape;
  }

  find(domain: string, rule: string): Definition {
    if (domain === "" && rule === "") {
      this.#plain ??= this.#define("", "");
      return this.#plain;
    }
    // In two steps: looking up a text that is put together first takes several times as long.
    this.#others ??= new Remembered(
      DOMAINS_MAX,
      (name) => new Remembered(RULES_MAX, (label) => this.#define(name, label)),
    );
    return this.#others.get(domain).get(rule);
  }

  #define(domain: string, rule: string): Definition {
    return this.#findShape(`${this.#utmFields}\t${cleanText(domain)}\t${cleanText(rule)}`);
  }
}

import { utmKeys } from "#contract/limits.ts";

const LABEL_LENGTH_MAX = 255;

// biome-ignore lint/suspicious/noControlCharactersInRegex: matching control characters is the point
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]+/g;

/** Makes texts of other services fit our limits, and collects what is lost. Title, tags and notes fit for every source. */
export class FittedTexts {
  readonly losses: string[] = [];

  lose(...losses: readonly string[]): void {
    this.losses.push(...losses);
  }

  label(name: string, given: string | null | undefined, max = LABEL_LENGTH_MAX): string | null {
    const text = given?.replace(CONTROLS, " ").toWellFormed().normalize("NFC").trim() ?? "";
    const characters = text.length > max ? Array.from(text) : [];
    if (characters.length <= max) return text === "" ? null : text;
    this.lose(`${name} longer than ${max} characters is shortened`);
    return characters.slice(0, max).join("").trim();
  }

  utm(values: Readonly<Record<string, unknown>>): Record<string, string> | null {
    const pairs = utmKeys.flatMap((key) => {
      const value = values[key];
      const text = typeof value === "string" ? this.label("A UTM parameter", value) : null;
      return text === null ? [] : [[key, text] as const];
    });
    return pairs.length === 0 ? null : Object.fromEntries(pairs);
  }
}

import { TITLE_LENGTH_MAX, utmKeys } from "#contract/limits.ts";
import { TAGS_MAX } from "#contract/link-record.ts";

const NOTES_LENGTH_MAX = 2000;
const TAG_LENGTH_MAX = 50;
const LABEL_LENGTH_MAX = 255;

// biome-ignore lint/suspicious/noControlCharactersInRegex: matching control characters is the point
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same, without tab and line feed
const CONTROLS_IN_LINES = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]+/g;

/** Makes texts of other services fit our limits, and collects what is lost. */
export class FittedTexts {
  readonly losses: string[] = [];

  lose(...losses: readonly string[]): void {
    this.losses.push(...losses);
  }

  title(text: string | null | undefined): string | null {
    return this.#fit("title", text?.replace(CONTROLS, " "), TITLE_LENGTH_MAX);
  }

  label(name: string, text: string | null | undefined, max = LABEL_LENGTH_MAX): string | null {
    return this.#fit(name, text?.replace(CONTROLS, " "), max);
  }

  notes(text: string | null | undefined): string | null {
    return this.#fit("notes", text?.replace(/\r\n?/g, "\n").replace(CONTROLS_IN_LINES, " "), NOTES_LENGTH_MAX);
  }

  tags(names: readonly string[]): string[] {
    const fitting = names.flatMap((name) => this.#fit("tag", name.replace(CONTROLS, " "), TAG_LENGTH_MAX) ?? []);
    if (fitting.length > TAGS_MAX) this.lose(`tags after the first ${TAGS_MAX}`);
    return fitting.slice(0, TAGS_MAX);
  }

  utm(values: Readonly<Record<string, unknown>>): Record<string, string> | null {
    const pairs = utmKeys.flatMap((key) => {
      const value = values[key];
      const text = typeof value === "string" ? this.label(key, value) : null;
      return text === null ? [] : [[key, text] as const];
    });
    return pairs.length === 0 ? null : Object.fromEntries(pairs);
  }

  #fit(name: string, text: string | undefined, max: number): string | null {
    const trimmed = text?.toWellFormed().normalize("NFC").trim() ?? "";
    const characters = trimmed.length > max ? Array.from(trimmed) : [];
    if (characters.length <= max) return trimmed === "" ? null : trimmed;
    this.lose(`${name} after ${max} characters`);
    return characters.slice(0, max).join("").trim();
  }
}

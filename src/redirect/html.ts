import { escapeHtml } from "#shared/escape-html.ts";

/** Text that is safe to put in a page. Only {@link html} creates it. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Escapes every value that isn't markup already. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | Markup)[]): Markup {
  let text = parts[0] ?? "";
  values.forEach((value, index) => {
    text += value instanceof Markup ? value.text : escapeHtml(value);
    text += parts[index + 1] ?? "";
  });
  return new Markup(text);
}

export const nothing = html``;

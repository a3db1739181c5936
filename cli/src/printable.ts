import { showControls } from "../../shared/printable-text.ts";

/** The same value, with every text in it escaped: whatever its type promises, an instance can send anything. */
export function escapeTexts(value: unknown): unknown {
  if (typeof value === "string") return showControls(value);
  if (Array.isArray(value)) return value.map(escapeTexts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, escapeTexts(field)]));
}

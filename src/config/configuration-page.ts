import { type Setting, settings } from "./settings.ts";

/** `docs/configuration.md`, from the same table that the server reads. */
export function configurationPage(): string {
  const rows = (Object.values(settings) as Setting<unknown>[]).map(
    (setting) => `| \`${setting.name}\` | ${fallbackOf(setting)} | ${setting.help}${fileNote(setting)} |`,
  );
  return `# Configuration

Kurz is configured by environment variables. A name that does not exist or a value that does not fit stops the start
with one line for each. This page is generated from the code.

| variable | default | meaning |
|---|---|---|
${rows.join("\n")}
`;
}

function fallbackOf({ fallback, fallbackText }: Setting<unknown>): string {
  if (fallbackText !== undefined) return fallbackText;
  if (typeof fallback === "boolean") return fallback ? "`on`" : "`off`";
  return `\`${fallback}\``;
}

const fileNote = ({ name, secret }: Setting<unknown>): string =>
  secret ? ` \`${name}_FILE\` may name a file that holds it.` : "";

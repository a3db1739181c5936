import { type Setting, settings } from "./settings.ts";

/** `docs/configuration.md`, generated from the table that the server reads. */
export function configurationPage(): string {
  const rows = (Object.values(settings) as Setting<unknown>[]).map(
    (setting) => `| \`${setting.name}\` | ${fallbackOf(setting)} | ${setting.help}${fileNote(setting)} |`,
  );
  return `# Configuration

Kurz is configured by environment variables. In a checkout you can also put them into a \`.env\` file beside
\`package.json\`: \`npm start\` and \`kurz\` read it, and a variable that is set already wins. In that file, write
\`\\$\` for a dollar sign, even between single quotes: \`$NAME\` is replaced with a variable's value. Kurz doesn't start
with an unknown name or an invalid value, and prints one line for each. This page is generated from the code.

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
  secret ? ` Or put it into a file, and set \`${name}_FILE\` to its path.` : "";

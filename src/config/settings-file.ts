import { readFileSync } from "node:fs";
import { codeOf } from "#kernel/error-codes.ts";
import { ConfigError } from "./load-config.ts";

type Settings = Readonly<Record<string, string>>;

const LINE = /^(?:export\s+)?([A-Za-z_]\w*)\s*=(.*)$/;

/** Reads lines such as `NAME=value`, as systemd and Docker do: with comments and quotes, but on one line each. */
export function readSettingsFile(path: string): Settings {
  const settings: Record<string, string> = {};
  for (const [index, line] of readText(path).split("\n").entries()) {
    const text = line.trim();
    if (text === "" || /^[#;]/.test(text)) continue;
    const [, name, value] = LINE.exec(text) ?? [];
    if (name === undefined || value === undefined) {
      throw new ConfigError([`${path}: line ${index + 1} is not a setting such as NAME=value`]);
    }
    settings[name] = unquote(value.trim());
  }
  return settings;
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new ConfigError([`the file ${path} can't be read (${codeOf(error) ?? String(error)})`]);
  }
}

const unquote = (value: string): string => {
  const [, quoted] = /^"(.*)"$/.exec(value) ?? /^'(.*)'$/.exec(value) ?? [];
  return quoted ?? value;
};

/** An environment in which these settings replace its own, also where a secret is in a file instead. */
export function withSettings(
  env: Readonly<Record<string, string | undefined>>,
  settings: Settings,
): Readonly<Record<string, string | undefined>> {
  const replaced = new Set(Object.keys(settings).flatMap((name) => [`${name}_FILE`, name.replace(/_FILE$/, "")]));
  return { ...Object.fromEntries(Object.entries(env).filter(([name]) => !replaced.has(name))), ...settings };
}

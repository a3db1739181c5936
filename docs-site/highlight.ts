import { escapeHtml } from "#shared/escape-html.ts";

/** What a part of code is, as the class names of the style sheet. */
type Kind = "comment" | "string" | "keyword" | "name" | "value";
type Rules = readonly (readonly [Kind, RegExp])[];

const DOUBLE_QUOTED = /"(?:[^"\\\n]|\\.)*"/;
const SINGLE_QUOTED = /'(?:[^'\\\n]|\\.)*'/;
const QUOTED = either(DOUBLE_QUOTED, SINGLE_QUOTED);
const NUMBER = /\b\d[\d_]*(?:\.\d+)?\b/;
const HASH_COMMENT = /(?<=^|\s)#.*$/;

const script: Rules = [
  ["comment", /\/\/.*$|\/\*[\s\S]*?\*\//],
  ["string", either(QUOTED, /`(?:[^`\\]|\\.)*`/)],
  [
    "keyword",
    /\b(?:as|async|await|break|case|catch|class|const|else|export|extends|false|for|from|function|if|import|in|instanceof|let|new|null|of|return|throw|true|try|type|typeof|undefined|while)\b/,
  ],
  ["value", NUMBER],
];

const configuration: Rules = [
  ["comment", HASH_COMMENT],
  ["string", QUOTED],
  ["keyword", /(?<=^\s*)[\w@:./-]+(?=\s|;|$)/],
  ["value", /\$\w+/],
];

/** Few and simple: enough to tell a string from a command, without a parser for each language. */
const languages: Readonly<Record<string, Rules>> = {
  sh: [
    ["comment", HASH_COMMENT],
    // Strings of commands may go on over several lines.
    ["string", /"(?:[^"\\]|\\[\s\S])*"|'[^']*'/],
    ["value", /\$\{?\w+\}?/],
    ["keyword", /(?<=^\s*|[|&;({] *|\$\()(?:[A-Z_]+=)?[a-z][\w./-]*(?=\s|$)/],
    ["name", /(?<=\s)--?[a-zA-Z][\w-]*/],
  ],
  json: [
    ["name", /"(?:[^"\\\n]|\\.)*"(?=\s*:)/],
    ["string", DOUBLE_QUOTED],
    ["keyword", /\b(?:true|false|null)\b/],
    ["value", NUMBER],
  ],
  ts: script,
  js: script,
  python: [
    ["comment", HASH_COMMENT],
    ["string", either(/"""[\s\S]*?"""/, QUOTED)],
    [
      "keyword",
      /\b(?:and|as|async|await|class|def|elif|else|except|False|finally|for|from|if|import|in|is|None|not|or|raise|return|True|try|while|with|yield)\b/,
    ],
    ["value", NUMBER],
  ],
  ini: [
    ["comment", /^[#;].*$/],
    ["keyword", /^\[.*\]$/],
    ["name", /^[\w.]+(?==)/],
    ["string", QUOTED],
  ],
  yaml: [
    ["comment", HASH_COMMENT],
    ["name", /(?<=^\s*(?:- )?)[\w./-]+(?=:(?:\s|$))/],
    ["string", QUOTED],
  ],
  sql: [
    ["comment", /--.*$/],
    ["string", /'[^']*'/],
    ["keyword", /\b[A-Z]{2,}\b/],
    ["value", NUMBER],
  ],
  nginx: configuration,
  caddy: configuration,
};

function either(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join("|"));
}

const combined = new Map<string, RegExp>();

/** One pattern for all rules of a language, with a group for each; the first that matches wins. */
function patternOf(language: string, rules: Rules): RegExp {
  const known = combined.get(language);
  if (known) return known;
  const made = new RegExp(rules.map(([, { source }]) => `(${source})`).join("|"), "gm");
  combined.set(language, made);
  return made;
}

/** Code as HTML, with its parts in elements of their own. Other languages stay plain. */
export function highlight(code: string, language: string): string {
  const rules = languages[language];
  if (!rules) return escapeHtml(code);
  let html = "";
  let end = 0;
  for (const match of code.matchAll(patternOf(language, rules))) {
    const [text, ...groups] = match;
    const kind = rules[groups.findIndex((group) => group !== undefined)]?.[0];
    html += `${escapeHtml(code.slice(end, match.index))}<span class="code-${kind}">${escapeHtml(text)}</span>`;
    end = match.index + text.length;
  }
  return html + escapeHtml(code.slice(end));
}

import { decodePunycode } from "./punycode.ts";

export interface ShownHost {
  /** In its own letters if they can be trusted, otherwise in punycode. */
  readonly text: string;
  /** Some letters can be mistaken for others; show a warning with it. */
  readonly isDeceptive: boolean;
}

// UAX 31, table 5 ("recommended"): the scripts in everyday use.
const scripts = `Latin Cyrillic Greek Armenian Georgian Hebrew Arabic Thaana Devanagari Bengali Gurmukhi Gujarati Oriya
  Tamil Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Khmer Ethiopic Han Hiragana Katakana Hangul Bopomofo`
  .split(/\s+/)
  .map((name) => [name, new RegExp(`\\p{Script=${name}}`, "u")] as const);

// UTS 39 §5.2, "highly restrictive": one script, or one of these mixtures.
const mixtures = [
  ["Latin", "Han", "Hiragana", "Katakana"],
  ["Latin", "Han", "Bopomofo"],
  ["Latin", "Han", "Hangul"],
];

/**
 * A label of these alone can be read as one in ASCII letters. They are chosen from the confusables of UTS 39, as browsers
 * do ("whole-script confusables"), who also let them pass where the script is at home.
 */
const imitations = [
  { letters: /^[-0-9аысԁеԍһіюјӏорԗԛѕԝхуъьҽпгѵѡ]+$/u, home: /^(?:bg|by|kg|kz|mk|mn|rs|ru|su|tj|ua|uz)$/ },
  { letters: /^[-0-9αικνρυωηοτ]+$/u, home: /^(?:cy|gr)$/ },
  { letters: /^[-0-9ագզէլհյոսւօ]+$/u, home: /^am$/ },
  { letters: /^[-0-9იოყძხჽჿ]+$/u, home: /^ge$/ },
  { letters: /^[-0-9דוחיןס]+$/u, home: /^il$/ },
];

const ASCII = /^[\x21-\x7e]*$/;
// Letters of phonetics and of small capitals, such as ɑ and ɡ; and those that look like strokes between Latin letters.
const PHONETIC = /[\u0250-\u02af\u1d00-\u1dbf\ua720-\ua7ff]/u;
const STROKES = /[ノソンー一丨丶丿]/u;
const OTHER_EAST_ASIAN = /(?![ノソンー一丨丶丿])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** How a host, as the URL parser gives it, is shown to people. */
export function showHost(host: string): ShownHost {
  if (!host.includes("xn--")) return { text: host, isDeceptive: false };
  const labels = host.split(".").map((label) => ({ label, letters: lettersOf(label) }));
  const top = labels.at(-1)?.letters ?? "";
  if (labels.some(({ letters }) => letters === null || isDeceptive(letters, top))) {
    return { text: host, isDeceptive: true };
  }
  return { text: labels.map(({ letters }) => letters).join("."), isDeceptive: false };
}

/** The same for a whole address. */
export function showAddress(url: string): ShownHost {
  const [, before = "", host = "", after = ""] = /^([a-z]+:\/\/)([^/?#:]*)(.*)$/is.exec(url) ?? [];
  if (host === "") return { text: url, isDeceptive: false };
  const shown = showHost(host);
  return { ...shown, text: before + shown.text + after };
}

const lettersOf = (label: string): string | null =>
  label.startsWith("xn--") ? decodePunycode(label.slice("xn--".length)) : label;

function isDeceptive(label: string, top: string): boolean {
  if (ASCII.test(label)) return false;
  if (/[^\p{L}\p{M}\p{N}-]/u.test(label) || PHONETIC.test(label)) return true;
  const used = scriptsOf(label);
  if (used === null) return true;
  const isMixed = used.length > 1 && !mixtures.some((allowed) => used.every((script) => allowed.includes(script)));
  if (isMixed) return true;
  if (STROKES.test(label) && !OTHER_EAST_ASIAN.test(label)) return true;
  // A top-level domain in letters of its own does not pass for one in ASCII.
  const isAtHome = (home: RegExp): boolean => home.test(top) || !ASCII.test(top);
  return imitations.some(({ letters, home }) => letters.test(label) && !isAtHome(home));
}

/** `null` if a letter belongs to no known script. */
function scriptsOf(label: string): readonly string[] | null {
  const used = new Set<string>();
  for (const letter of label) {
    if (!/\p{L}/u.test(letter) || /\p{Script=Common}/u.test(letter)) continue;
    const [name] = scripts.find(([, pattern]) => pattern.test(letter)) ?? [];
    if (name === undefined) return null;
    used.add(name);
  }
  return [...used];
}

/** Those of Latin-1, from U+00A0 on. */
const LATIN = `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3
  acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig
  Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave
  Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave
  iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml`
  .split(/\s+/)
  .map((name, index) => [name, String.fromCodePoint(0xa0 + index)] as const);

const named = new Map<string, string>([
  ...LATIN,
  ...Object.entries({
    amp: "&",
    lt: "<",
    gt: ">",
    quot: '"',
    apos: "'",
    ndash: "–",
    mdash: "—",
    hellip: "…",
    bull: "•",
  }),
  ...Object.entries({
    lsquo: "‘",
    rsquo: "’",
    sbquo: "‚",
    ldquo: "“",
    rdquo: "”",
    bdquo: "„",
    lsaquo: "‹",
    rsaquo: "›",
  }),
  ...Object.entries({ euro: "€", trade: "™", rarr: "→", larr: "←", Scaron: "Š", scaron: "š", OElig: "Œ", oelig: "œ" }),
]);

/** Numbers, and the names that occur in titles; others stay as they are. */
export const decodeEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w{2,8}));?/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return named.get(name) ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return windows1252(code) ?? (isScalar(code) ? String.fromCodePoint(code) : "\ufffd");
  });

/** Browsers read the numbers of C1 controls as that encoding, which is what their writers meant. */
const windows1252 = (code: number): string | null =>
  code >= 0x80 && code <= 0x9f ? new TextDecoder("windows-1252").decode(Uint8Array.of(code)) : null;

const isScalar = (code: number): boolean => code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);

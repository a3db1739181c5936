import { type Phrase, translate } from "./phrase.ts";

/** What the server says can't be carried over. Tests keep it complete. */
const losses: readonly Phrase[] = [
  [
    /^A total of clicks has no days, .* metadata as (.+)$/,
    (key) => `Eine Gesamtzahl an Klicks hat keine Tage und fehlt in Berichten; sie steht als ${key} in den Metadaten`,
  ],
  [
    /^A total of clicks that isn't a whole number/,
    "Eine Gesamtzahl an Klicks, die keine ganze Zahl ist, wird ausgelassen",
  ],
  [/^Only (\d+) tags are kept$/, (most) => `Nur ${most} Tags werden übernommen`],
  [/^Only (\d+) rules are kept$/, (most) => `Nur ${most} Regeln werden übernommen`],
  [/^.+ longer than (\d+) characters is shortened$/, (most) => `Texte mit mehr als ${most} Zeichen werden gekürzt`],
  [
    /^(.+) isn't a date such as (\S+) or (\S+)$/,
    (field, day, instant) => `${field} ist kein Datum wie ${day} oder ${instant}`,
  ],
  [
    /^(.+) has a value that isn't known, so the link is paused$/,
    (field) => `${field} hat einen unbekannten Wert, deshalb ist der Link pausiert`,
  ],
  [/^A creation time in the future/, "Aus einem Erstellungszeitpunkt in der Zukunft wird der des Imports"],
  [
    /^A password can't be carried over/,
    "Ein Passwort lässt sich nicht übernehmen: Der Link ist pausiert, bis Sie ein neues setzen",
  ],
  [/^A link that was blocked by the operator there is paused$/, "Ein dort vom Betreiber gesperrter Link ist pausiert"],
  [/^Kutt's operator has banned the link/, "Der Betreiber von Kutt hat den Link gesperrt: Er ist pausiert"],
  [
    /^A redirect rule asks for something/,
    "Eine Weiterleitungsregel verlangt etwas, was Regeln hier nicht können: Sie wird ausgelassen",
  ],
  [/^A limit of 0 visits/, "Ein Limit von 0 Besuchen gibt es hier nicht: Der Link ist pausiert"],
  [/^A preview can't have a video$/, "Eine Vorschau kann kein Video haben"],
  [/^Link cloaking isn't possible here/, "Cloaking gibt es hier nicht: Besucher sehen die Adresse des Ziels"],
  [/^Search engines may not crawl short URLs here$/, "Suchmaschinen dürfen kurze Adressen hier nicht durchsuchen"],
  [/^Targeting of an unknown country is left out$/, "Eine Ausrichtung auf ein unbekanntes Land wird ausgelassen"],
  [/^Search engines may not index short URLs here$/, "Suchmaschinen dürfen kurze Adressen hier nicht aufnehmen"],
  [/^Of a very long history/, "Von einem sehr langen Verlauf werden nur die neuesten Versionen übernommen"],
  [/^There are no folders here$/, "Ordner gibt es hier nicht"],
  [/^Conversions, leads and sales/, "Conversions, Leads und Verkäufe werden nicht übernommen"],
  [
    /^The public statistics page isn't carried over/,
    "Die öffentliche Statistikseite wird nicht übernommen: Teilen Sie stattdessen einen Bericht",
  ],
  [/^Links into apps aren't carried over$/, "Links in Apps werden nicht übernommen"],
  [/^Campaigns aren't carried over$/, "Kampagnen werden nicht übernommen"],
  [
    /^Clicks aren't carried over: your Bitly plan/,
    "Klicks werden nicht übernommen: Ihr Bitly-Tarif hat sie nicht in der API",
  ],
];

/** In German; in English what nobody translated. */
export const lossInGerman = (what: string): string => translate(losses, what) ?? what;

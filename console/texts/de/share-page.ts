import { plural } from "#console/ui/format.ts";
import type { sharePageTexts as en } from "#texts/share-page.ts";

export const sharePageTexts: typeof en = {
  badge: "Geteilter Bericht",
  note: "Nur zum Lesen. Bots zählen nicht als Klicks, und kein Besucher wird identifiziert.",
  minVisitors: (least) => `Werte mit weniger als ${plural(least, "Besucher", "Besuchern")} werden nicht aufgeführt.`,
  until: (instant) => `Verfügbar bis ${instant}.`,
  locked: "Dieser Bericht ist geschützt",
  lockedNote: "Geben Sie das Passwort ein, das Sie von der Person haben, die ihn geteilt hat.",
  password: "Passwort",
  open: "Bericht öffnen",
  gone: "Diesen Bericht gibt es nicht",
  goneNote:
    "Er wurde widerrufen, ist abgelaufen oder hat nie existiert. Bitten Sie die Person, von der Sie die Adresse haben, um eine neue.",
};

import type { AnyErrorCode } from "#contract/error-table.ts";
import type { FieldError } from "#contract/errors.ts";
import type { errorTexts as en } from "#texts/errors.ts";

/** What people meet in the console. Anything else, which only programs can cause, stays in English. */
const messages: Partial<Record<AnyErrorCode, string>> = {
  plan_limit: "Ihr Tarif lässt das nicht zu.",
  account_suspended: "Das Konto ist gesperrt.",
  not_found: "Das gibt es nicht oder nicht mehr.",
  invalid_state: "Das geht im jetzigen Zustand des Links nicht.",
  slug_taken: "Dieser Slug ist vergeben oder war es schon einmal.",
  domain_exists: "Diese Domain haben Sie schon.",
  domain_in_use: "Zu dieser Domain gehören noch Links.",
  external_id_taken: "Ein anderer Link hat diese externe ID.",
  precondition_failed: "Das wurde inzwischen geändert.",
  payload_too_large: "Das ist zu groß.",
  validation_failed: "Bitte prüfen Sie die markierten Felder.",
  destination_blocked: "Dieses Ziel hat der Betreiber gesperrt.",
  domain_not_verified: "Diese Domain ist nicht bestätigt.",
  rate_limited: "Zu viele Anfragen. Bitte warten Sie einen Moment.",
  internal_error: "Da ist bei uns etwas schiefgegangen.",
  unavailable: "Der Dienst ist gerade nicht verfügbar. Versuchen Sie es gleich noch einmal.",
  not_signed_in: "Bitte melden Sie sich an.",
  sign_in_failed: "E-Mail-Adresse, Passwort oder Code stimmt nicht.",
  role_insufficient: "Ihre Rolle in diesem Konto erlaubt das nicht.",
  sudo_required: "Bitte bestätigen Sie zuerst, dass Sie es sind.",
  not_in_demo: "In der Demo geht das nicht.",
  last_owner: "Ein Konto braucht mindestens einen Inhaber.",
  already_exists: "Das gibt es schon.",
};

const numberIn = (message: string): string => /\d[\d.,]*\d|\d/.exec(message)?.[0] ?? "";

const fields: Partial<Record<FieldError["code"], (message: string) => string>> = {
  required: () => "Bitte ausfüllen.",
  too_short: (message) => `Zu kurz: mindestens ${numberIn(message) || "1"} Zeichen.`,
  too_long: (message) => `Zu lang: höchstens ${numberIn(message)}.`,
  invalid_url: () => "Das ist keine gültige Adresse.",
  scheme_not_allowed: () => "Die Adresse muss mit http:// oder https:// beginnen.",
  credentials_not_allowed: () => "Die Adresse darf keine Zugangsdaten enthalten.",
  host_not_allowed: () => "Zu dieser Adresse darf ein Link nicht führen.",
  homograph: () => "Die Adresse enthält Buchstaben, die anderen zum Verwechseln ähnlich sehen.",
  self_reference: () => "Ein kurzer Link darf nicht auf einen anderen dieses Dienstes zeigen.",
  nested_shortener: () => "Das ist selbst ein kurzer Link. Geben Sie sein Ziel an.",
  reserved_slug: () => "Dieser Slug ist reserviert.",
  invalid_timezone: () => "Diese Zeitzone gibt es nicht.",
  low_contrast: () => "Die Farben unterscheiden sich zu wenig.",
  in_past: () => "Das liegt in der Vergangenheit.",
};

export const errorTexts: typeof en = {
  offline: "Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung.",
  noAnswer: "Der Server antwortet nicht. Versuchen Sie es gleich noch einmal.",
  message: (code, message) => messages[code] ?? message,
  field: ({ code, message }) => fields[code]?.(message) ?? message,
};

import { formatExact } from "#console/ui/format.ts";
import type { SsoRefusal } from "#contract/console/sso-refusal.ts";
import type { AnyErrorCode } from "#contract/error-table.ts";
import type { BlockReason, FieldError } from "#contract/errors.ts";
import type { Role } from "#contract/roles.ts";
import type { errorTexts as en, ServerError } from "#texts/errors.ts";
import { blockReasons } from "./block-reasons.ts";
import { germanOf } from "./error-phrases.ts";
import { roleTexts } from "./roles.ts";

type Details = NonNullable<ServerError["details"]>;
type Tell = (details: Details, message: string) => string;

const TRY_AGAIN = "Versuchen Sie es gleich noch einmal.";
const NOT_FOR_PEOPLE = "Die Anfrage ist ungültig.";

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const number = (value: unknown): string => (typeof value === "number" ? formatExact(value) : "");
const links = (count: unknown): string => (count === 1 ? "ein Link" : `${number(count)} Links`);

/** What differs by the message, whose English begins so. */
const byBeginning = (message: string, cases: Readonly<Record<string, string>>, otherwise: string): string =>
  Object.entries(cases).find(([beginning]) => message.startsWith(beginning))?.[1] ?? otherwise;

const planFeatures: Readonly<Record<string, (limit: unknown) => string>> = {
  active_links: (limit) => `${number(limit)} aktive Links`,
  webhook_endpoints: (limit) => `${number(limit)} Webhook-Endpunkte`,
  domains: (limit) => `${number(limit)} Domains`,
  rules_per_link: (limit) => (limit === 1 ? "eine Regel pro Link" : `${number(limit)} Regeln pro Link`),
  api_tokens: (limit) => `${number(limit)} gültige Tokens`,
};

function planLimit({ feature, limit }: Details, message: string): string {
  if (feature === "invitations") return `Höchstens ${number(limit)} Einladungen können gleichzeitig offen sein.`;
  const name = /^The plan "(.+?)"/.exec(message)?.[1];
  const plan = name === undefined ? "Ihr Tarif" : `Der Tarif „${name}“`;
  if (feature === "api_access") return `${plan} enthält keinen API-Zugang.`;
  const allowed = planFeatures[text(feature)]?.(limit);
  return allowed === undefined ? `${plan} lässt das nicht zu.` : `${plan} erlaubt ${allowed}.`;
}

const limited: Readonly<Record<string, string>> = {
  attempts: "Versuche",
  invitations: "Einladungen",
  titles: "Titel",
  "wrong codes": "falsche Codes",
};

function rateLimited({ retry_after }: Details, message: string): string {
  const what = limited[/^Too many (.+?)\./.exec(message)?.[1] ?? ""] ?? "Anfragen";
  if (typeof retry_after !== "number") return `Zu viele ${what}. Bitte warten Sie einen Moment.`;
  const wait = retry_after < 120 ? `${retry_after} Sekunden` : `${Math.ceil(retry_after / 60)} Minuten`;
  return `Zu viele ${what}. Versuchen Sie es in ${wait} noch einmal.`;
}

const actions: Readonly<Record<string, string>> = { pause: "pausieren", resume: "fortsetzen" };

function invalidState({ state, action }: Details): string {
  if (state === "deleted") return "Der Link ist im Papierkorb. Stellen Sie ihn zuerst wieder her.";
  if (state === "disabled") return "Der Endpunkt ist ausgeschaltet. Schalten Sie ihn zuerst ein.";
  const verb = actions[text(action)];
  return verb === undefined
    ? "Das geht im jetzigen Zustand nicht."
    : `Ein archivierter Link lässt sich nicht ${verb}. Holen Sie ihn zuerst aus dem Archiv.`;
}

function domainInUse({ links: count }: Details, message: string): string {
  const them = count === 1 ? "ihn" : "sie";
  return message.includes("in the trash")
    ? `Im Papierkorb ${count === 1 ? "ist" : "sind"} noch ${links(count)} dieser Domain. Löschen Sie ${them} zuerst endgültig.`
    : `Die Domain hat noch ${links(count)}. Löschen Sie ${them} zuerst.`;
}

function domainNotVerified({ domain }: Details, message: string): string {
  const name = text(domain);
  if (message.includes("TXT record and verify it first")) {
    return `${name} ist noch nicht bestätigt. Fügen Sie den TXT-Eintrag hinzu und bestätigen Sie die Domain zuerst.`;
  }
  if (message.startsWith("Another account proved")) {
    return `Ein anderes Konto hat nachgewiesen, dass ihm ${name} gehört. Wenn es Ihre Domain ist, fügen Sie den TXT-Eintrag wieder hinzu, entfernen Sie jeden anderen unter _kurz.${name} und bestätigen Sie die Domain.`;
  }
  if (message.startsWith("The operator gave")) {
    return `Der Betreiber hat ${name} einem anderen Konto gegeben. Wenn das ein Irrtum ist, fragen Sie ihn.`;
  }
  if (message.endsWith("so it can't be restored.")) {
    return `Die Domain ${name} des Links wurde entfernt, deshalb lässt er sich nicht wiederherstellen.`;
  }
  return `„${name}“ ist keine bestätigte Domain dieses Kontos.`;
}

function destinationBlocked({ reason }: Details): string {
  const why = blockReasons[text(reason) as BlockReason];
  return why === undefined
    ? "Der Betreiber hat dieses Ziel gesperrt."
    : `Der Betreiber hat dieses Ziel gesperrt (${why}).`;
}

const roleName = (role: unknown): string => roleTexts[text(role) as Role]?.name ?? text(role);

function lastOwner(_: Details, message: string): string {
  const [, named, verb] = /^(".+\)) (has|have) no other owner\./s.exec(message) ?? [];
  if (named === undefined)
    return "Das ist der einzige Inhaber des Kontos. Machen Sie zuerst jemand anderen zum Inhaber.";
  const names = named.replace(/"(.+?)" \(/g, "„$1“ (");
  const [have, them] = verb === "has" ? ["hat", "es"] : ["haben", "sie"];
  return `${names} ${have} keinen anderen Inhaber. Machen Sie zuerst jemand anderen zum Inhaber oder löschen Sie ${them}.`;
}

function validationFailed({ errors = [] }: Details): string {
  const [first] = errors;
  if (!first) return NOT_FOR_PEOPLE;
  const rest = errors.length === 1 ? "" : ` (und ${formatExact(errors.length - 1)} weitere)`;
  return `${first.field === "" ? "" : `${first.field}: `}${fieldText(first)}${rest}`;
}

const ssoRefusals: Readonly<Record<SsoRefusal, (provider: string) => string>> = {
  cancelled: (provider) => `Sie sind nicht mit ${provider} angemeldet: Es wurde dort abgebrochen.`,
  expired: (provider) =>
    `Das hat zu lange gedauert oder wurde in einem anderen Browser oder Tab begonnen. Melden Sie sich noch einmal mit ${provider} an.`,
  provider_error: (provider) =>
    `Die Antwort von ${provider} ist ungültig. Versuchen Sie es noch einmal oder fragen Sie Ihren Administrator.`,
  no_email: (provider) => `${provider} hat keine E-Mail-Adresse gesendet. Fragen Sie Ihren Administrator.`,
  email_unverified: (provider) =>
    `${provider} hat Ihre E-Mail-Adresse nicht bestätigt. Bestätigen Sie sie dort und melden Sie sich noch einmal an.`,
  domain: (provider) =>
    `Ihre E-Mail-Adresse bei ${provider} gehört zu keiner Domain, mit der man sich hier anmelden darf.`,
  not_invited: () =>
    "Sie brauchen eine Einladung. Öffnen Sie deren Link und melden Sie sich von dort an. Wenn Sie keine haben, bitten Sie jemanden aus Ihrem Team darum.",
  no_role: (provider) => `Keine Ihrer Gruppen bei ${provider} hat Zugang. Fragen Sie Ihren Administrator.`,
  address_taken: (provider) =>
    `Ein Benutzer mit Ihrer E-Mail-Adresse gehört zu einer anderen Person bei ${provider}. Fragen Sie Ihren Administrator.`,
  other_person: (provider) =>
    `Sie haben sich bei ${provider} als jemand anderes angemeldet. Melden Sie sich dort als die Person an, die Sie hier sind.`,
  not_reauthenticated: (provider) =>
    `${provider} hat Sie nicht noch einmal nach Ihrer Anmeldung gefragt. Benutzen Sie stattdessen Ihr Passwort oder einen Passkey.`,
};

const messages: Readonly<Record<AnyErrorCode, Tell>> = {
  plan_limit: planLimit,
  account_suspended: () => "Das Konto ist gesperrt: Sie können es ansehen, aber nicht ändern.",
  not_found: (_, message) =>
    byBeginning(
      message,
      {
        "New users can't": "Auf diesem Server können sich keine neuen Benutzer registrieren.",
        "This link has expired": "Dieser Link ist abgelaufen oder wurde schon benutzt. Fordern Sie einen neuen an.",
      },
      "Das gibt es in diesem Konto nicht oder nicht mehr.",
    ),
  invalid_state: invalidState,
  slug_taken: ({ slug }, message) => {
    const domain = /already taken on (.+?), or was used/.exec(message)?.[1];
    return `Der Slug „${text(slug)}“ ist ${domain === undefined ? "" : `auf ${domain} `}schon vergeben, oder ein gelöschter Link hatte ihn.`;
  },
  domain_exists: ({ domain }) => `Das Konto hat die Domain ${text(domain)} schon.`,
  domain_in_use: domainInUse,
  tag_exists: ({ tag }) => `Das Tag „${text(tag)}“ gibt es schon.`,
  tag_busy: ({ tag }) =>
    `Links wechseln gerade noch zum Tag „${text(tag)}“ oder von ihm weg. Versuchen Sie es gleich noch einmal.`,
  external_id_taken: ({ external_id }) => `Ein anderer Link hat schon die externe ID „${text(external_id)}“.`,
  precondition_failed: () => "Das wurde inzwischen geändert.",
  payload_too_large: ({ limit_bytes }) => `Das ist zu groß: höchstens ${number(limit_bytes)} Byte.`,
  validation_failed: validationFailed,
  operation_failed: ({ index }) => `Vorgang ${number(index)} ist fehlgeschlagen; deshalb wurde keiner ausgeführt.`,
  destination_blocked: destinationBlocked,
  domain_not_verified: domainNotVerified,
  rate_limited: rateLimited,
  internal_error: () => "Bei uns ist etwas schiefgegangen.",
  unavailable: (_, message) => {
    const percent = /: (\d+) % are done/.exec(message)?.[1];
    if (percent !== undefined) {
      return `Berichte sind nicht verfügbar, während die Klicks nach einer Aktualisierung umgestellt werden: ${percent} % sind fertig. Links funktionieren, und alle Klicks werden gezählt.`;
    }
    return byBeginning(
      message,
      {
        "Too many pages": "Gerade beobachten zu viele Seiten die Klicks.",
        "Too many images": `Gerade werden zu viele Bilder erzeugt. ${TRY_AGAIN}`,
        "Too many passwords": `Gerade werden zu viele Passwörter gesetzt. ${TRY_AGAIN}`,
        "Too many people": `Gerade melden sich zu viele Personen an. ${TRY_AGAIN}`,
        Reports: `Berichte sind gerade nicht verfügbar. ${TRY_AGAIN}`,
      },
      `Der Dienst ist gerade nicht verfügbar. ${TRY_AGAIN}`,
    );
  },
  not_signed_in: () => "Ihre Sitzung ist beendet. Melden Sie sich wieder an.",
  share_locked: () => "Dieser Bericht ist mit einem Passwort geschützt.",
  wrong_password: () => "Das Passwort ist falsch.",
  sign_in_failed: (_, message) =>
    byBeginning(
      message,
      {
        "The e-mail address or": "E-Mail-Adresse oder Passwort ist falsch.",
        "The password": "Das Passwort ist falsch.",
      },
      "Das hat nicht geklappt. Prüfen Sie Ihre Eingaben und versuchen Sie es noch einmal.",
    ),
  cross_site: (_, message) => {
    const origin = /^Open the console at (\S+);/.exec(message)?.[1] ?? "";
    return `Öffnen Sie die Konsole unter ${origin}. Anfragen von anderen Adressen werden abgelehnt.`;
  },
  role_insufficient: ({ role, required_role }) =>
    `Dafür brauchen Sie die Rolle ${roleName(required_role)}; Ihre ist ${roleName(role)}.`,
  sudo_required: () => "Bestätigen Sie zuerst mit Ihrem Passwort, einem Passkey oder Single Sign-on, dass Sie es sind.",
  sso_required: () => "Melden Sie sich zuerst mit Single Sign-on an: Das Konto verlangt es.",
  sso_refused: ({ reason, provider }, message) => ssoRefusals[text(reason) as SsoRefusal]?.(text(provider)) ?? message,
  sso_unavailable: ({ provider }) => `${text(provider)} ist gerade nicht erreichbar. ${TRY_AGAIN}`,
  not_in_demo: () => "In der Demo lässt sich das nicht ändern: Alle benutzen dasselbe Konto.",
  last_owner: lastOwner,
  already_exists: (_, message) =>
    byBeginning(
      message,
      {
        "This e-mail address is": "Diese E-Mail-Adresse ist schon registriert. Melden Sie sich stattdessen an.",
        "Someone else uses": "Jemand anderes benutzt diese E-Mail-Adresse.",
        "This passkey": "Dieser Passkey wird schon benutzt.",
        "You already use": "Sie benutzen schon eine Authenticator-App.",
        "This person is": "Diese Person ist schon Mitglied des Kontos.",
      },
      "Das gibt es schon.",
    ),
  bad_request: (_, message) =>
    byBeginning(
      message,
      {
        "The passkey": "Der Passkey konnte nicht hinzugefügt werden. Versuchen Sie es noch einmal.",
        "The body took": `Die Anfrage hat zu lange gedauert. ${TRY_AGAIN}`,
        "The body was": `Die Anfrage kam nicht vollständig an. ${TRY_AGAIN}`,
        "HTTPS required": "Die Verbindung ist nicht verschlüsselt. Öffnen Sie die Konsole mit https://.",
      },
      NOT_FOR_PEOPLE,
    ),
  idempotency_in_progress: () => "Die Anfrage wird gerade schon ausgeführt.",
  // What only programs can cause.
  invalid_json: () => NOT_FOR_PEOPLE,
  invalid_idempotency_key: () => NOT_FOR_PEOPLE,
  idempotency_key_reused: () => NOT_FOR_PEOPLE,
  missing_token: () => NOT_FOR_PEOPLE,
  invalid_token: () => "Dieses Token ist ungültig.",
  token_expired: () => "Dieses Token ist abgelaufen.",
  token_revoked: () => "Dieses Token wurde widerrufen.",
  insufficient_scope: ({ required_scope }) => `Dem Token fehlt die Berechtigung ${text(required_scope)}.`,
  method_not_allowed: () => NOT_FOR_PEOPLE,
  version_retired: () => NOT_FOR_PEOPLE,
  uri_too_long: () => "Die Adresse der Anfrage ist zu lang.",
  unsupported_media_type: () => NOT_FOR_PEOPLE,
  headers_too_large: () => NOT_FOR_PEOPLE,
};

/** What nobody translated stays as it is: better in English than without what it says. */
const fieldText = ({ message }: Pick<FieldError, "code" | "message">): string => germanOf(message) ?? message;

export const errorTexts: typeof en = {
  offline: "Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung.",
  noAnswer: `Der Server antwortet nicht. ${TRY_AGAIN}`,
  // A newer server may have codes that this page doesn't know yet.
  message: ({ code, message, details = {} }) => messages[code]?.(details, message) ?? message,
  field: fieldText,
};

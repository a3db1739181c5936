import { type Phrase, say, translate } from "./phrase.ts";

const hostName = "Geben Sie einen Hostnamen an, etwa go.example.com.";
const condition = "Geben Sie mindestens eine Bedingung an.";

/** What the server says about a field. Tests keep it complete. */
const phrases: readonly Phrase[] = [
  say("This field is required.", "Bitte ausfüllen."),
  say("Must be a whole number.", "Muss eine ganze Zahl sein."),
  say("Must be a number.", "Muss eine Zahl sein."),
  say("Must be a string.", "Muss ein Text sein."),
  say("Must be a string, or true for any value.", "Muss ein Text sein, oder true für jeden Wert."),
  say("Must be true or false.", "Muss wahr oder falsch sein."),
  say("Must be an object.", "Muss ein Objekt sein."),
  say("Must be an array.", "Muss eine Liste sein."),
  say("Must be at least *.", (least) => `Muss mindestens ${least} sein.`),
  say("Must be at most *.", (most) => `Darf höchstens ${most} sein.`),
  [/^Must have at least (\d+) characters?\.$/, (least) => `Zu kurz: mindestens ${least} Zeichen.`],
  [/^Must have at most (\d+) characters?\.$/, (most) => `Zu lang: höchstens ${most} Zeichen.`],
  [/^Must have at least (\d+) items?\.$/, (least) => `Zu wenige: mindestens ${least}.`],
  [/^Must have at most (\d+) items?\.$/, (most) => `Zu viele: höchstens ${most}.`],
  say("Must have at most * parameters.", (most) => `Höchstens ${most} Parameter.`),
  say("Must be one of: *.", (values) => `Möglich sind: ${values}.`),
  say("Must not contain control characters.", "Darf keine Steuerzeichen enthalten."),
  say("Must not consist of spaces only.", "Darf nicht nur aus Leerzeichen bestehen."),
  say("This value is not valid.", "Dieser Wert ist ungültig."),
  say("This name is not valid.", "Dieser Name ist ungültig."),
  say("The name must not be empty.", "Der Name darf nicht leer sein."),
  [/^The name (must .+)$/, (rest) => `Name: ${germanOf(`M${rest.slice(1)}`) ?? rest}`],
  [/^There is no such (?:field|parameter)\.$/, "Dieses Feld gibt es nicht."],
  [
    /^There is no such (?:field|parameter)\. Did you mean "(.+)"\?$/,
    (name) => `Dieses Feld gibt es nicht. Meinten Sie „${name}“?`,
  ],
  say("This field can't be changed.", "Das lässt sich nicht ändern."),
  say("Can't be changed once it is set.", "Lässt sich nicht mehr ändern."),
  say("This parameter can only be given once.", "Darf nur einmal angegeben werden."),
  say("At most * levels of nesting.", (most) => `Höchstens ${most} Ebenen.`),
  [/^Use the previous page's next_cursor/, "Diese Seite der Liste gibt es nicht mehr. Laden Sie die Liste neu."],

  say("Must be an e-mail address.", "Das ist keine E-Mail-Adresse."),
  say("Must be an RFC 3339 instant with an offset, such as 2026-12-31T23:59:59Z.", "Geben Sie Datum und Uhrzeit an."),
  say("Must be a time such as 09:30.", "Geben Sie eine Uhrzeit an, etwa 09:30."),
  say(
    "Must be an IANA time zone name, such as Europe/Berlin.",
    "Diese Zeitzone gibt es nicht. Ein Beispiel: Europe/Berlin.",
  ),
  say("Must be in the future.", "Muss in der Zukunft liegen."),
  say("Must not be in the future.", "Darf nicht in der Zukunft liegen."),
  say("Must be before expires_at.", "Muss vor dem Ablauf liegen."),
  say("Must be later than starts_at.", "Muss nach dem Beginn liegen."),
  say("Must be later than after.", "Muss nach dem Anfang liegen."),
  say("Must not be before `from`.", "Darf nicht vor dem Anfang liegen."),
  say("Too far from today.", "Zu weit von heute entfernt."),
  [/^Must be a date such as 2026-12-31/, "Geben Sie ein Datum an, etwa 2026-12-31."],
  say("`to` requires `from`.", "Zu einem Ende gehört ein Anfang."),
  say("Use either `interval`, or `from` and `to`.", "Geben Sie einen Zeitraum oder Anfang und Ende an, nicht beides."),
  say(
    "The range has more than * buckets of one *.",
    (most, step) =>
      `Der Zeitraum hat mehr als ${most} Abschnitte (${step}). Wählen Sie einen kürzeren oder gröbere Abschnitte.`,
  ),
  say("CSV holds one breakdown only.", "Eine CSV-Datei enthält nur eine Aufschlüsselung."),

  say("This is not a valid web address.", "Das ist keine gültige Webadresse."),
  say("The destination is empty.", "Geben Sie ein Ziel an."),
  say(
    "The destination contains an invisible or control character.",
    "Das Ziel enthält ein unsichtbares Zeichen oder ein Steuerzeichen.",
  ),
  say("The destination starts or ends with a space.", "Das Ziel beginnt oder endet mit einem Leerzeichen."),
  say(
    "The destination contains a backslash; write / or %5C.",
    "Das Ziel enthält einen Backslash. Schreiben Sie / oder %5C.",
  ),
  say(
    "Enter the full address, starting with https:// or http://.",
    "Geben Sie die ganze Adresse an, mit https:// oder http:// am Anfang.",
  ),
  say("The destination must start with https:// or http://.", "Das Ziel muss mit https:// oder http:// beginnen."),
  say("The host name after *:// is missing.", (scheme) => `Nach ${scheme}:// fehlt der Hostname.`),
  [
    /^The (?:destination|URL) must not contain a user name or password\.$/,
    "Die Adresse darf keinen Benutzernamen und kein Passwort enthalten.",
  ],
  say("The destination's host is too long.", "Der Hostname des Ziels ist zu lang."),
  say("`merge` needs a `name`.", "Zusammenführen braucht einen Namen."),
  say("The destination needs a host name, not an IP address.", "Das Ziel braucht einen Hostnamen, keine IP-Adresse."),
  say(
    "* is not the address of a single host.",
    (address) => `${address} ist nicht die Adresse eines einzelnen Rechners.`,
  ),
  [/^The (?:destination|URL)'s host is not a valid DNS name\.$/, "Der Hostname ist kein gültiger DNS-Name."],
  say("Visitors can't reach an .onion host.", "Besucher können .onion-Adressen nicht erreichen."),
  say(
    'The host "*" is private; visitors can\'t reach it.',
    (host) => `Der Host „${host}“ ist privat und für Besucher nicht erreichbar.`,
  ),
  say("Browsers refuse to open port *.", (port) => `Browser öffnen den Port ${port} nicht.`),
  say(
    "* is a link shortener; use the address it leads to.",
    (host) => `${host} ist selbst ein Kürzungsdienst. Geben Sie das eigentliche Ziel an.`,
  ),
  say("Must not lead to this service itself (*).", (host) => `Darf nicht zu diesem Dienst selbst führen (${host}).`),
  say(
    "The destination with its UTM parameters can have at most * bytes; this one has *.",
    (most, has) => `Das Ziel darf mit seinen UTM-Parametern höchstens ${most} Byte lang sein; dieses hat ${has}.`,
  ),
  say(
    "The host mixes look-alike letters from different scripts; in ASCII it is *.",
    (host) =>
      `Der Hostname mischt ähnlich aussehende Buchstaben aus verschiedenen Schriften; in ASCII lautet er ${host}.`,
  ),
  say(
    "Must be 1 to 64 letters, digits, hyphens or underscores, with a letter or digit at both ends.",
    "1 bis 64 Buchstaben, Ziffern, Binde- oder Unterstriche, mit einem Buchstaben oder einer Ziffer an beiden Enden.",
  ),
  say('"*" is reserved.', (slug) => `„${slug}“ ist reserviert.`),
  say('A tag can\'t be named "." or "..".', "Ein Tag kann nicht „.“ oder „..“ heißen."),
  say("A link can have at most * tags.", (most) => `Ein Link kann höchstens ${most} Tags haben.`),
  say("A link can have at most * pairs.", (most) => `Ein Link kann höchstens ${most} Paare haben.`),
  say("At most * pairs.", (most) => `Höchstens ${most} Paare.`),
  say("At most * operations can set a password.", (most) => `Höchstens ${most} Vorgänge können ein Passwort setzen.`),
  say("Version * isn't in the history.", (version) => `Version ${version} ist nicht im Verlauf.`),
  say("Set at least one UTM parameter.", "Geben Sie mindestens einen UTM-Parameter an."),
  say(
    "A link can have * shared reports. Revoke one first.",
    (most) => `Ein Link kann ${most} geteilte Berichte haben. Widerrufen Sie zuerst einen.`,
  ),
  say(
    "An account can have * UTM templates. Delete one first.",
    (most) => `Ein Konto kann ${most} UTM-Vorlagen haben. Löschen Sie zuerst eine.`,
  ),
  say(
    'There is no source "*". There are *.',
    (name, sources) => `Die Quelle „${name}“ gibt es nicht. Es gibt: ${sources}.`,
  ),
  say("* needs a token.", (source) => `${source} braucht ein Token.`),
  say("* needs a file.", (source) => `${source} braucht eine Datei.`),
  say(
    "\"*\" isn't one of the account's verified domains.",
    (domain) => `„${domain}“ ist keine bestätigte Domain des Kontos.`,
  ),
  say('There is no time zone "*".', (zone) => `Die Zeitzone „${zone}“ gibt es nicht.`),
  say(
    "An account can have * open imports, including those that are only checked. Finish or cancel one of them.",
    (most) =>
      `Ein Konto kann ${most} offene Importe haben, auch solche, die nur geprüft sind, zählen mit. Beenden Sie einen davon oder brechen Sie ihn ab.`,
  ),
  say("The next part begins at *.", (offset) => `Der nächste Teil beginnt bei ${offset}.`),
  say("A file can have at most 1 GiB.", "Eine Datei darf höchstens 1 GiB groß sein."),
  [
    /^That isn't possible now\. /,
    "Das geht gerade nicht: Der Import hat inzwischen einen anderen Stand. Laden Sie die Seite neu.",
  ],
  say(
    "`deleted` can't be combined with other states.",
    "Der Papierkorb lässt sich nicht mit anderen Zuständen kombinieren.",
  ),

  say("A rule needs either destination_url or split.", "Eine Regel braucht ein Ziel oder eine Aufteilung."),
  say('"*" is used twice.', (name) => `„${name}“ kommt zweimal vor.`),
  say(
    "Must be 1 to 32 lower-case letters, digits or hyphens, not starting with a hyphen.",
    "1 bis 32 Kleinbuchstaben, Ziffern oder Bindestriche, ohne Bindestrich am Anfang.",
  ),
  [
    /^No visitor has "(.+?)"\. Did you mean "(.+)"\?$/s,
    (value, word) => `„${value}“ hat kein Besucher. Meinten Sie „${word}“?`,
  ],
  [
    /^No visitor has "(.+?)"\. There are: (.+)\.$/s,
    (value, words) => `„${value}“ hat kein Besucher. Es gibt: ${words}.`,
  ],
  [
    /^No visitor has "(.+?)"\. Use two-letter codes/s,
    (value) => `„${value}“ hat kein Besucher. Verwenden Sie Codes aus zwei Großbuchstaben, etwa DE.`,
  ],
  [
    /^No visitor has "(.+?)"\. Use codes in lower case/s,
    (value) => `„${value}“ hat kein Besucher. Verwenden Sie Codes in Kleinbuchstaben ohne Region, etwa de.`,
  ],
  [
    /^No visitor has "(.+?)"\. Use host names/s,
    (value) => `„${value}“ hat kein Besucher. Verwenden Sie Hostnamen in Kleinbuchstaben, etwa example.com.`,
  ],
  [
    /^Give (?:after, before or both|either after and before), or days and hours/,
    "Geben Sie einen Zeitraum an, oder Tage und Uhrzeiten mit ihrer Zeitzone.",
  ],
  say(
    "Days and hours need a time zone, such as Europe/Berlin.",
    "Tage und Uhrzeiten brauchen eine Zeitzone, etwa Europe/Berlin.",
  ),
  say("Give at least one parameter, or leave out query.", "Geben Sie mindestens einen Parameter an."),
  say("Give at least one condition, or leave out not.", condition),
  say(
    "Give at least one condition, or leave out when: the rule then always decides.",
    `${condition} Ohne Bedingungen gilt die Regel immer.`,
  ),
  say("Must be a two-letter country code, such as DE.", "Geben Sie einen Ländercode aus zwei Buchstaben an, etwa DE."),
  say(
    "Must be a language tag, such as de or de-AT, or an Accept-Language header.",
    "Geben Sie eine Sprache an, etwa de oder de-AT.",
  ),
  say(
    "Must be a URL or host name, such as example.com.",
    "Geben Sie eine Adresse oder einen Hostnamen an, etwa example.com.",
  ),
  say("Must be percent-encoded.", "Sonderzeichen müssen prozentkodiert sein."),
  say(
    "Must begin with a slash and be percent-encoded.",
    "Muss mit einem Schrägstrich beginnen; Sonderzeichen müssen prozentkodiert sein.",
  ),

  say("Use a host name, not an IP address.", "Geben Sie einen Hostnamen an, keine IP-Adresse."),
  say("Leave out the scheme and the port: only the host name.", "Nur der Hostname, ohne https:// und ohne Port."),
  say("Use a host name, such as go.example.com.", hostName),
  say("Use at most * characters.", (most) => `Zu lang: höchstens ${most} Zeichen.`),
  say("This is the instance's own host.", "Das ist der eigene Host dieses Servers."),
  say(
    "* is a public suffix: add a name below it.",
    (name) => `${name} ist eine öffentliche Endung. Fügen Sie einen Namen darunter hinzu.`,
  ),
  say("Needs at least one of: *.", (parts) => `Braucht mindestens eines von: ${parts}.`),

  say("Choose at least one event.", "Wählen Sie mindestens ein Ereignis."),
  say(
    'There is no event "*"; did you mean *?',
    (event, nearest) => `Das Ereignis „${event}“ gibt es nicht. Meinten Sie ${nearest}?`,
  ),
  say(
    'There is no event "*"; available events: *.',
    (event, events) => `Das Ereignis „${event}“ gibt es nicht. Es gibt: ${events}.`,
  ),
  say("Use 1 to 255 characters, without control characters.", "1 bis 255 Zeichen, ohne Steuerzeichen."),
  say("The URL is longer than * bytes.", (most) => `Die Adresse ist länger als ${most} Byte.`),
  say(
    "The URL contains a space, a backslash or an invisible character.",
    "Die Adresse enthält ein Leerzeichen, einen Backslash oder ein unsichtbares Zeichen.",
  ),
  say("Enter the full URL, starting with https://.", "Geben Sie die ganze Adresse an, mit https:// am Anfang."),
  say("The URL must start with https://.", "Die Adresse muss mit https:// beginnen."),
  say("This is not a valid URL.", "Das ist keine gültige Adresse."),
  say(
    "The host's IP address is not allowed because it isn't public.",
    "Diese IP-Adresse ist nicht erlaubt, weil sie nicht öffentlich ist.",
  ),
  say('The host "*" belongs to a private network.', (host) => `Der Host „${host}“ gehört zu einem privaten Netz.`),
  say(
    "Port * belongs to another protocol and is not allowed.",
    (port) => `Der Port ${port} gehört zu einem anderen Protokoll und ist nicht erlaubt.`,
  ),

  say("Must be six hexadecimal digits, such as 1a2b3c.", "Sechs hexadezimale Ziffern, etwa 1a2b3c."),
  say(
    "The color is lighter than the background. Use a darker color with a contrast of at least *.",
    (least) =>
      `Die Farbe ist heller als der Hintergrund. Wählen Sie eine dunklere mit einem Kontrast von mindestens ${least}.`,
  ),
  say(
    "The contrast is only *. Use a darker color with a contrast of at least *.",
    (has, least) =>
      `Der Kontrast ist nur ${has}. Wählen Sie eine dunklere Farbe mit einem Kontrast von mindestens ${least}.`,
  ),
  say("The account has no logo.", "Das Konto hat kein Logo."),
  say(
    "Too small for this code and its margin. Use at least *.",
    (least) => `Zu klein für diesen Code und seinen Rand. Mindestens ${least}.`,
  ),
  say("The URL is too long for a code with a logo.", "Die Adresse ist zu lang für einen Code mit Logo."),
  say(
    "This level leaves no room for a logo. Omit it to use one that does.",
    "Diese Fehlerkorrektur lässt keinen Platz für ein Logo.",
  ),
  say("The logo is larger than * KiB.", (most) => `Das Logo ist größer als ${most} KiB.`),
  say(
    "The logo is larger than * × * pixels.",
    (width, height) => `Das Logo ist größer als ${width} × ${height} Pixel.`,
  ),
  say("The logo must be a PNG file.", "Das Logo muss eine PNG-Datei sein."),
  say("The logo must have at least 8 bits per channel.", "Das Logo muss mindestens 8 Bit pro Kanal haben."),
  say("The logo is damaged or not a readable PNG.", "Das Logo ist beschädigt oder keine lesbare PNG-Datei."),

  say("Give the account a name.", "Geben Sie dem Konto einen Namen."),
  say(
    "The password must have * to * characters; this one has *.",
    (least, most, has) => `Das Passwort muss ${least} bis ${most} Zeichen haben; dieses hat ${has}.`,
  ),
  say("The password is too common; choose another one.", "Dieses Passwort ist zu verbreitet. Wählen Sie ein anderes."),
  say(
    "The password is little more than the e-mail address or the name of this service; choose another one.",
    "Das Passwort besteht fast nur aus der E-Mail-Adresse oder dem Namen dieses Dienstes. Wählen Sie ein anderes.",
  ),
  say(
    "This code is wrong. The server printed the right one when it started.",
    "Dieser Code ist falsch. Der Server hat den richtigen beim Start ausgegeben.",
  ),
  say("Enter a code from your authenticator app, too.", "Geben Sie auch einen Code aus Ihrer Authenticator-App ein."),
  say("This isn't the code the app shows right now.", "Das ist nicht der Code, den die App gerade anzeigt."),
  say("This isn't your current password.", "Das ist nicht Ihr aktuelles Passwort."),
  say("This is already your e-mail address.", "Das ist schon Ihre E-Mail-Adresse."),
  say(
    "This address has no user, and new users can't sign up on this server (KURZ_SIGNUP).",
    "Zu dieser Adresse gibt es keinen Benutzer, und neue können sich auf diesem Server nicht registrieren (KURZ_SIGNUP).",
  ),
];

/** What the server says about a field, in German; nothing if nobody translated it. */
export const germanOf = (message: string): string | undefined => translate(phrases, message);

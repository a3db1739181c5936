import { storedFields } from "#engines/clicks/click-format.ts";

/** `PRIVACY.md`, from the same list as the journal and the engine. */
export function privacyPage(): string {
  const rows = storedFields.map(
    ({ name, description, retention }) => `| \`${name}\` | ${description} | ${retention} |`,
  );
  return `# Privacy

What Kurz stores about people who open short links. This page is generated from the code.

- Kurz sets no cookies and stores nothing on a visitor's device.
- **Network addresses and user agents are never written to disk or to a log.** They are in the redirect process's memory
  while a click is classified; user agents are cached there for an hour at most.
- Visitors are only distinguished within one account and one UTC day, by eight bytes of a keyed hash. Its key is random,
  changes every day, is left out of backups, and is overwritten 12 hours after the day ends, or at the next start if the
  server is stopped then. After that, nobody can compute the hash again.
- With \`Sec-GPC: 1\` or \`DNT: 1\` the click is counted, but hash, referrer, browser, operating system and
  the rule that decided aren't stored.
- The API log has no addresses unless the operator sets \`KURZ_LOG_CLIENT_IP=on\`.

## Stored with each click

| column | what it is | how long |
|---|---|---|
${rows.join("\n")}

Operators can change the 400 days with \`KURZ_CLICK_RETENTION_DAYS\`. All of it is erased with the link.

Damaged parts of the journal are moved to \`data/journal/quarantine\` with all columns above, and stay there until the
operator removes them. Backups contain the clicks there were when they were taken.

If an account has a webhook endpoint for \`link.clicked\`, clicks by people are also sent there: time, country, referrer,
device, browser, operating system, source, rule and link, without the visitor hash. These messages are kept for 30 days, so
they can be resent.

## About accounts

**Users**: name, e-mail address and a password hash (Argon2id); the public keys of their passkeys; their authenticator
app's secret, encrypted.

**Sessions** have no network address, and of the user agent only as much as "Firefox on Linux". They are deleted when
they end.

**The audit log** never has a network address. It has:

- sign-ins with that description of the browser, and changes to tokens, webhooks, members, plans, blocks and suspensions
- refused sign-ins for 90 days, without what was typed
- for 400 days, who changed which link, by which token or person, and the names of the changed fields, not their values

An account's entries are erased with the account.

**Invitations**: the invited person's e-mail address is kept until the invitation ends, and in the account's audit log.

**Cookies**: people who sign in get two, besides short-lived ones during sign-in. One is their session. The other lets
the console recognise the browser at the next sign-in, so strangers who guess at a password don't lock its owner out. It
contains a random number, an expiry after 180 days and a signature, and doesn't reveal who it belongs to. It is only
sent to \`/console\` and stays after signing out; deleting it does no harm. Anyone who chooses a language for the console,
signed in or not, gets one more, \`kurz-language\`: it contains nothing but the language, and ends after a year.

The number of failed sign-ins from a network address is only kept in memory; with several nodes also in Redis, under a
keyed hash, until it no longer counts.

## Imported and exported clicks

Clicks that an account brings from another service are counts, by link and day or hour, and by what that service knows of
the above. An export of an account has its clicks as counts per 15 minutes. Visitors of one UTC day can be told apart in
it, by numbers that are random in each export and lead to no visitor; where it is imported, they are kept as long as
those of clicks.

## Shared reports

An account can show the report of a link to anyone who has its address ([what they see](docs/sharing.md)): counts, never
single clicks or visitors. People who open it get no cookies and aren't counted. If the report has a password, their tab
remembers until it is closed that they entered it.

## What Kurz asks other sites

For the console, the server asks the sites that links lead to for their icon, and a page for its title while someone
creates a link to it. Browsers of visitors and members don't: a site sees the server's network address, no cookies, and
neither who asked nor who opens the link. For an icon only the site's front page is requested, never the destination
itself. Icons are kept in memory for a week, titles not at all unless someone saves them. \`KURZ_PAGE_LOOKUPS=off\` turns
all of it off ([more](docs/console.md#icons-and-titles)).

## Erasure

- **Deleting a link** moves it to the trash, where its account can restore it for 30 days. After that, or at once if it
  is deleted for good, it is overwritten in the records. Their write-ahead log may contain it until that part of the log
  is reused or the server stops. Its clicks disappear from all reports within seconds and from the disk within a day, as do
  its words in the search index. Stored responses to API calls with an \`Idempotency-Key\` are kept for a day, and webhook
  messages about the link for 30 days, as they were sent.
- **Deleting an account** stops it at once. Its links, clicks, tokens, webhooks with their logs, stored responses and
  audit log are then erased in the background, within seconds to minutes. A stopping server waits a few seconds for that
  and continues at the next start. After the erasure and the next stop of the server, no file in the data directory
  contains a title, destination, e-mail address or name of the account. (SQLite may keep a few copies in unused parts of
  its file, so the file is rewritten when the server stops.) The account's people stay users until they are deleted
  themselves.
- **People** delete themselves in the console, or the operator deletes them (\`kurz users delete\`), along with their
  credentials, sessions and memberships. Audit logs keep their id, which no longer leads to anyone; their name and
  e-mail address are removed. The same applies to an e-mail address that someone has replaced.

With PostgreSQL, ClickHouse and Redis, what is deleted disappears from all answers just as soon, but when it leaves the
disk is up to the servers:

- **PostgreSQL** removes deleted rows when it vacuums. Its write-ahead log, replicas that lag, and archives of the log
  have them for as long as you keep those.
- **ClickHouse** rewrites what contains clicks of erased links and accounts. The old files are removed
  within minutes, or, on a copy that is away, once it is back.
- **Redis** keeps nothing for longer than two days; run it without persistence, or salts of past days stay in its files.
- **Each node** keeps the links it has looked up in \`snapshots/\`, for as long as PostgreSQL may be away, until they change
  or are deleted.

What stays: slugs of deleted links, so nobody can take them over; the fact that an account or user with a certain id was
deleted, by whom and when; the sequence numbers of erased links and accounts, so late clicks aren't counted again. Not
changed: backups (delete those older than the erasure), journal segments in quarantine, and whatever your reverse proxy
or log collector keeps.
`;
}

import { clickColumns } from "./click-columns.ts";

/** `PRIVACY.md`, from the same list that journal and engine are made from. */
export function privacyPage(): string {
  const rows = clickColumns.map(
    ({ name, description, retention }) => `| \`${name}\` | ${description} | ${retention} |`,
  );
  return `# Privacy

What Kurz keeps about people who open short links. This page is generated from the code.

- No cookie is set and nothing is stored on a visitor's device.
- **The network address and the user agent are never written down**, neither to disk nor to a log. They are held in the
  memory of the redirect process while a click is classified; user agents are remembered there for an hour at most.
- Visitors are told apart within one account and one UTC day only, by eight bytes of a keyed hash. Its key is random, is
  made anew each day, is left out of backups, and is overwritten 12 hours after the day has ended, or at the next start
  of a server that is stopped then: from then on nobody can compute the hash again.
- With \`Sec-GPC: 1\` or \`DNT: 1\` the click is counted, but hash, referrer, browser and operating system are not
  stored.
- The API log holds no addresses unless the operator sets \`KURZ_LOG_CLIENT_IP=on\`.

## Stored with each click

| column | what it holds | how long |
|---|---|---|
${rows.join("\n")}

A part of the journal that was found damaged is put aside in \`data/journal/quarantine\` with all columns above, and stays
there until the operator removes it. Backups hold the clicks of the moment they were taken.

Where an account has a webhook endpoint for \`link.clicked\`, its clicks by people are also sent there: time, country,
referrer, device, browser, operating system, source and link, without the visitor hash. These messages are kept for 30
days, so that they can be sent again.

## About accounts

Name, e-mail address and a password hash (Argon2id) of each user; the public keys of their passkeys; the secret of their
authenticator app, encrypted. A session keeps no address, and of the user agent only what "Firefox on Linux" says; it is
deleted when it has ended. The audit log holds sign-ins with that description of the browser, and changes to tokens,
webhooks, members, plans, blocks and suspensions; refused sign-ins are kept for 90 days, without what was typed. For 400
days it also holds who changed which link, by which token or person, and the names of the fields, not their values. It
never holds a network address. An account's entries are erased with the account. The address of someone who is invited is
kept until the invitation has ended, and in the account's audit log.

People who sign in get two cookies, beside short-lived ones of the sign-in itself. One is their session. The other lets
the console recognize the browser at the next sign-in, so that strangers who guess at a password don't lock its owner
out: a random number, an end after 180 days and a signature, from which nobody can read who it was. It is sent to
\`/console\` only and stays after signing out; deleting it does no harm. How often sign-ins failed from a network address
is held in memory only.

## Erasure

- **A link** that is deleted is overwritten in the records; their write-ahead log may hold it until that part of the log is
  used again, or the server stops. Its clicks leave all reports within seconds
  and the disk within a day, as do its words in the search index. Stored answers to API calls that named an
  \`Idempotency-Key\` are kept for a day, and webhook messages about the link for 30 days, as they were sent.
- **An account** that is deleted stops working at once. Its links, clicks, tokens, webhooks with their logs, stored answers
  and audit log are then erased in the background, seconds to minutes later; a stop waits a few seconds for it, and what is
  left goes on at the next start. After that and the next stop of the server, no file in the data directory holds a title,
  destination, e-mail address or name of the account: SQLite may keep a few copies in unused parts of its file, so the file
  is rewritten when the server stops. The people in it stay users until they are deleted themselves.
- **People** delete themselves in the console, or the operator does (\`kurz users delete\`), with their credentials,
  sessions and memberships. Audit logs keep their id, which no longer leads to anyone; their name and e-mail address are
  removed from them. The same holds for an e-mail address that someone has replaced by another.

What stays: the slug of a deleted link, so that nobody can take it over; that an account or a user with some id was deleted,
by whom and when; the running numbers of erased links and accounts, so that late clicks are not counted again. Backups are
not changed: delete those that are older than what was to be erased. Neither are journal segments in quarantine, and what
your reverse proxy or log collector keeps.
`;
}

import type { LostDomain } from "#domains/domain-checks.ts";
import type { Mail } from "#mail/mailer.ts";
import { lossReasons, lossRemedies } from "#shared/lost-domain.ts";

export const passwordMail = (email: string, url: string): Mail => ({
  to: email,
  subject: "Set a new password",
  text: `Someone, probably you, asked for a new password for ${email}.

Set it here within one hour:
${url}

If it wasn't you, ignore this mail: your password stays the same.
`,
});

export const confirmEmailMail = (email: string, url: string): Mail => ({
  to: email,
  subject: "Confirm your new e-mail address",
  text: `Someone, probably you, wants to sign in with ${email} from now on.

Confirm the address here within one hour:
${url}

If it wasn't you, ignore this mail: nothing changes.
`,
});

export const emailChangedMail = (email: string): Mail => ({
  to: email,
  subject: "Your e-mail address was changed",
  text: `You no longer sign in with ${email}: the e-mail address was changed, and every other session has ended.

If it wasn't you, contact the people who run this service right away.
`,
});

export const invitationMail = ({
  email,
  accountName,
  url,
}: {
  email: string;
  accountName: string;
  url: string;
}): Mail => ({
  to: email,
  subject: `You're invited to ${accountName}`,
  text: `You're invited to work on ${accountName}'s short links.

Join here within seven days:
${url}

If you weren't expecting this, ignore this mail.
`,
});

const switchedOffReasons = {
  failing: "It hasn't accepted anything we sent in the last five days.",
  gone: "It responded that it is gone for good (410).",
} as const;

export const endpointOffMail = ({
  email,
  accountName,
  host,
  reason,
  url,
}: {
  email: string;
  accountName: string;
  host: string;
  reason: keyof typeof switchedOffReasons;
  url: string;
}): Mail => ({
  to: email,
  subject: `A webhook endpoint of ${accountName} was turned off`,
  text: `The webhook endpoint at ${host} no longer receives events. ${switchedOffReasons[reason]}

We keep its events for seven days. See its responses and turn it back on here:
${url}
`,
});

export const domainLostMail = ({
  email,
  accountName,
  name,
  by,
}: {
  email: string;
  accountName: string;
  name: string;
  by: LostDomain["by"];
}): Mail => ({
  to: email,
  subject: `${accountName} no longer holds ${name}`,
  text: `${lossReasons(name)[by]} The short links of ${accountName} on this domain now return 404.

${lossRemedies(name)[by]}
`,
});

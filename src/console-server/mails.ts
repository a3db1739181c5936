import type { Mail } from "#mail/mailer.ts";

export const passwordMail = (email: string, url: string): Mail => ({
  to: email,
  subject: "Set a new password",
  text: `Someone, probably you, asked for a new password for ${email}.

Set it here within one hour:
${url}

If it was not you, do nothing: the old password goes on working.
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
  subject: `You are invited to ${accountName}`,
  text: `You are invited to work on the short links of ${accountName}.

Join here within seven days:
${url}

If you do not know what this is about, do nothing.
`,
});

const switchedOffReasons = {
  failing: "Nothing that we sent to it in the last five days has been accepted.",
  gone: "It answered that it is gone for good (410).",
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
  subject: `A webhook endpoint of ${accountName} was switched off`,
  text: `The webhook endpoint at ${host} gets no more events. ${switchedOffReasons[reason]}

Events are kept for it for seven days. See what was answered, and switch it on again, here:
${url}
`,
});

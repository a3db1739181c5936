import type { PageTexts } from "./page-texts.ts";

export const en: PageTexts = {
  notFound: {
    title: "This link does not exist",
    text: "Check the address for typos, or ask the person who gave it to you.",
  },
  gone: {
    title: "This link is no longer available",
    text: "It has expired or was removed. Ask the person who gave it to you for a new one.",
  },
  tooManyMisses: {
    title: "Too many unknown links",
    text: "Your network has asked for many links that don’t exist. Please wait a minute and try again.",
  },
  tooManyRequests: {
    title: "Too many requests",
    text: "Your network has sent too many requests. Please wait a minute and try again.",
  },
  tooManyPasswords: {
    title: "Too many wrong passwords",
    text: "Please wait a few minutes, then try again.",
  },
  password: {
    title: "This link has a password",
    text: "Enter the password you got with the link.",
    label: "Password",
    submit: "Continue",
    wrong: "That password isn’t right.",
  },
  limited: {
    title: "This link opens a limited number of times",
    text: "Previews and bots only see this page, so they don’t use one up.",
    open: "Open the link",
  },
  unavailable: {
    title: "Back in a moment",
    text: "We can’t show this page right now. Please try again in a few seconds.",
  },
  methodNotAllowed: {
    title: "This address can only be opened",
    text: "Short links don’t support this kind of request.",
  },
  targetTooLong: {
    title: "This address is too long",
    text: "Short links support addresses of up to {max} characters.",
  },
  internalError: { title: "Something went wrong on our side", text: "Please try again in a moment." },
  blocked: {
    title: "This link is blocked",
    reasons: {
      malware: "It was reported for leading to malware.",
      phishing:
        "It was reported for phishing: the page behind it imitates another one to steal passwords or personal data.",
      spam: "It was reported for spam.",
      legal: "It was blocked for legal reasons.",
      manual: "It was blocked by the operator of this service.",
      suspended: "Its account is suspended.",
    },
    notForwarded: "To keep you safe, we didn’t redirect you.",
    mistake: "Think this is a mistake? Write to",
    subject: "Blocked link on {site}",
  },
  preview: {
    title: "Preview of {link}",
    heading: "Where this link leads",
    leadsTo: "The short link {link} leads to",
    destination: "Destination",
    lookAlike:
      "Careful: the site’s name contains letters that look like others, so we show it in its technical form (xn--…). It may imitate another site.",
    varies: "This link has rules: other visitors, or you at another time, may be taken somewhere else.",
    proceed: "Continue",
    wrong: "Is something wrong with this link? Report it to",
    subject: "Report of {link}",
    demo: {
      title: "Demo: no redirect",
      text: "Outside the demo, visitors are redirected right away.",
    },
  },
};

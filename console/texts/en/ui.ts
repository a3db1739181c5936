/** Parts that most pages have. */
export const uiTexts = {
  cancel: "Cancel",
  close: "Close",
  confirm: "Confirm",
  copy: "Copy",
  copied: "Copied",
  copiedWhat: (label: string) => `${label}: copied`,
  copyWhat: (what: string) => `Copy ${what}`,
  /** Of something whose label is a heading of its own. */
  copyLabelled: (label: string) => `Copy ${label.replace(/^[A-Z](?=[a-z-])/, (letter) => letter.toLowerCase())}`,
  copyBlocked: "Your browser blocked copying. Select the text instead.",
  dismiss: "Dismiss",
  undo: "Undo",
  notices: "Notices",
  loading: "Loading",
  notLoaded: "This could not be loaded",
  wentWrong: "Something went wrong.",
  tryAgain: "Try again",
  showMore: "Show more",
  typeToConfirm: (text: string) => `Type “${text}” to confirm`,
  justNow: "just now",
  inAMoment: "in a moment",
  /** As it is printed on keyboards. */
  controlKey: "Ctrl",
  usedOf: (used: string, limit: string) => `${used} of ${limit}`,
  usedWithoutLimit: (used: string) => `${used} · no limit`,
  lookAlike:
    "The site’s name contains letters that look like others, so it’s shown in its technical form (xn--…). It may imitate another site.",
};

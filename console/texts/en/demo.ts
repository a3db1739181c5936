export const demoTexts = {
  enterTitle: "Try Kurz",
  enterNote: (time: string) =>
    `A fictional garden shop with a year of clicks. Change whatever you like: everything resets at ${time}.`,
  enter: "Enter the demo",
  backTitle: "Fresh as new",
  backNote:
    "The demo has just been reset, as it is every hour. You’re back where you left off, with all the sample data restored.",
  continue: "Continue",
  credentials: "API token and credentials",
  token: "API token",
  sharedToken: "The demo’s token",
  noImports: "You can’t import in the demo, because everyone shares this account.",
  noTokens: "You can’t create tokens in the demo, because everyone shares this account. Use this one:",
  email: "E-mail",
  password: "Password",

  about: "About this demo",
  demo: "Demo",
  resetting: "resetting…",
  resetsInMinutes: (minutes: number) => `resets in ${minutes} min`,
  resetsInHours: (hours: number) => `resets in ${hours} h`,
  fictional: "Everything here is fictional",
  note: (time: string) =>
    `Create, change and delete what you like. At ${time} it all goes back to how it was, and you can enter again with one click. Short links show where they lead instead of redirecting.`,

  takeTour: "Take the tour",
  tour: "Tour of the demo",
  endTour: "End the tour",
  step: (step: number, steps: number) => `Step ${step} of ${steps}`,
  back: "Back",
  next: "Next",
  done: "Done",
  steps: {
    list: {
      title: "Every link in one place",
      text: "Search, filter and sort them. Click a row to edit a link, or its clicks to open its report.",
    },
    create: {
      title: "Create one in seconds",
      text: "Paste a long address anywhere on this page, or use the button. QR code, expiry, password and rules are there when you need them.",
    },
    reports: {
      title: "See what works",
      text: "Countries, referrers, devices and campaigns, compared with the time before. Click anything to filter by it.",
    },
    api: {
      title: "Automate the rest",
      text: "Everything you see has an API, with webhooks and a typed client. The demo’s token, on this page, works right away.",
    },
  },
};

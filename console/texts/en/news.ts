export const newsTexts = {
  title: "What’s new",
  version: (version: string) => `This server runs Kurz ${version}.`,
  /** What people notice; the whole list is in CHANGELOG.md. */
  entries: {
    moving: {
      title: "Bring your links, and their clicks",
      text: "Import from Bitly, Dub, Kutt, Shlink, YOURLS, a CSV file or another Kurz in the settings, after a dry run.",
    },
    history: {
      title: "Back to yesterday’s version",
      text: "A link’s history shows who changed what, and reverts to any version.",
    },
    sharing: {
      title: "Reports for everyone",
      text: "Share a link’s report with people who have no account, with a password and an end if you like.",
    },
    audit: {
      title: "Who paused this?",
      text: "The audit log shows link changes, with filters for people, tokens and actions.",
    },
    palette: {
      title: "Everything from one box",
      text: "The command palette finds every page, action and link, by the words you use for them.",
    },
    qr: {
      title: "QR codes that count",
      text: "Scans are tracked separately by default, designs are remembered, and the console says how well a code will scan.",
    },
    health: {
      title: "Webhook health at a glance",
      text: "Each endpoint shows its last twenty deliveries, and the log says what each was about.",
    },
    offline: {
      title: "Works on the train",
      text: "The console stays on screen while you’re offline and goes on when the connection is back.",
    },
  },
};

import { NEWEST_NEWS } from "./news-seen.ts";

/** What people notice, newest first; the whole list is in CHANGELOG.md. */
export const whatsNew: readonly { readonly id: string; readonly title: string; readonly text: string }[] = [
  {
    id: NEWEST_NEWS,
    title: "Who paused this?",
    text: "The audit log shows link changes, with filters for people, tokens and actions.",
  },
  {
    id: "2026-11-palette",
    title: "Everything from one box",
    text: "The command palette finds every page, action and link, by the words you use for them.",
  },
  {
    id: "2026-11-qr",
    title: "QR codes that count",
    text: "Scans are tracked separately by default, designs are remembered, and the console says how well a code will scan.",
  },
  {
    id: "2026-11-health",
    title: "Webhook health at a glance",
    text: "Each endpoint shows its last twenty deliveries, and the log says what each was about.",
  },
  {
    id: "2026-11-offline",
    title: "Works on the train",
    text: "The console stays on screen while you’re offline and goes on when the connection is back.",
  },
];

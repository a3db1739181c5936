import { newsTexts } from "#texts/news.ts";
import { NEWEST_NEWS } from "./news-seen.ts";

const { entries } = newsTexts;

interface News {
  readonly id: string;
  readonly entry: { readonly title: string; readonly text: string };
}

/** Newest first. */
export const whatsNew: readonly News[] = [
  { id: NEWEST_NEWS, entry: entries.moving },
  { id: "2026-11-history", entry: entries.history },
  { id: "2026-11-sharing", entry: entries.sharing },
  { id: "2026-11-audit", entry: entries.audit },
  { id: "2026-11-palette", entry: entries.palette },
  { id: "2026-11-qr", entry: entries.qr },
  { id: "2026-11-health", entry: entries.health },
  { id: "2026-11-offline", entry: entries.offline },
];

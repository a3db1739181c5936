import { getAccountAnalytics, getLinkAnalytics } from "./analytics.ts";
import type { Endpoint } from "./endpoint.ts";
import { getIdentity } from "./identity.ts";
import {
  archiveLink,
  createLink,
  deleteLink,
  getLink,
  listLinks,
  pauseLink,
  resumeLink,
  unarchiveLink,
  updateLink,
} from "./links.ts";
import { getLinkQr } from "./qr.ts";

export const endpoints = [
  getIdentity,
  listLinks,
  createLink,
  getLink,
  updateLink,
  deleteLink,
  pauseLink,
  resumeLink,
  archiveLink,
  unarchiveLink,
  getLinkAnalytics,
  getAccountAnalytics,
  getLinkQr,
] as const satisfies readonly Endpoint[];

/** Declared, but not answered by this release: neither mounted nor published. */
const unreleasedIds: ReadonlySet<string> = new Set(["links.qr"]);

export const releasedEndpoints: readonly Endpoint[] = endpoints.filter(({ id }) => !unreleasedIds.has(id));
export const unreleasedEndpoints: readonly Endpoint[] = endpoints.filter(({ id }) => unreleasedIds.has(id));

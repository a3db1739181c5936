import { exportAccount } from "./account-export.ts";
import { getAccountAnalytics, getLinkAnalytics } from "./analytics.ts";
import { listClicks } from "./clicks.ts";
import { createDomain, deleteDomain, getDomain, listDomains, updateDomain, verifyDomain } from "./domains.ts";
import type { Endpoint } from "./endpoint.ts";
import { getIdentity } from "./identity.ts";
import { bulkLinks } from "./link-bulk.ts";
import { exportLinks } from "./link-export.ts";
import { getLinkHistory, revertLink } from "./link-history.ts";
import { upsertLink } from "./link-upsert.ts";
import {
  archiveLink,
  changeLinkTags,
  countLinks,
  createLink,
  deleteLink,
  getLink,
  listLinks,
  pauseLink,
  restoreLink,
  resumeLink,
  unarchiveLink,
  updateLink,
} from "./links.ts";
import { getLinkQr } from "./qr.ts";
import { resolveLink } from "./resolve.ts";
import { listLinkShares, listShares, revokeShare, shareLink } from "./shares.ts";
import { deleteTag, getTag, listTags, updateTag } from "./tags.ts";
import { createApiToken, listApiTokens, revokeApiToken } from "./tokens.ts";
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  disableWebhookEndpoint,
  enableWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookEndpoints,
  rotateWebhookSecret,
  testWebhookEndpoint,
  updateWebhookEndpoint,
} from "./webhook-endpoints.ts";

export const endpoints = [
  getIdentity,
  listLinks,
  countLinks,
  exportLinks,
  createLink,
  getLink,
  updateLink,
  changeLinkTags,
  deleteLink,
  pauseLink,
  resumeLink,
  archiveLink,
  unarchiveLink,
  restoreLink,
  getLinkHistory,
  revertLink,
  upsertLink,
  bulkLinks,
  resolveLink,
  getLinkAnalytics,
  getAccountAnalytics,
  listClicks,
  shareLink,
  listLinkShares,
  listShares,
  revokeShare,
  getLinkQr,
  listTags,
  getTag,
  updateTag,
  deleteTag,
  listDomains,
  createDomain,
  getDomain,
  updateDomain,
  deleteDomain,
  verifyDomain,
  listWebhookEndpoints,
  createWebhookEndpoint,
  getWebhookEndpoint,
  updateWebhookEndpoint,
  deleteWebhookEndpoint,
  enableWebhookEndpoint,
  disableWebhookEndpoint,
  rotateWebhookSecret,
  testWebhookEndpoint,
  listApiTokens,
  createApiToken,
  revokeApiToken,
  exportAccount,
] as const satisfies readonly Endpoint[];

/** The endpoints this release serves and documents: all of them. */
export const releasedEndpoints: readonly Endpoint[] = endpoints;

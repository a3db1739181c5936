import type { Scope } from "#contract/scopes.ts";

/** What each permission of a token means, in plain words. */
export const scopeTexts: Readonly<Record<Scope, { readonly label: string; readonly note: string }>> = {
  "links:read": { label: "Read links", note: "List, search and view links." },
  "links:write": { label: "Change links", note: "Create, edit, pause, archive and delete links." },
  "analytics:read": { label: "Read reports", note: "Clicks by time, country, referrer, device and more." },
  "domains:read": { label: "Read domains", note: "List and view your domains." },
  "domains:write": { label: "Change domains", note: "Add, verify, edit and remove domains." },
  "webhooks:read": { label: "Read webhook endpoints", note: "Where events are sent, without secrets." },
  "webhooks:write": {
    label: "Change webhook endpoints",
    note: "Send events of what it can read elsewhere, and replace signing secrets.",
  },
  "tokens:write": {
    label: "Manage API tokens",
    note: "List, create and revoke tokens. New ones can do no more than this one.",
  },
  "qr:read": { label: "Generate QR codes", note: "Images of short links." },
};

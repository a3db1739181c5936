import type { Scope } from "#contract/scopes.ts";

/** What each permission of a token means, in plain words. */
export const scopeTexts: Readonly<Record<Scope, { readonly label: string; readonly note: string }>> = {
  "links:read": { label: "Read links", note: "List, search and view links." },
  "links:write": { label: "Change links", note: "Create, edit, pause, archive and delete links." },
  "analytics:read": { label: "Read reports", note: "Clicks by time, country, referrer, device and more." },
  "domains:read": { label: "Read domains", note: "List and view your domains." },
  "domains:write": { label: "Change domains", note: "Add, verify, edit and remove domains." },
  "qr:read": { label: "Generate QR codes", note: "Images of short links." },
};

import type { Domain, DomainPatch } from "#contract/domain-record.ts";
import { domainTexts as texts } from "#texts/domains.ts";

type AppLinks = Domain["app_links"];
export type AppDocument = keyof AppLinks;

export const appDocuments: readonly {
  readonly name: AppDocument;
  readonly path: string;
  readonly example: string;
}[] = [
  {
    name: "apple_app_site_association",
    path: "/.well-known/apple-app-site-association",
    example: '{ "applinks": { "details": [{ "appIDs": ["TEAM.com.example.app"], "components": [{ "/": "*" }] }] } }',
  },
  {
    name: "assetlinks",
    path: "/.well-known/assetlinks.json",
    example:
      '[{ "relation": ["delegate_permission/common.handle_all_urls"], "target": { "namespace": "android_app" } }]',
  },
];

/** As people edit it; nothing for a document that isn't there. */
export const writeDocument = (document: unknown): string =>
  document === null ? "" : JSON.stringify(document, null, 2);

export type ReadDocument = { readonly value: unknown } | { readonly problem: string };

/** What was typed as a document, or why it is none. */
export function readDocument(text: string): ReadDocument {
  if (text.trim() === "") return { value: null };
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: texts.apps.notJson(error instanceof Error ? error.message : String(error)) };
  }
}

export const isSameDocument = (text: string, stored: unknown): boolean => {
  const read = readDocument(text);
  return "value" in read && JSON.stringify(read.value) === JSON.stringify(stored);
};

/** The documents that changed. Their outline is checked by the server, as for everyone. */
export const toAppLinks = (documents: readonly (readonly [AppDocument, unknown])[]): DomainPatch =>
  ({ app_links: Object.fromEntries(documents) }) as DomainPatch;

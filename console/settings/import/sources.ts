import type { z } from "zod";
import type { listImports } from "#contract/console/imports.ts";
import { importTexts as texts } from "#texts/imports.ts";

export type Source = z.output<typeof listImports.response>["sources"][number];

/** Names of services are the same in all languages. */
export const titleOf = ({ name, title }: Pick<Source, "name" | "title">): string =>
  (texts.sources as Readonly<Record<string, { readonly title?: string }>>)[name]?.title ?? title;

/** What a source is and what to bring; nothing for one that is newer than this page. */
export const hintOf = ({ name }: Source): string | undefined =>
  (texts.sources as Readonly<Record<string, { readonly hint: string }>>)[name]?.hint;

/** Where its token is found. */
export const tokenHintOf = ({ name }: Source): string | undefined =>
  (texts.sources as Readonly<Record<string, { readonly token?: string }>>)[name]?.token;

/** Services that run in one place. The others have an address, which only their users know. */
const inOnePlace: readonly string[] = ["bitly", "dub"];
export const hasAddress = ({ name }: Source): boolean => !inOnePlace.includes(name);

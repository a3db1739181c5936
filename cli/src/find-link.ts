import type { Kurz } from "../../sdk/src/client.ts";
import type { Link } from "../../sdk/src/generated.ts";
import { KurzError } from "../../sdk/src/kurz-error.ts";
import { CommandError, exitCodes, UsageError } from "./exit-codes.ts";

const ID = /^lnk_[0-9A-Za-z]+$/;

/** How people name a link: its id, its slug, `DOMAIN/SLUG` or its short URL. */
interface Named {
  readonly slug: string;
  readonly domain: string | undefined;
}

export interface FindOptions {
  /** Look in the trash instead. */
  readonly isDeleted?: boolean;
}

export async function findLink(kurz: Kurz, name: string, { isDeleted = false }: FindOptions = {}): Promise<Link> {
  const byId = ID.test(name) ? await findById(kurz, name) : undefined;
  if (byId) return byId;
  const { slug, domain } = parseName(name);
  const state = isDeleted ? (["deleted"] as const) : (["all"] as const);
  const { data } = await kurz.links.list({ slug, state, ...(domain !== undefined && { domain }), limit: 10 });
  const [link, ...others] = data;
  if (!link) {
    const where = isDeleted ? "in the trash has" : "has";
    throw new CommandError(
      `no link ${where} the slug ${JSON.stringify(slug)}${domain ? ` on ${domain}` : ""}`,
      exitCodes.notFound,
    );
  }
  if (others.length > 0) {
    const choices = data.map((one) => `${one.domain}/${one.slug}`).join(", ");
    throw new UsageError(`several links have the slug ${JSON.stringify(slug)}: name one of ${choices}`);
  }
  return link;
}

/** A slug may look like an id. */
async function findById(kurz: Kurz, id: string): Promise<Link | undefined> {
  try {
    return await kurz.links.get(id);
  } catch (error) {
    if (error instanceof KurzError && error.is("not_found")) return undefined;
    throw error;
  }
}

export function parseName(name: string): Named {
  const text = name
    .trim()
    .replace(/[?#].*$/s, "")
    .replace(/\/+$/, "");
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) {
    const { host, pathname } = new URL(text);
    return named(pathname.replace(/^\/|\/+$/g, ""), host, name);
  }
  const slash = text.indexOf("/");
  return slash < 0 ? named(text, undefined, name) : named(text.slice(slash + 1), text.slice(0, slash), name);
}

function named(slug: string, domain: string | undefined, name: string): Named {
  // The plus sign at the end of a short URL shows where it leads.
  const plain = slug.replace(/\+$/, "");
  if (plain === "" || plain.includes("/")) {
    throw new UsageError(`${JSON.stringify(name)} is no link: use its slug, short URL or id`);
  }
  return { slug: plain, domain };
}

import { oneOf } from "#config/value-kinds.ts";
import { blockReasons } from "#contract/errors.ts";
import { TRASH_DAYS } from "#contract/limits.ts";
import { command } from "./command.ts";
import { required } from "./option.ts";
import { idText } from "./option-values.ts";

const link = required(
  "LINK",
  idText,
  "The link's id or short URL, or its slug: alone on the instance's own domain, on others as DOMAIN/SLUG.",
);

const linksBlock = command({
  name: "links block",
  summary: "Block a link: it stops redirecting, and its owner can't undo that",
  positionals: { link },
  options: { reason: required("R", oneOf(blockReasons), `The reason: ${blockReasons.join(", ")}.`) },
  run: async ({ services }, { link: named, reason }) => {
    const { blocking } = await services();
    await blocking.block(named, reason);
    return { link: named, blocked: true, reason };
  },
  print: ({ link: named, reason }) => `The link ${named} is blocked (${reason}).`,
});

const linksUnblock = command({
  name: "links unblock",
  summary: "Unblock a link",
  positionals: { link },
  run: async ({ services }, { link: named }) => {
    const { blocking } = await services();
    await blocking.unblock(named);
    return { link: named, blocked: false };
  },
  print: ({ link: named }) => `The link ${named} is no longer blocked.`,
});

const linksRestore = command({
  name: "links restore",
  summary: "Restore a deleted link for its account",
  notes: `Deleted links stay in the trash for ${TRASH_DAYS} days. An active link needs room in the account's plan.`,
  positionals: { link },
  run: async ({ services }, { link: named }) => {
    const { short_url, state } = await (await services()).linksForOperator.restore(named);
    return { link: named, short_url, state };
  },
  print: ({ short_url, state }) => `The link ${short_url} is restored (${state}).`,
});

const linksErase = command({
  name: "links erase",
  summary: "Erase a link and its clicks for good, whether or not it is in the trash",
  notes: "This can't be undone. Its slug stays taken.",
  positionals: { link },
  run: async ({ services }, { link: named }) => {
    const { short_url } = await (await services()).linksForOperator.erase(named);
    return { link: named, short_url, erased: true };
  },
  print: ({ short_url }) => `The link ${short_url} is erased.`,
});

export const linkCommands = [linksBlock, linksUnblock, linksRestore, linksErase];

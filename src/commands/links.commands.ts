import { oneOf } from "#config/value-kinds.ts";
import { blockReasons } from "#contract/errors.ts";
import { command } from "./command.ts";
import { required } from "./option.ts";
import { idText } from "./option-values.ts";

const link = required("ID_OR_SLUG", idText, "The link id or slug.");

const linksBlock = command({
  name: "links block",
  summary: "Block a link: it stops redirecting, and its owner can't undo that",
  positionals: { link },
  options: { reason: required("R", oneOf(blockReasons), `The reason: ${blockReasons.join(", ")}.`) },
  run: async ({ services }, { link: idOrSlug, reason }) => {
    const { blocking } = await services();
    await blocking.block(idOrSlug, reason);
    return { link: idOrSlug, blocked: true, reason };
  },
  print: ({ link: idOrSlug, reason }) => `The link ${idOrSlug} is blocked (${reason}).`,
});

const linksUnblock = command({
  name: "links unblock",
  summary: "Unblock a link",
  positionals: { link },
  run: async ({ services }, { link: idOrSlug }) => {
    const { blocking } = await services();
    await blocking.unblock(idOrSlug);
    return { link: idOrSlug, blocked: false };
  },
  print: ({ link: idOrSlug }) => `The link ${idOrSlug} is no longer blocked.`,
});

export const linkCommands = [linksBlock, linksUnblock];

import { oneOf } from "#config/value-kinds.ts";
import { blockReasons } from "#contract/errors.ts";
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

export const linkCommands = [linksBlock, linksUnblock];

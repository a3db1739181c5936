import type { Command } from "./command.ts";
import { completionCommands } from "./commands/completion.ts";
import { linkCommands } from "./commands/links.ts";
import { signInCommands } from "./commands/login.ts";
import { profileCommands } from "./commands/profiles.ts";
import { qrCommands } from "./commands/qr.ts";
import { shortenCommands } from "./commands/shorten.ts";
import { statsCommands } from "./commands/stats.ts";

export const commands: readonly Command[] = [
  ...signInCommands,
  ...profileCommands,
  ...shortenCommands,
  ...linkCommands,
  ...statsCommands,
  ...qrCommands,
  ...completionCommands(() => commands),
];

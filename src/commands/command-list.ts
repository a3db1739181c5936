import { accountCommands } from "./accounts.commands.ts";
import { auditCommands } from "./audit.commands.ts";
import { backup } from "./backup.command.ts";
import { clickCommands } from "./clicks.commands.ts";
import type { Command } from "./command.ts";
import { deliveryCommands } from "./deliveries.commands.ts";
import { doctor } from "./doctor.command.ts";
import { domainCommands } from "./domains.commands.ts";
import { exportAccount } from "./export.command.ts";
import { importCommands } from "./imports.commands.ts";
import { linkCommands } from "./links.commands.ts";
import { migrate } from "./migrate.command.ts";
import { move } from "./move.command.ts";
import { nodeCommands } from "./nodes.commands.ts";
import { planCommands } from "./plans.commands.ts";
import { reload } from "./reload.command.ts";
import { restore } from "./restore.command.ts";
import { secretKeyCommands } from "./secret-key.commands.ts";
import { tokenCommands } from "./tokens.commands.ts";
import { userCommands } from "./users.commands.ts";
import { webhookCommands } from "./webhooks.commands.ts";

export const commands: readonly Command[] = [
  ...accountCommands,
  ...userCommands,
  ...tokenCommands,
  ...planCommands,
  ...linkCommands,
  ...importCommands,
  ...domainCommands,
  ...webhookCommands,
  ...deliveryCommands,
  ...clickCommands,
  ...auditCommands,
  ...nodeCommands,
  ...secretKeyCommands,
  reload,
  migrate,
  backup,
  restore,
  exportAccount,
  move,
  doctor,
];

const NO_OPTIONS = "It has no options: everything is configured by environment variables, see docs/configuration.md.";

/** Listed with the commands, but started by main.ts. */
export const servers = [
  { name: "serve", summary: "Run the server until it is stopped", notes: NO_OPTIONS },
  { name: "demo", summary: "Run a demo with sample data until it is stopped", notes: NO_OPTIONS },
] as const;

export const listedCommands = commands.filter(({ hidden }) => !hidden);

/** The first words of two-word commands. */
export const groups: readonly string[] = [
  ...new Set(listedCommands.flatMap(({ name }) => (name.includes(" ") ? [name.split(" ")[0] ?? ""] : []))),
];

export const findCommand = (name: string): Command | undefined => commands.find((command) => command.name === name);

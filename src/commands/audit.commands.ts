import { z } from "zod";
import { accountNumberOf } from "#accounts/get-account.ts";
import { listAuditForOperator } from "#audit/operator-audit.ts";
import { integer } from "#config/value-kinds.ts";
import { command } from "./command.ts";
import { optional, required, withDefault } from "./option.ts";
import { idText, instantOrAge } from "./option-values.ts";
import { formatTable } from "./table.ts";

const position = z
  .string()
  .regex(/^\d{1,16}-\d{1,16}$/, "must be the position that the last line of a page shows")
  .transform((value) => {
    const [audit, links] = value.split("-").map(Number);
    return { audit: audit ?? 0, links: links ?? 0 };
  });

const auditList = command({
  name: "audit list",
  summary: "Show the audit log: who did what and from where, newest first",
  notes:
    "Sign-ins, including failed ones, belong to no account, so they are only listed without --account. Link changes are " +
    "kept for 400 days, failed sign-ins for 90 days, and everything else forever. Network addresses are never stored.",
  options: {
    account: optional("ID", idText, "Only entries of this account."),
    since: optional(
      "TIME",
      instantOrAge,
      "Only entries since then: an instant such as 2026-01-02T03:04:05Z, or an age such as 7d or 12h.",
    ),
    limit: withDefault("50", required("N", integer(1, 1000), "How many entries to show.")),
    before: optional("POSITION", position, "Continue a previous page: its last line shows the position."),
  },
  async run({ services }, { account, since, limit, before }) {
    const { read } = (await services()).records;
    const accountNo = account === null ? null : await accountNumberOf(read, account);
    const page = await listAuditForOperator(read, { accountNo, sinceMs: since, limit, before });
    const { next_before: next } = page;
    return { ...page, next_before: next && `${next.audit}-${next.links}` };
  },
  print: ({ data, next_before }) => {
    if (data.length === 0) return "There are no entries.";
    const table = formatTable(
      ["TIME", "ACCOUNT", "WHO", "FROM", "ACTION", "SUBJECT", "DETAILS"],
      data.map(({ at, account_id, actor, actor_name, from, action, subject, subject_name, details }) => [
        at,
        account_id ?? "",
        actor_name === null ? actor : `${actor_name} (${actor})`,
        from,
        action,
        subject_name ?? subject,
        detailsText(details),
      ]),
    );
    return next_before === null ? table : `${table}\nFor older entries, add --before ${next_before}`;
  },
});

const detailsText = (details: Readonly<Record<string, unknown>>): string =>
  Object.entries(details)
    .filter(([name]) => name !== "device")
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" ");

export const auditCommands = [auditList];

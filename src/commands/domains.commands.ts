import { text } from "#config/value-kinds.ts";
import { linksText, type OtherHolder } from "#domains/other-holder.ts";
import { command } from "./command.ts";
import { flag, optional, required } from "./option.ts";
import { idText } from "./option-values.ts";
import { formatTable } from "./table.ts";
import { UsageError } from "./usage-error.ts";

const domain = required("DOMAIN_ID", idText, "The domain id, as domains list shows it.");

const domainsList = command({
  name: "domains list",
  summary: "List the domains of all accounts",
  options: { account: optional("ID", idText, "Only domains of this account.") },
  run: async ({ services }, { account }) => (await services()).domainsForOperator.list(account),
  print: (domains) =>
    domains.length === 0
      ? "There are no domains."
      : formatTable(
          ["ID", "ACCOUNT", "NAME", "STATUS", "LINKS", "PROBLEM"],
          domains.map((one) => [
            one.id,
            one.account_id,
            one.name,
            one.status,
            String(one.link_count),
            // A name that the operator vouches for needs no record.
            one.verified_by === "operator" ? "" : (one.last_problem ?? ""),
          ]),
        ),
});

const domainsAdd = command({
  name: "domains add",
  summary: "Add a domain to an account",
  notes:
    "With --verified you vouch for the name yourself: no TXT record is needed. If another account holds the name, the " +
    "command fails and shows how many links it has, unless you add --take-over: its links on the domain then stop working. " +
    "The account's plan limits how many domains it can have.",
  options: {
    account: required("ID", idText, "The account id."),
    name: required("NAME", text, "The host name, such as go.example.com."),
    verified: flag("Skip the proof."),
    "take-over": flag("Take the name from the account that holds it. Needs --verified."),
  },
  run: async ({ services }, { account, name, verified, "take-over": takesOver }) => {
    if (takesOver && !verified) throw new UsageError("--take-over needs --verified");
    return (await services()).domainsForOperator.add(account, name, { isVerified: verified, takesOver });
  },
  print: ({ id, name, status, verification, taken_from }) =>
    status === "verified"
      ? `The domain ${name} is verified (${id}).${taken_from === null ? "" : `\n${lossText(taken_from)}`}`
      : `The domain ${name} is ${id}. Add this record, then run domains verify:\n${verification.name} TXT "${verification.value}"`,
});

const lossText = ({ account_id, domain_id, link_count }: OtherHolder): string =>
  `Account ${account_id} lost it (${domain_id}, ${linksText(link_count)} on it).`;

const domainsVerify = command({
  name: "domains verify",
  summary: "Look up the TXT record of a domain",
  positionals: { domain },
  run: async ({ services }, { domain: id }) => (await services()).domainsForOperator.verify(id),
  print: ({ name, status, last_problem }) =>
    `The domain ${name} is ${status}.${last_problem === null ? "" : ` ${last_problem}`}`,
});

const domainsRemove = command({
  name: "domains remove",
  summary: "Remove a domain that has no links",
  notes: "If it is added again later, slugs that were used on it are free again.",
  positionals: { domain },
  run: async ({ services }, { domain: id }) => (await services()).domainsForOperator.remove(id),
  print: ({ name }) => `The domain ${name} is removed.`,
});

export const domainCommands = [domainsList, domainsAdd, domainsVerify, domainsRemove];

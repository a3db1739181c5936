import { integer } from "#config/value-kinds.ts";
import { scopes } from "#contract/scopes.ts";
import type { TokenSummary } from "#tokens/tokens.service.ts";
import { command } from "./command.ts";
import { optional, required, withDefault } from "./option.ts";
import { idText, lifetime, nameText, scopeList, tokenId } from "./option-values.ts";
import { formatTable } from "./table.ts";

const RATE_LIMIT_MAX = 1_000_000;

const tokensCreate = command({
  name: "tokens create",
  summary: "Create an API token and print it; it is shown only once",
  options: {
    account: required("ID", idText, "The account that the token belongs to."),
    name: required("N", nameText, "A name for the token, for example CI."),
    scopes: required("LIST", scopeList, `What it can do: ${scopes.join(", ")} (comma-separated), or all.`),
    expires: withDefault(
      "90d",
      required("TIME", lifetime, "When it expires: after days or hours such as 30d or 12h, or never."),
    ),
    "rate-limit": optional(
      "N",
      integer(1, RATE_LIMIT_MAX),
      "Requests per minute. Default: the limit of the plan or the deployment.",
    ),
  },
  run: async ({ services }, { account, name, scopes, expires, "rate-limit": rateLimit }) =>
    (await services()).tokens.create({
      accountId: account,
      name,
      scopes,
      expiresInMs: expires,
      rateLimit,
      actor: "operator",
    }),
  print: ({ token }) => token,
});

const tokensList = command({
  name: "tokens list",
  summary: "List the tokens, without their secrets",
  options: { account: optional("ID", idText, "Only tokens of this account.") },
  run: async ({ services }, { account }) => (await services()).tokens.list(account),
  print: (tokens) =>
    tokens.length === 0
      ? "There are no tokens."
      : formatTable(
          ["ID", "ACCOUNT", "NAME", "SCOPES", "STATE", "EXPIRES", "LAST USED"],
          tokens.map((token) => [
            `kurz_${token.id}`,
            token.account_id,
            token.name,
            token.scopes.length === scopes.length ? "all" : token.scopes.join(","),
            stateOf(token),
            token.expires_at ?? "never",
            token.last_used_at ?? "never",
          ]),
        ),
});

const tokensRevoke = command({
  name: "tokens revoke",
  summary: "Revoke a token, effective from its next request",
  positionals: { token: required("TOKEN_ID", tokenId, "The token id, as tokens list shows it.") },
  run: async ({ services }, { token }) => {
    const { tokens } = await services();
    const isRevoked = await tokens.revoke(token, { actor: "operator", accountNo: null });
    if (!isRevoked) throw new Error(`there is no live token "${token}"`);
    return { id: token, revoked: true };
  },
  print: ({ id }) => `The token ${id} is revoked.`,
});

function stateOf({ revoked_at, expires_at }: TokenSummary): string {
  if (revoked_at !== null) return "revoked";
  return expires_at !== null && Date.parse(expires_at) <= Date.now() ? "expired" : "live";
}

export const tokenCommands = [tokensCreate, tokensList, tokensRevoke];

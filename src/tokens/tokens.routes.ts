import { createApiToken, listApiTokens, revokeApiToken } from "#contract/tokens.ts";
import { type Route, route } from "#http/route.ts";
import { notFound } from "#kernel/api-error.ts";
import type { TokenService } from "./tokens.service.ts";

export const tokenRoutes = (tokens: TokenService): readonly Route[] => [
  route(listApiTokens, async ({ accountId }) => ({
    data: (await tokens.list(accountId)).map(({ account_id: _, scopes, ...token }) => ({
      ...token,
      scopes: [...scopes],
    })),
  })),
  route(createApiToken, (caller, { body }) => tokens.createByToken(caller, body)),
  route(revokeApiToken, async ({ accountNo, actor }, { params: { id } }) => {
    if (!(await tokens.revoke(id, { actor, accountNo }))) throw notFound();
    return undefined;
  }),
];

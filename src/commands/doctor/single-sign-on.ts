import { singleSignOnOf } from "#config/single-sign-on.ts";
import { reasonOf } from "#kernel/error-text.ts";
import { providerClient } from "#single-sign-on/provider-client.ts";
import { readMetadata } from "#single-sign-on/provider-metadata.ts";
import { ServicesUnavailable } from "../command.ts";
import { type Check, ok, warning } from "./check.ts";

/** Only a warning: links, the API and passwords work without it. */
export const provider: Check = {
  name: "single sign-on",
  async run({ config }) {
    const settings = singleSignOnOf(config);
    if (settings === null) return [];
    try {
      await readMetadata(settings.issuer, providerClient(settings.issuer));
      return [ok(`${settings.issuer} answers`)];
    } catch (error) {
      return [warning(`nobody can sign in with ${settings.name}: ${reasonOf(error)}`)];
    }
  },
};

export const ssoAccounts: Check = {
  name: "single sign-on",
  needsRecords: true,
  async run({ config, services }) {
    const settings = singleSignOnOf(config);
    const found = await services().catch((error: unknown) => {
      // Where it isn't set up, "not checked" would only puzzle people.
      if (settings === null && error instanceof ServicesUnavailable) return null;
      throw error;
    });
    if (found === null) return [];
    const accounts = await found.accounts.list();
    const locked = accounts.filter(({ sso_required }) => sso_required === 1).map(({ id }) => id);
    if (settings === null) {
      if (locked.length === 0) return [];
      const [first = ""] = locked;
      return [
        warning(
          `${locked.length} accounts require it, but KURZ_OIDC_ISSUER isn't set, so nobody can open them ` +
            `(${first}); set it, or run kurz accounts allow-passwords`,
        ),
      ];
    }
    const { accountId, roles, name } = settings;
    if (accountId === null) return [];
    if (!accounts.some(({ id }) => id === accountId)) {
      return [warning(`there is no account ${accountId}, so nobody can join it; correct KURZ_OIDC_ACCOUNT`)];
    }
    if (roles.length === 0 || locked.includes(accountId)) return [];
    return [
      warning(
        `roles change only when people sign in with ${name}, and with a password or a passkey they needn't; ` +
          `run kurz accounts require-sso ${accountId}`,
      ),
    ];
  },
};

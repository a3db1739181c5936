import { randomBytes } from "node:crypto";
import type { SingleSignOnSettings } from "#config/single-sign-on.ts";
import type { SsoRefusal } from "#contract/console/sso-refusal.ts";
import { ApiError } from "#kernel/api-error.ts";
import { gate } from "#kernel/gate.ts";
import { noteRefusal } from "#sign-in/note-refusal.ts";
import { openSession } from "#sign-in/open-session.ts";
import type { Requester, Session } from "#sign-in/requester.ts";
import { completeSession, SUDO_MS } from "#sign-in/session-lifecycle.ts";
import type { SignInDeps } from "#sign-in/sign-in-deps.ts";
import { type Admission, admit } from "./admission.ts";
import { readEmail } from "./claims.ts";
import type { Flow, FlowCookies } from "./flow-cookie.ts";
import { type IdToken, isAuthenticatedSince } from "./id-token.ts";
import { findUserOf } from "./identities.store.ts";
import type { Provider } from "./provider.ts";
import { ProviderFailure } from "./provider-failure.ts";
import { providerAway, refuse } from "./refusal.ts";

interface Deps extends SignInDeps {
  readonly settings: SingleSignOnSettings;
  readonly provider: Provider;
  readonly flows: FlowCookies;
  readonly onProblem: (message: string, error: unknown) => void;
}

interface ProviderAnswer {
  readonly state: string;
  readonly code?: string | undefined;
  readonly iss?: string | undefined;
  readonly error?: string | undefined;
}

const SECRET_BYTES = 32;
// Each makes a few short calls; an office that comes to work at the same time waits a little.
const AT_THE_PROVIDER_MAX = 8;
const WAITING_MAX = 100;

const newSecret = (): string => randomBytes(SECRET_BYTES).toString("base64url");

/** Signs people in with the operator's provider. */
export function singleSignOnService(deps: Deps) {
  const { settings, provider, flows, records, clock, throttle, onProblem } = deps;
  const { name, issuer } = settings;
  const providersTurn = gate(AT_THE_PROVIDER_MAX, { waitingMax: WAITING_MAX, refusal: () => providerAway(name) });

  /** The operator learns what is wrong, the person that it is. */
  const explain = (error: unknown): ApiError => {
    if (!(error instanceof ProviderFailure)) throw error;
    onProblem("single sign-on failed", error);
    return error.isAway ? providerAway(name) : refuse("provider_error", name);
  };

  /** Nobody but the provider can tell an invented code from a right one. */
  const identify = async ({ clientAddress }: Requester, code: string, flow: Flow): Promise<IdToken> => {
    const succeed = await throttle.beginCall(clientAddress);
    const person = await providersTurn(() => provider.identify(code, flow));
    await succeed();
    return person;
  };

  const admitPerson = (person: IdToken, { next }: Flow): Promise<Admission> => {
    const [, invitationId = null] = /^\/join\/(\w+)/.exec(next ?? "") ?? [];
    // Two first sign-ins of one person may arrive at the same moment: the second one is tried again, and finds the user.
    return records.write((tx) => admit(tx, settings, { person, invitationId, at: clock() }));
  };

  /** Before anything of another person is touched. */
  const isSomeoneElse = async ({ subject, claims }: IdToken, session: Session | null): Promise<boolean> => {
    const known = await findUserOf(records.read, { issuer, subject });
    if (known !== null) return known !== session?.userId;
    const address = readEmail(claims, settings.domains);
    return !("email" in address) || address.email !== session?.email.toLowerCase();
  };

  const findReason = async (person: IdToken, flow: Flow, { session }: Requester): Promise<SsoRefusal | null> => {
    if (!flow.confirms) return null;
    if (await isSomeoneElse(person, session)) return "other_person";
    return isAuthenticatedSince(person, flow.startedAt) ? null : "not_reauthenticated";
  };

  const enter = async (requester: Requester, flow: Flow, { authenticatedAt }: IdToken, userId: string) => {
    await completeSession(deps, requester, {
      by: { id: await openSession(deps, requester, userId) },
      action: flow.confirms ? "session.confirmed" : "session.started",
      details: { method: "sso" },
      signedInBy: "sso",
      // The provider lets anyone who finds the browser open in without a question. Only when it has last asked for a
      // password, or the like, counts.
      sudoUntil: Math.min(authenticatedAt ?? 0, clock()) + SUDO_MS,
    });
  };

  return {
    async start(requester: Requester, { next, confirms }: Pick<Flow, "next" | "confirms">) {
      if (confirms && !requester.session) throw new ApiError("not_signed_in", "Sign in first.");
      const secrets = { state: newSecret(), nonce: newSecret(), verifier: newSecret() };
      const flow: Flow = { ...secrets, next, confirms, startedAt: clock() };
      const url = await provider.authorizationUrl(flow).catch((error: unknown) => Promise.reject(explain(error)));
      requester.cookies.push(flows.start(flow));
      return { url };
    },

    async finish(requester: Requester, answer: ProviderAnswer): Promise<{ next: string | null }> {
      const { tooMany, succeed } = await throttle.tryFrom(requester.clientAddress, "sso");
      const refused = (reason: SsoRefusal, userId: string | null = null): ApiError => {
        if (!tooMany) noteRefusal(deps, { userId, method: "sso", reason });
        return tooMany ?? refuse(reason, name);
      };
      const flow = flows.find(requester.headers);
      // Anyone can lead a browser to the callback page, so the sign-in that it has started goes on.
      if (flow === null || flow.state !== answer.state) throw refused("expired");
      requester.cookies.push(flows.end());
      if (answer.error !== undefined) throw refused(answer.error === "access_denied" ? "cancelled" : "provider_error");
      // The second is an answer of another provider (RFC 9207).
      if (answer.code === undefined || (answer.iss ?? issuer) !== issuer) throw refused("provider_error");
      const person = await identify(requester, answer.code, flow).catch((error: unknown) => {
        const { code } = explain(error);
        throw code === "sso_refused" ? refused("provider_error") : providerAway(name);
      });
      const reason = await findReason(person, flow, requester);
      if (reason !== null) throw refused(reason, requester.session?.userId);
      const admission = await admitPerson(person, flow);
      if ("refused" in admission) throw refused(admission.refused, admission.userId);
      await succeed();
      await enter(requester, flow, person, admission.userId);
      // A newcomer has accepted the invitation by now.
      return { next: admission.isNew && flow.next?.startsWith("/join/") ? null : flow.next };
    },

    /** For people. */
    name,

    /** Where someone who signs out of Kurz can sign out of the provider as well. */
    logoutUrl: ({ session }: Requester): Promise<string | null> =>
      settings.signsOutAtProvider && session?.signedInBy === "sso" ? provider.logoutUrl() : Promise.resolve(null),
  };
}
export type SingleSignOnService = ReturnType<typeof singleSignOnService>;

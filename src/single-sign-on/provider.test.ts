import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { SingleSignOnSettings } from "#config/single-sign-on.ts";
import { type SmallProvider, startSmallProvider } from "./fixtures/small-provider.ts";
import { openProvider } from "./provider.ts";
import { ProviderFailure } from "./provider-failure.ts";

const DAY_MS = 86_400_000;

let small: SmallProvider;
let now: number;
beforeEach(async () => {
  small = await startSmallProvider();
  now = Date.now();
});
afterEach(() => small.stop());

const open = (over: Partial<SingleSignOnSettings> = {}) =>
  openProvider({ settings: { ...small.settings, ...over }, baseUrl: "https://s.example", clock: () => now });

/** Who it says it is, in the ID token and at the userinfo endpoint. */
async function identify(claims: object, info: object = {}, provider = open()) {
  small.answer("/token", { id_token: await small.sign({ ...claims }), access_token: "a" });
  small.answer("/userinfo", { sub: "ada", ...info });
  return provider.identify("code", { nonce: "n", verifier: "v" });
}

describe("the description", () => {
  test.each([
    ["of another issuer", { issuer: "https://other.example" }, "calls itself https://other.example"],
    ["with an endpoint of a weaker protocol", { token_endpoint: "ftp://id.example/token" }, "token_endpoint must"],
    ["that leads people to a script", { authorization_endpoint: "javascript:alert(1)" }, "authorization_endpoint must"],
    ["without keys", { jwks_uri: undefined }, "lacks a valid jwks_uri"],
  ])("%s is refused", async (_, over, message) => {
    small.describe(over);
    const found = open().findMetadata();
    await expect(found).rejects.toBeInstanceOf(ProviderFailure);
    await expect(found).rejects.toThrow(message);
  });
});

describe("keys", () => {
  const keysRead = () => small.calls.filter((path) => path === "/keys").length;

  test("that aren't known are read, but at most every ten seconds", async () => {
    const provider = open();
    expect((await identify({}, {}, provider)).subject).toBe("ada");
    await small.rotateKeys();
    now += 9999;
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await expect(identify({}, {}, provider)).rejects.toBeInstanceOf(ProviderFailure);
    }
    expect(keysRead()).toBe(1);
    now += 1;
    expect((await identify({}, {}, provider)).subject).toBe("ada");
    expect((await identify({}, {}, provider)).subject).toBe("ada");
    expect(keysRead()).toBe(2);
  });
});

describe("the userinfo endpoint", () => {
  test("isn't believed about someone else", async () => {
    const answer = identify({}, { sub: "grace", email: "grace@acme.example", email_verified: true });
    await expect(answer).rejects.toThrow("answered about someone else");
  });

  test.each([
    [
      "adds what the token lacks",
      { name: "Ada" },
      { email: "ada@acme.example", email_verified: true, name: "Lovelace" },
      { email: "ada@acme.example", email_verified: true, name: "Ada" },
    ],
    [
      "vouches for its own address, not for that of the token",
      { email: "boss@acme.example" },
      { email: "ada@acme.example", email_verified: true },
      { email: "ada@acme.example", email_verified: true },
    ],
    [
      "has no say in an address that the token is clear about",
      { email: "ada@acme.example", email_verified: false },
      { email: "ada@acme.example", email_verified: true },
      { email: "ada@acme.example", email_verified: false },
    ],
    [
      "vouches for nothing without an address",
      { email: "ada@acme.example" },
      { email_verified: true },
      { email: "ada@acme.example", email_verified: undefined },
    ],
  ])("%s", async (_, token, info, expected) => {
    expect((await identify(token, info)).claims).toMatchObject(expected);
  });
});

test("groups that didn't fit into the token aren't taken for none", async () => {
  const provider = open({ roles: [{ role: "viewer", value: "everyone" }] });
  const left = { _claim_names: { groups: "src1" }, _claim_sources: { src1: { endpoint: "https://graph.example" } } };
  await expect(identify(left, {}, provider)).rejects.toThrow("too many values of groups for a token");
  expect((await identify(left, { groups: ["everyone"] }, provider)).claims.groups).toEqual(["everyone"]);
  expect((await identify({}, {}, provider)).claims.groups).toBeUndefined();
  // Where nobody asks for them, they don't matter.
  expect((await identify(left)).subject).toBe("ada");
});

test("someone who signs out doesn't wait for a provider that doesn't answer", async () => {
  const provider = open();
  expect(new URL((await provider.logoutUrl()) ?? "").pathname).toBe("/logout");
  const { promise: never } = Promise.withResolvers<Response>();
  small.answerWith("/.well-known/openid-configuration", () => never);
  now += DAY_MS;
  let hasFailed = false;
  provider.findMetadata().catch(() => {
    hasFailed = true;
  });
  expect(await provider.logoutUrl()).toBeNull();
  expect(hasFailed).toBe(false);
});

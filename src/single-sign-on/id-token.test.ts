import { beforeAll, describe, expect, test } from "bun:test";
import { type CryptoKey, createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from "jose";
import { idTokenReader, isAuthenticatedSince } from "./id-token.ts";
import { ProviderFailure } from "./provider-failure.ts";
import type { Metadata } from "./provider-metadata.ts";

const NOW = Date.UTC(2026, 10, 18);
const SECONDS = NOW / 1000;
const ISSUER = "https://id.example";
const metadata: Metadata = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/auth`,
  token_endpoint: `${ISSUER}/token`,
  jwks_uri: `${ISSUER}/keys`,
  token_endpoint_auth_methods_supported: [],
  // A provider may offer more than we accept.
  id_token_signing_alg_values_supported: ["RS256", "HS256", "none"],
};

let own: CryptoKey;
let foreign: CryptoKey;
let read: ReturnType<typeof idTokenReader>;
beforeAll(async () => {
  const pair = await generateKeyPair("RS256", { extractable: true });
  own = pair.privateKey;
  foreign = (await generateKeyPair("RS256")).privateKey;
  const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: "1" }] });
  read = idTokenReader({ keys: () => keys, clock: () => NOW });
});

const claims = { iss: ISSUER, aud: "kurz", sub: "ada", nonce: "n", iat: SECONDS, exp: SECONDS + 300 };
const sign = (over: Record<string, unknown> = {}, key: CryptoKey | Uint8Array = own, alg = "RS256") =>
  new SignJWT({ ...claims, ...over }).setProtectedHeader({ alg, kid: "1" }).sign(key);
const readToken = (token: string) => read(token, { metadata, clientId: "kurz", nonce: "n" });

test("a token for this sign-in says who it is, and when they were asked", async () => {
  expect(await readToken(await sign())).toMatchObject({ subject: "ada", authenticatedAt: null });
  const { authenticatedAt } = await readToken(await sign({ auth_time: SECONDS - 5 }));
  expect(authenticatedAt).toBe(NOW - 5000);
});

test("several audiences are fine if we are the one it was issued to", async () => {
  const aud = ["kurz", "other"];
  expect(await readToken(await sign({ aud, azp: "kurz" }))).toMatchObject({ subject: "ada" });
  await expect(readToken(await sign({ aud }))).rejects.toBeInstanceOf(ProviderFailure);
});

test("clocks may differ by a minute", async () => {
  expect(await readToken(await sign({ exp: SECONDS - 59 }))).toMatchObject({ subject: "ada" });
});

describe("refused is a token", () => {
  test.each<[string, Record<string, unknown>]>([
    ["of another issuer", { iss: "https://evil.example" }],
    ["for another client", { aud: "other" }],
    ["issued to another client", { azp: "other" }],
    ["for another sign-in", { nonce: "other" }],
    ["without a nonce", { nonce: undefined }],
    ["that has expired", { exp: SECONDS - 61 }],
    ["that never expires", { exp: undefined }],
    ["of nobody", { sub: "" }],
    ["of a subject that can't be stored", { sub: "x".repeat(256) }],
  ])("%s", async (_, over) => {
    await expect(readToken(await sign(over))).rejects.toBeInstanceOf(ProviderFailure);
  });

  test("that someone else has signed", async () => {
    await expect(readToken(await sign({}, foreign))).rejects.toBeInstanceOf(ProviderFailure);
  });

  test("that is signed with a secret, even if the provider offers that", async () => {
    const secret = new TextEncoder().encode("the client secret, which others may know");
    await expect(readToken(await sign({}, secret, "HS256"))).rejects.toBeInstanceOf(ProviderFailure);
  });

  test("that isn't signed", async () => {
    const [, payload] = (await sign()).split(".");
    const header = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
    await expect(readToken(`${header}.${payload}.`)).rejects.toBeInstanceOf(ProviderFailure);
  });
});

test.each([
  ["of years to come, such as one in milliseconds", NOW],
  ["that isn't a number", "now"],
])("a time of authentication %s is none", async (_, auth_time) => {
  expect((await readToken(await sign({ auth_time }))).authenticatedAt).toBeNull();
});

test("a question counts if it was asked after the re-authentication began, give or take a minute", () => {
  const isAsked = (authenticatedAt: number | null) => isAuthenticatedSince({ authenticatedAt }, NOW);
  expect([NOW + 1000, NOW - 60_000].map(isAsked)).toEqual([true, true]);
  expect([NOW - 60_001, 0, null].map(isAsked)).toEqual([false, false, false]);
});

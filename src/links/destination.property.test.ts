import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { SHORTENER_HOSTS } from "#config/shortener-hosts.ts";
import type { DestinationRules } from "#shared/destination-rules.ts";
import { checkDestination } from "./destination.ts";

const publicRules: DestinationRules = {
  ownHosts: ["s.example", "localhost:8080"],
  shortenerHosts: SHORTENER_HOSTS,
  allowPrivate: false,
};
const intranetRules: DestinationRules = { ...publicRules, allowPrivate: true };

describe("an intranet deployment may link to private hosts", () => {
  test.each([
    "http://intranet/",
    "http://localhost:3000/",
    "http://wiki.local/",
    "http://db.internal/",
    "http://nas.home.arpa/",
    "http://10.0.0.1/",
    "http://127.0.0.1/",
    "http://192.168.1.1:8080/",
    "http://100.64.0.1/",
    "http://8.8.8.8/",
    "http://[::1]/",
    "http://[fd00::1]/",
    "http://[2606:4700::1111]/",
  ])("%s is accepted", (input) => {
    expect(checkDestination(input, intranetRules)).toEqual({ ok: true, url: input });
  });

  test.each([
    ["http://0.0.0.0/", "host_not_allowed"],
    ["http://0.1.2.3/", "host_not_allowed"],
    ["http://169.254.169.254/", "host_not_allowed"],
    ["http://224.0.0.1/", "host_not_allowed"],
    ["http://255.255.255.255/", "host_not_allowed"],
    ["http://[::]/", "host_not_allowed"],
    ["http://[::ffff:10.0.0.1]/", "host_not_allowed"],
    ["http://[::10.0.0.1]/", "host_not_allowed"],
    ["http://[64:ff9b::a00:1]/", "host_not_allowed"],
    ["http://[fe80::1]/", "host_not_allowed"],
    ["http://[ff02::1]/", "host_not_allowed"],
    ["http://a..b/", "host_not_allowed"],
    ["http://a.onion/", "host_not_allowed"],
    ["http://intranet:22/", "host_not_allowed"],
    ["http://user@intranet/", "credentials_not_allowed"],
    ["http://localhost:8080/", "self_reference"],
    ["http://s.example/", "self_reference"],
    ["http://bit.ly/", "nested_shortener"],
  ] as const)("%s is still %s", (input, code) => {
    expect(checkDestination(input, intranetRules)).toMatchObject({ ok: false, code });
  });
});

describe("whatever the input", () => {
  const piece = fc.constantFrom(
    ..."https:// http:// / // \\ @ : :80 :8443 ? # & = . .. %2e %00 %40 [ ] ::1 a example com xn-- xn--e1afmkfd".split(
      " ",
    ),
    ...[
      "\t",
      "\n",
      " ",
      "\u00ad",
      "\u200d",
      "\u202e",
      "\ufeff",
      "。",
      "а",
      "α",
      "é",
      "😀",
      "\ud800",
      "'",
      '"',
      "<",
      "|",
    ],
    ...["127.0.0.1", "0x7f", "localhost", "bit.ly", "s.example", "javascript:", "..", "_", "-", "\u0000"],
  );
  const assembled = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
  const hostile = fc.oneof(
    fc.string({ unit: "binary" }),
    assembled,
    assembled.map((text) => `https://${text}`),
    assembled.map((text) => `https://example.com${text}`),
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
  );
  const anyRules = fc.constantFrom(publicRules, intranetRules);

  test("the check never throws, and a rejection has an explanation", () => {
    fc.assert(
      fc.property(hostile, anyRules, (input, rules) => {
        const check = checkDestination(input, rules);
        if (!check.ok) expect(check.message).toMatch(/^.+\.$/);
      }),
      { numRuns: 2000 },
    );
  });

  test("an accepted URL is http or https, has no credentials or control characters, and checks to itself", () => {
    let accepted = 0;
    fc.assert(
      fc.property(hostile, anyRules, (input, rules) => {
        const check = checkDestination(input, rules);
        if (!check.ok) return;
        accepted += 1;
        const url = new URL(check.url);
        expect(["http:", "https:"]).toContain(url.protocol);
        expect(url.username + url.password).toBe("");
        expect(check.url).toMatch(/^[\x21-\x7e]+$/);
        expect(check.url).not.toContain("\\");
        expect(url.hostname.endsWith(".")).toBe(false);
        expect(checkDestination(check.url, rules)).toEqual(check);
      }),
      { numRuns: 4000 },
    );
    expect(accepted).toBeGreaterThan(200);
  });
});

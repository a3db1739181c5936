import { describe, expect, test } from "bun:test";
import { SHORTENER_HOSTS } from "#config/shortener-hosts.ts";
import { DESTINATION_BYTES_MAX } from "#contract/limits.ts";
import { BAD_PORTS } from "#shared/bad-ports.ts";
import { checkDestinationLength, type DestinationProblem, type DestinationRules } from "#shared/destination-rules.ts";
import { isHostName } from "#shared/host-name.ts";
import { checkDestination } from "./destination.ts";

const publicRules: DestinationRules = {
  ownHosts: ["s.example", "app.example:8443", "kurz.localhost:8080", "127.0.0.2:9000"],
  shortenerHosts: SHORTENER_HOSTS,
  allowPrivate: false,
};

function codeOf(input: string, rules = publicRules): DestinationProblem | "ok" {
  const check = checkDestination(input, rules);
  return check.ok ? "ok" : check.code;
}

const REFUSED: readonly (readonly [string, DestinationProblem])[] = [
  ["", "too_short"],
  [" ", "invalid_url"],
  [" https://example.com", "invalid_url"],
  ["https://example.com ", "invalid_url"],
  ["\u00a0https://example.com", "invalid_url"],
  ["https://example.com\u3000", "invalid_url"],
  ["https://example.com/\n", "invalid_url"],
  ["https://exam\tple.com/", "invalid_url"],
  ["https://example.com/\r\nSet-Cookie: a=b", "invalid_url"],
  ["https://example.com/\u0000", "invalid_url"],
  ["https://example.com/\u007f", "invalid_url"],
  ["https://example.com/\u0085", "invalid_url"],
  ["\ufeffhttps://example.com/", "invalid_url"],
  ["https://example.com/a\ufeffb", "invalid_url"],
  ["https://example.com/\u202egnp.exe", "invalid_url"],
  ["https://example.com/\u2066a\u2069", "invalid_url"],
  ["https://example.com/\u200e", "invalid_url"],
  ["https://example.com/\ud800", "invalid_url"],
  ["https:\\\\example.com\\a", "invalid_url"],
  ["https://example.com\\@evil.example/", "invalid_url"],
  ["https://example.com/a\\b", "invalid_url"],
  ["java\nscript:alert(1)", "invalid_url"],
  ["\u0001javascript:alert(1)", "invalid_url"],
  ["javascript:alert(1)", "scheme_not_allowed"],
  ["JaVaScRiPt:alert(1)", "scheme_not_allowed"],
  ["javascript://example.com/%0aalert(1)", "scheme_not_allowed"],
  ["data:text/html,<script>alert(1)</script>", "scheme_not_allowed"],
  ["blob:https://example.com/0b5a", "scheme_not_allowed"],
  ["file:///etc/passwd", "scheme_not_allowed"],
  ["vbscript:msgbox(1)", "scheme_not_allowed"],
  ["ftp://example.com/", "scheme_not_allowed"],
  ["mailto:a@example.com", "scheme_not_allowed"],
  ["tel:+4912345", "scheme_not_allowed"],
  ["ws://example.com/", "scheme_not_allowed"],
  ["view-source:https://example.com/", "scheme_not_allowed"],
  ["intent://example.com/#Intent;end", "scheme_not_allowed"],
  ["about:blank", "scheme_not_allowed"],
  ["example.com:80/path", "scheme_not_allowed"],
  ["httpsx://example.com/", "scheme_not_allowed"],
  ["example.com", "invalid_url"],
  ["//example.com/", "invalid_url"],
  ["/path", "invalid_url"],
  ["?q=1", "invalid_url"],
  ["https:example.com", "invalid_url"],
  ["https:/example.com", "invalid_url"],
  ["https:///example.com", "invalid_url"],
  ["https://", "invalid_url"],
  ["https://?a", "invalid_url"],
  ["https://#a", "invalid_url"],
  ["https://exa mple.com/", "invalid_url"],
  ["https://example.com:65536/", "invalid_url"],
  ["https://example.com:-1/", "invalid_url"],
  ["https://example.com:80a/", "invalid_url"],
  ["https://bank.example%40evil.example/", "invalid_url"],
  ["https://bank.example%2fevil.example/", "invalid_url"],
  ["https://a%00b.example/", "invalid_url"],
  ["https://a%0d%0ab.example/", "invalid_url"],
  ["https://[::1/", "invalid_url"],
  ["https://[fe80::1%25eth0]/", "invalid_url"],
  ["https://1.2.3.4.5/", "invalid_url"],
  ["https://example.12/", "invalid_url"],
  ["https://example.0x4/", "invalid_url"],
  ["https://256.256.256.256/", "invalid_url"],
  ["https://xn--a.example/", "invalid_url"],
  ["https://a\u200db.example/", "invalid_url"],
  ["https://bank.example@evil.example/", "credentials_not_allowed"],
  ["https://user:secret@example.com/", "credentials_not_allowed"],
  ["https://:@example.com/", "credentials_not_allowed"],
  ["https://@example.com/", "credentials_not_allowed"],
  ["https://bank.example%2f@evil.example/", "credentials_not_allowed"],
  ["https://a@b@example.com/", "credentials_not_allowed"],
  ["https://127.0.0.1/", "host_not_allowed"],
  ["https://127.1/", "host_not_allowed"],
  ["https://2130706433/", "host_not_allowed"],
  ["https://0x7f.1/", "host_not_allowed"],
  ["https://0x7f000001/", "host_not_allowed"],
  ["https://017700000001/", "host_not_allowed"],
  ["https://127。0。0。1/", "host_not_allowed"],
  ["https://①②⑦.0.0.1/", "host_not_allowed"],
  ["https://%31%32%37.0.0.1/", "host_not_allowed"],
  ["https://127.0.0.1./", "host_not_allowed"],
  ["https://0/", "host_not_allowed"],
  ["https://8.8.8.8/", "host_not_allowed"],
  ["https://169.254.169.254/latest/meta-data", "host_not_allowed"],
  ["https://[::1]/", "host_not_allowed"],
  ["https://[::ffff:127.0.0.1]/", "host_not_allowed"],
  ["https://[2606:4700::1111]/", "host_not_allowed"],
  ["https://localhost/", "host_not_allowed"],
  ["https://LOCALHOST:3000/", "host_not_allowed"],
  ["https://localhost./", "host_not_allowed"],
  ["https://ｌｏｃａｌｈｏｓｔ/", "host_not_allowed"],
  ["https://a.localhost/", "host_not_allowed"],
  ["https://printer.local/", "host_not_allowed"],
  ["https://db.internal/", "host_not_allowed"],
  ["https://nas.home.arpa/", "host_not_allowed"],
  ["https://home.arpa/", "host_not_allowed"],
  ["https://expyuzz4wqqyqhjn.onion/", "host_not_allowed"],
  ["https://intranet/", "host_not_allowed"],
  ["https://com./", "host_not_allowed"],
  ["https://a..b/", "host_not_allowed"],
  ["https://example.com../", "host_not_allowed"],
  ["https://.example.com/", "host_not_allowed"],
  ["https://./", "host_not_allowed"],
  ["https://*.example.com/", "host_not_allowed"],
  ["https://a'b.example/", "host_not_allowed"],
  ['https://a"onclick=b.example/', "host_not_allowed"],
  [`https://${"a".repeat(64)}.example/`, "host_not_allowed"],
  [`https://${"a.".repeat(124)}example/`, "host_not_allowed"],
  [`https://${"а.".repeat(20_000)}example/`, "host_not_allowed"],
  ["https://example.com:0/", "host_not_allowed"],
  ["https://example.com:22/", "host_not_allowed"],
  ["https://example.com:0025/", "host_not_allowed"],
  ["https://example.com:6667/", "host_not_allowed"],
  ["https://example.com:10080/", "host_not_allowed"],
  ["https://\u0430pple.com/", "homograph"],
  ["https://xn--pple-43d.com/", "homograph"],
  ["https://XN--PPLE-43D.com/", "homograph"],
  ["https://g\u03bf\u03bfgle.com/", "homograph"],
  ["https://micr\u0585soft.com/", "homograph"],
  ["https://te\u13a0st.com/", "homograph"],
  ["https://\u03b1\u0430.example/", "homograph"],
  ["https://login.p\u0430ypal.example/", "homograph"],
  ["https://s.example/abc", "self_reference"],
  ["http://s.example/abc", "self_reference"],
  ["https://S.EXAMPLE./abc", "self_reference"],
  ["https://s.example:443/abc", "self_reference"],
  ["https://%73.example/", "self_reference"],
  ["https://app.example:8443/console", "self_reference"],
  ["https://s.example:80/abc", "self_reference"],
  ["http://s.example:443/abc", "self_reference"],
  ["https://s.example:8443/abc", "self_reference"],
  ["https://app.example/console", "self_reference"],
  ["http://app.example/console", "self_reference"],
  ["https://app.example:80/console", "self_reference"],
  ["http://app.example:8443/console", "self_reference"],
  ["http://kurz.localhost:8080/abc", "self_reference"],
  ["http://0x7f.2:9000/", "self_reference"],
  ["https://bit.ly/abc", "nested_shortener"],
  ["http://BIT.LY/abc", "nested_shortener"],
  ["https://bit.ly./abc", "nested_shortener"],
  ["https://bit.ly:8443/abc", "nested_shortener"],
  ["https://www.tinyurl.com/abc", "nested_shortener"],
  ["https://t。co/abc", "nested_shortener"],
  [`https://example.com/${"a".repeat(DESTINATION_BYTES_MAX)}`, "too_long"],
  [`https://example.com/${"é".repeat(1500)}`, "too_long"],
];

const ACCEPTED: readonly (readonly [string, string])[] = [
  ["https://example.com", "https://example.com/"],
  ["http://example.com", "http://example.com/"],
  ["HTTPS://EXAMPLE.COM/Path", "https://example.com/Path"],
  ["https://example.com:443/", "https://example.com/"],
  ["http://example.com:80/", "http://example.com/"],
  ["http://example.com:443/", "http://example.com:443/"],
  ["https://example.com:8443/a", "https://example.com:8443/a"],
  ["https://example.com:/a", "https://example.com/a"],
  ["https://example.com./a", "https://example.com/a"],
  ["https://example.com.:8443/a", "https://example.com:8443/a"],
  ["https://example.com。/a", "https://example.com/a"],
  ["https://ex%61mple.com/", "https://example.com/"],
  ["https://ｅｘａｍｐｌｅ.com/", "https://example.com/"],
  ["https://example.com/a b", "https://example.com/a%20b"],
  ["https://example.com/ä?ö=ü#ß", "https://example.com/%C3%A4?%C3%B6=%C3%BC#%C3%9F"],
  ["https://example.com/a/../b/./c", "https://example.com/b/c"],
  ["https://example.com/%2e%2e/b", "https://example.com/b"],
  ["https://example.com/a%2Fb%5Cc", "https://example.com/a%2Fb%5Cc"],
  ["https://example.com/@user", "https://example.com/@user"],
  ["https://example.com/?to=https://a@b.example/", "https://example.com/?to=https://a@b.example/"],
  ["https://example.com?a=1&a=2&&b", "https://example.com/?a=1&a=2&&b"],
  ["https://example.com/?X-Sig=a%2Bb+c%2f==", "https://example.com/?X-Sig=a%2Bb+c%2f=="],
  ["https://example.com/#/route?x=1", "https://example.com/#/route?x=1"],
  ["https://example.com/?", "https://example.com/?"],
  ["https://example.com/#", "https://example.com/#"],
  ["https://münchen.example/", "https://xn--mnchen-3ya.example/"],
  ["https://faß.example/", "https://xn--fa-hia.example/"],
  ["https://пример.example/", "https://xn--e1afmkfd.example/"],
  ["https://παράδειγμα.example/", "https://xn--hxajbheg2az3al.example/"],
  ["https://日本語.example/", "https://xn--wgv71a119e.example/"],
  ["https://xn--wgv71a119e.example/", "https://xn--wgv71a119e.example/"],
  ["https://кириллица.latin.example/", "https://xn--80apaahia1b8c.latin.example/"],
  ["https://😀.example/", "https://xn--e28h.example/"],
  ["https://under_score.example/", "https://under_score.example/"],
  ["https://a.test/", "https://a.test/"],
  ["https://a.invalid/", "https://a.invalid/"],
  ["https://notlocalhost.example/", "https://notlocalhost.example/"],
  ["https://s.example.com/", "https://s.example.com/"],
  ["https://s.example:9443/", "https://s.example:9443/"],
  ["https://app.example:444/", "https://app.example:444/"],
  ["https://sub.bit.ly/abc", "https://sub.bit.ly/abc"],
  ["https://127.0.0.1.example.com/", "https://127.0.0.1.example.com/"],
  ["https://1e3.example/", "https://1e3.example/"],
];

describe("a malicious or invalid destination is rejected with its code", () => {
  test.each(REFUSED)("%p is %s", (input, code) => {
    expect(codeOf(input)).toBe(code);
  });

  test("a name that could be parsed as a number is not a host name", () => {
    for (const name of ["12", "a.12", "1.2.3.4", "", ".", "a."]) expect(isHostName(name)).toBe(false);
    for (const name of ["a", "a.b", "12.a", "a.1b"]) expect(isHostName(name)).toBe(true);
  });

  test("every bad port is rejected, and common ports next to them are not", () => {
    for (const port of BAD_PORTS) expect(codeOf(`http://example.com:${port}/`)).toBe("host_not_allowed");
    for (const port of [80, 443, 3000, 5000, 8000, 8080, 8443, 65535])
      expect(codeOf(`http://example.com:${port}/`)).toBe("ok");
  });

  test("every built-in shortener is rejected, with and without www", () => {
    expect(SHORTENER_HOSTS.size).toBeGreaterThanOrEqual(25);
    for (const host of SHORTENER_HOSTS) {
      expect(codeOf(`https://${host}/x`)).toBe("nested_shortener");
      expect(codeOf(`https://www.${host}/x`)).toBe("nested_shortener");
    }
  });

  test("an empty shortener list allows shorteners", () => {
    expect(codeOf("https://bit.ly/abc", { ...publicRules, shortenerHosts: new Set() })).toBe("ok");
  });
});

describe("a valid destination is returned in normalized form", () => {
  test.each(ACCEPTED)("%p becomes %s", (input, url) => {
    expect(checkDestination(input, publicRules)).toEqual({ ok: true, url });
  });

  test("the limit of 8000 bytes is inclusive and applies to the normalized form", () => {
    const base = "https://example.com/";
    const longest = base + "a".repeat(DESTINATION_BYTES_MAX - base.length);
    expect(checkDestination(longest, publicRules)).toEqual({ ok: true, url: longest });
    expect(codeOf(`${longest}a`)).toBe("too_long");
    expect(codeOf(`${base}${"x/../".repeat(2000)}`)).toBe("ok");
  });

  test("the length check also works for a URL with UTM parameters", () => {
    const longest = "a".repeat(DESTINATION_BYTES_MAX);
    expect(checkDestinationLength(longest)).toEqual({ ok: true, url: longest });
    expect(checkDestinationLength(`${longest}a`)).toMatchObject({ ok: false, code: "too_long" });
  });
});

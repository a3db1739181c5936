import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseBlocklist } from "./blocklist.ts";

describe("a host entry", () => {
  const list = parseBlocklist("phishing evil.example\nBücher.example\n192.0.2.7\nlegal [2001:db8::1]\nspam zip\n");

  test.each([
    ["https://evil.example/", "phishing"],
    ["http://evil.example:8080/a?b#c", "phishing"],
    ["https://a.b.evil.example/", "phishing"],
    ["https://evil.example./", "phishing"],
    ["https://xn--bcher-kva.example/", "manual"],
    ["https://192.0.2.7/x", "manual"],
    ["https://[2001:db8::1]:8443/", "legal"],
    ["https://anything.zip/", "spam"],
  ] as const)("covers %s", (url, reason) => {
    expect(list.find(url)).toBe(reason);
  });

  test.each([
    "https://notevil.example/",
    "https://evil.example.com/",
    "https://example/",
    "https://good.example/evil.example",
    "https://good.example/?u=https://evil.example/",
    "https://1.192.0.2.7.example/",
    "https://[2001:db8::2]/",
    "not a url",
  ])("does not cover %s", (url) => {
    expect(list.find(url)).toBeNull();
  });
});

describe("a URL entry", () => {
  const list = parseBlocklist(
    [
      "malware https://host.example/bad",
      "spam https://host.example/deep/er/",
      "http://port.example:8080/",
      "legal https://slash.example/a%2fb/%7Eme",
    ].join("\n"),
  );

  test.each([
    ["https://host.example/bad", "malware"],
    ["https://host.example/bad/", "malware"],
    ["https://host.example/bad/more/below", "malware"],
    ["https://host.example/bad?x=1", "malware"],
    ["https://host.example/bad#f", "malware"],
    ["http://host.example/bad", "malware"],
    ["https://host.example//bad", "malware"],
    ["https://host.example/%62ad", "malware"],
    ["https://host.example/%62%61%64/x", "malware"],
    ["https://host.example/deep/er", "spam"],
    ["https://host.example/deep/er/x/y/z", "spam"],
    ["https://port.example:8080/anything", "manual"],
    ["https://slash.example/a/b/~me", "legal"],
    ["https://slash.example/a%2Fb/%7eme/x", "legal"],
  ] as const)("covers %s", (url, reason) => {
    expect(list.find(url)).toBe(reason);
  });

  test.each([
    "https://host.example/",
    "https://host.example/badly",
    "https://host.example/Bad",
    "https://host.example/x/bad",
    "https://host.example/deep",
    "https://sub.host.example/bad",
    "https://host.example:8443/bad",
    "https://port.example/",
  ])("does not cover %s", (url) => {
    expect(list.find(url)).toBeNull();
  });
});

describe("a block list", () => {
  test("may contain comments, blank lines, tabs, a byte order mark and Windows line endings", () => {
    const list = parseBlocklist(
      "\ufeff# our list\r\n\r\n  evil.example # seen in May\r\nspam\tSPAM.example\t\r\n#phishing off.example\r\nlast.example",
    );
    expect(list.size).toBe(3);
    expect(list.find("https://evil.example/")).toBe("manual");
    expect(list.find("https://spam.example/")).toBe("spam");
    expect(list.find("https://last.example/")).toBe("manual");
    expect(list.find("https://off.example/")).toBeNull();
  });

  test("may be empty", () => {
    const list = parseBlocklist("");
    expect(list.size).toBe(0);
    expect(list.find("https://example.com/")).toBeNull();
  });

  test("counts an entry once, with the reason of its last line", () => {
    const list = parseBlocklist("spam evil.example\nmalware EVIL.example.\n");
    expect(list.size).toBe(1);
    expect(list.find("https://evil.example/")).toBe("malware");
  });

  test.each([
    ["phising evil.example", "unknown reason"],
    ["0.0.0.0 evil.example", "unknown reason"],
    ["Phishing evil.example", "unknown reason"],
    ["phishing", "not followed by"],
    ["spam evil.example other.example", "expected an optional reason"],
    ["*.evil.example", 'write "evil.example"'],
    [".evil.example", 'write "evil.example"'],
    ["evil.example/path", "is not a host"],
    ["evil.example:8080", "is not a host"],
    ["evil.example:80", "is not a host"],
    ["user@evil.example", "is not a host"],
    ["evil..example", "no valid host name"],
    ["ev*il.example", "no valid host name"],
    ["xn--a.example", "is not a host"],
    ["ftp://evil.example/", "not an http or https URL"],
    ["https://", "not an http or https URL"],
    ["https://user@evil.example/", "may only have a host, port and path"],
    ["https://evil.example/?a=1", "may only have a host, port and path"],
    ["https://evil.example/a#b", "may only have a host, port and path"],
    ["https://a..b/", "no valid host name"],
  ])("with the line %j is refused by its number", (line, detail) => {
    expect(() => parseBlocklist(`# first\ngood.example\n${line}\nother.example\n`)).toThrow(/^line 3: /);
    expect(() => parseBlocklist(line)).toThrow(detail);
  });

  test("never makes a look-up throw, whatever the input", () => {
    const list = parseBlocklist("evil.example\nhttps://host.example/a/b\n");
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.webUrl({ withQueryParameters: true })), (text) => {
        const found = list.find(text);
        expect(found === null || found === "manual").toBe(true);
      }),
    );
  });

  test("blocks every URL below an entry, for any host and path", () => {
    const segment = fc.stringMatching(/^[a-z0-9]{1,8}$/);
    fc.assert(
      fc.property(fc.domain(), fc.array(segment), fc.array(segment), (host, path, below) => {
        const list = parseBlocklist(`spam https://${host}/${path.join("/")}`);
        expect(list.find(`https://${host}/${[...path, ...below].join("/")}`)).toBe("spam");
        expect(list.find(`https://${host}.example/${path.join("/")}`)).toBeNull();
      }),
    );
  });
});

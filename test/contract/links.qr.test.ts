import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PNG } from "pngjs";
import type { Link } from "#sdk/generated.ts";
import {
  type Api,
  type Caller,
  errorOf,
  fieldErrorsOf,
  joinApi,
  newLink,
  outcomeOf,
} from "#test/support/api-client.ts";
import { solidPng } from "#test/support/pictures.ts";
import { findXmlProblems, pixelsOf, readWithJsQr, readWithZbar, renderSvg } from "#test/support/qr-decoders.ts";

let api: Api;
let owner: Caller;
let link: Link;

beforeAll(async () => {
  api = await joinApi();
  owner = await api.newCaller();
  link = await newLink(owner.kurz, { slug: "spring-sale" });
});
afterAll(() => api.stop());

const ask = (query = "", headers: Readonly<Record<string, string>> = {}, { id } = link) =>
  api.call({ path: `/api/v1/links/${id}/qr${query}`, token: owner.token, headers });

describe("200", () => {
  test("is a PNG of 512 pixels that two decoders read as the short address", async () => {
    const png = await owner.kurz.links.qr(link.id);
    const { width, height } = PNG.sync.read(Buffer.from(png));
    expect([width, height]).toEqual([512, 512]);
    expect(await readWithZbar(png)).toBe(link.short_url);
    expect(readWithJsQr(pixelsOf(png))).toBe(link.short_url);
  });

  test("is an SVG if asked for: well-formed, with shapes only", async () => {
    const svg = await owner.kurz.links.qr(link.id, { format: "svg", style: "rounded", logo: "star", size: 300 });
    expect(await findXmlProblems(svg)).toBe("");
    const text = new TextDecoder().decode(svg);
    expect(new Set([...text.matchAll(/<(\w+)/g)].map(([, name]) => name))).toEqual(
      new Set(["svg", "rect", "g", "path"]),
    );
    const png = await renderSvg(svg);
    expect(PNG.sync.read(png).width).toBe(300);
    expect(await readWithZbar(png)).toBe(link.short_url);
  });

  test("marks scans only if asked to", async () => {
    expect(await readWithZbar(await owner.kurz.links.qr(link.id, { mark: true }))).toBe(`${link.short_url}?qr=1`);
  });

  test("has a type, a file name and a cache lifetime", async () => {
    const png = await ask();
    expect(png.headers.get("Content-Type")).toBe("image/png");
    expect(png.headers.get("Content-Disposition")).toBe('inline; filename="spring-sale.png"');
    expect(png.headers.get("Cache-Control")).toBe("private, max-age=3600");
    expect(png.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(png.headers.get("ETag")).toMatch(/^"[\w-]{20,}"$/);
    const svg = await ask("?format=svg");
    expect(svg.headers.get("Content-Type")).toBe("image/svg+xml; charset=utf-8");
    expect(svg.headers.get("Content-Disposition")).toBe('inline; filename="spring-sale.svg"');
    expect(svg.headers.get("Content-Security-Policy")).toBe("default-src 'none'; sandbox");
  });

  test("has the requested colours, however they are written", async () => {
    const png = PNG.sync.read(
      Buffer.from(await owner.kurz.links.qr(link.id, { color: "#0A2540", background: "f6f9fc" })),
    );
    const seen = new Set<string>();
    for (let at = 0; at < png.data.length; at += 4) seen.add(png.data.subarray(at, at + 3).toString("hex"));
    expect([...seen].toSorted()).toEqual(["0a2540", "f6f9fc"]);
    const [plain, signed] = [await ask("?color=0a2540"), await ask("?color=%230A2540")];
    expect(signed.headers.get("ETag")).toBe(plain.headers.get("ETag") ?? "");
  });

  test("is identical for the same query, and has another entity tag for any other", async () => {
    const queries = ["", "?format=svg", "?size=513", "?margin=5", "?ecc=H", "?color=111111", "?background=eeeeee"];
    queries.push("?mark=true", "?style=dots", "?style=rounded", "?logo=star", "?logo=heart");
    const [first, second] = [
      await Promise.all(queries.map((query) => ask(query))),
      await Promise.all(queries.map((query) => ask(query))),
    ];
    expect(second.map(({ text }) => text)).toEqual(first.map(({ text }) => text));
    const tags = first.map(({ headers }) => headers.get("ETag"));
    expect(second.map(({ headers }) => headers.get("ETag"))).toEqual(tags);
    expect(new Set(tags).size).toBe(queries.length);
    const other = await newLink(owner.kurz);
    expect((await ask("", {}, other)).headers.get("ETag")).not.toBe(tags[0] ?? "");
  });

  test("is available in every state of the link", async () => {
    const { id } = await newLink(owner.kurz);
    const tag = async () => (await ask("", {}, { ...link, id })).headers.get("ETag");
    const before = await tag();
    await owner.kurz.links.pause(id);
    expect(await tag()).toBe(before);
    await owner.kurz.links.archive(id);
    expect(await tag()).toBe(before);
    await api.operator.block(id);
    expect(await tag()).toBe(before);
  });

  test("is drawn off the event loop: a burst of large ones delays no other call", async () => {
    let drawn = 0;
    const images = Array.from({ length: 30 }, async (_, index) => {
      const { status } = await ask(`?size=${1600 + index}&style=rounded`);
      drawn += 1;
      return status;
    });
    expect((await api.call({ path: "/api/v1/me", token: owner.token })).status).toBe(200);
    expect(drawn).toBeLessThan(images.length / 2);
    expect(new Set(await Promise.all(images))).toEqual(new Set([200]));
  });
});

describe("304", () => {
  test("is for clients that have the image, with its validators and no body", async () => {
    for (const query of ["", "?format=svg"]) {
      const full = await ask(query);
      const tag = full.headers.get("ETag") ?? "";
      for (const held of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
        for (const method of ["GET", "HEAD"]) {
          const headers = { "If-None-Match": held };
          const path = `/api/v1/links/${link.id}/qr${query}`;
          const answer = await api.call({ method, path, token: owner.token, headers });
          expect([answer.status, answer.text]).toEqual([304, ""]);
          expect(answer.headers.get("ETag")).toBe(tag);
          expect(answer.headers.get("Cache-Control")).toBe("private, max-age=3600");
          expect(answer.headers.get("Content-Type")).toBeNull();
        }
      }
      expect((await ask(query, { "If-None-Match": '"other"' })).status).toBe(200);
    }
  });

  test("isn't for codes that can't be drawn", async () => {
    const refused = await ask("?size=64&margin=16&ecc=H", { "If-None-Match": "*" });
    expect(fieldErrorsOf(errorOf(refused))).toEqual(["query size out_of_range"]);
  });

  test("isn't for accounts that may not see the link", async () => {
    const stranger = await api.newCaller();
    const path = `/api/v1/links/${link.id}/qr`;
    const answer = await api.call({ path, token: stranger.token, headers: { "If-None-Match": "*" } });
    expect(outcomeOf(answer)).toBe("404 not_found");
  });
});

describe("404", () => {
  test("a link has its code in the trash, and none once it is erased", async () => {
    const { id } = await newLink(owner.kurz);
    await owner.kurz.links.delete(id);
    expect((await ask("", {}, { ...link, id })).status).toBe(200);
    await owner.kurz.links.delete(id, { permanent: true });
    expect(outcomeOf(await ask("", {}, { ...link, id }))).toBe("404 not_found");
  });
});

describe("422", () => {
  test.each([
    ["?format=gif", "query format not_in_enum"],
    ["?format=PNG", "query format not_in_enum"],
    ["?size=63", "query size out_of_range"],
    ["?size=2049", "query size out_of_range"],
    ["?size=512.5", "query size type"],
    ["?size=", "query size type"],
    ["?margin=-1", "query margin out_of_range"],
    ["?margin=17", "query margin out_of_range"],
    ["?ecc=m", "query ecc not_in_enum"],
    ["?color=red", "query color invalid_format"],
    ["?color=fff", "query color invalid_format"],
    ["?background=%23%23ffffff", "query background invalid_format"],
    ["?background=ffffff00", "query background invalid_format"],
    ["?mark=1", "query mark type"],
    ["?style=round", "query style not_in_enum"],
    ["?logo=none.svg", "query logo not_in_enum"],
    ["?logo=https://example.com/a.png", "query logo not_in_enum"],
    ["?logo=account", "query logo not_in_enum"],
    ["?logo=star&ecc=L", "query ecc out_of_range"],
    ["?color=959595", "query color low_contrast"],
    ["?color=ffffff&background=000000", "query color low_contrast"],
    ["?color=777777&background=777777", "query color low_contrast"],
  ])("%s names the parameter", async (query, problem) => {
    expect(fieldErrorsOf(errorOf(await ask(query)))).toEqual([problem]);
  });

  test("a contrast of 3:1 is just enough", async () => {
    expect((await ask("?color=949494")).status).toBe(200);
  });

  test("an image too small for its code names the smallest that works, and that one works", async () => {
    const answer = await ask("?size=64&margin=16&ecc=H");
    expect(fieldErrorsOf(errorOf(answer))).toEqual(["query size out_of_range"]);
    const [smallest = 0] = errorOf(answer).message.match(/\d+/g)?.map(Number) ?? [];
    expect((await ask(`?size=${smallest - 1}&margin=16&ecc=H`)).status).toBe(422);
    const png = await owner.kurz.links.qr(link.id, { size: smallest, margin: 16, ecc: "H" });
    expect(await readWithZbar(png)).toBe(link.short_url);
    expect(readWithJsQr(pixelsOf(png))).toBe(link.short_url);
  });
});

describe("the account's logo", () => {
  test("is drawn in both formats once the operator has set it, and no longer once removed", async () => {
    const { account, kurz, token } = await api.newCaller();
    const { id, short_url } = await newLink(kurz);
    await api.operator.setLogo(account, solidPng(300, 150, [200, 30, 90, 255]));
    const png = await kurz.links.qr(id, { logo: "account" });
    const { data, width } = PNG.sync.read(Buffer.from(png));
    const middle = (256 * width + 256) * 4;
    expect([...data.subarray(middle, middle + 3)]).toEqual([200, 30, 90]);
    expect(await readWithZbar(png)).toBe(short_url);
    expect(readWithJsQr(pixelsOf(png))).toBe(short_url);

    const svg = await api.call({ path: `/api/v1/links/${id}/qr?logo=account&format=svg`, token });
    expect(svg.headers.get("Content-Security-Policy")).toBe("default-src 'none'; img-src data:; sandbox");
    expect(await readWithZbar(await renderSvg(Buffer.from(svg.text)))).toBe(short_url);

    await api.operator.setLogo(account, solidPng(20, 20, [0, 90, 200, 255]));
    const changed = await api.call({ path: `/api/v1/links/${id}/qr?logo=account&format=svg`, token });
    expect(changed.headers.get("ETag")).not.toBe(svg.headers.get("ETag") ?? "");

    await api.operator.removeLogo(account);
    const gone = await api.call({ path: `/api/v1/links/${id}/qr?logo=account`, token });
    expect(fieldErrorsOf(errorOf(gone))).toEqual(["query logo not_in_enum"]);
  });

  test("isn't available to other accounts", async () => {
    const other = await api.newCaller();
    await api.operator.setLogo(other.account, solidPng(20, 20, [0, 90, 200, 255]));
    expect(fieldErrorsOf(errorOf(await ask("?logo=account")))).toEqual(["query logo not_in_enum"]);
  });

  test("is read from a file by the command", async () => {
    const { account, kurz } = await api.newCaller();
    const { id } = await newLink(kurz);
    const file = join(api.server.dataDir, "logo.png");
    writeFileSync(file, solidPng(40, 40, [0, 90, 200, 255]));
    const set = await api.server.kurz(["accounts", "set-logo", account, "--file", file]);
    expect([set.code, set.stdout]).toEqual([0, `The account ${account} now has a logo.\n`]);
    expect((await kurz.links.qr(id, { logo: "account" })).length).toBeGreaterThan(1000);
    writeFileSync(file, "no picture");
    const refused = await api.server.kurz(["accounts", "set-logo", account, "--file", file]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("the logo must be a PNG file");
    const missing = await api.server.kurz(["accounts", "set-logo", account, "--file", `${file}.none`]);
    expect(missing.stderr).toContain("can't be read");
  });
});

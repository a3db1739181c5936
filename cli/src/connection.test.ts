import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findConnection, instanceUrl, isExposed } from "./connection.ts";
import { ProfileStore } from "./profile-store.ts";

const directory = mkdtempSync(join(tmpdir(), "kurz-cli-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

let stores = 0;
const warnings: string[] = [];
function newStore(): ProfileStore {
  stores += 1;
  return new ProfileStore({ XDG_CONFIG_HOME: join(directory, String(stores)) }, (text) => void warnings.push(text));
}

const work = { url: "https://s.example", token: "kurz_work" };
const home = { url: "http://localhost:8080", token: "kurz_home" };

function signedIn(): ProfileStore {
  const profiles = newStore();
  profiles.save("home", home);
  profiles.save("work", work);
  profiles.choose("work");
  return profiles;
}

describe("profiles", () => {
  test("are kept in a file that only the owner can read", () => {
    const profiles = signedIn();
    expect(statSync(profiles.path).mode & 0o777).toBe(0o600);
    expect(statSync(join(profiles.path, "..")).mode & 0o777).toBe(0o700);
    expect(JSON.parse(readFileSync(profiles.path, "utf8"))).toEqual({ current: "work", profiles: { home, work } });
    chmodSync(profiles.path, 0o644);
    const again = new ProfileStore(
      { XDG_CONFIG_HOME: join(profiles.path, "..", "..") },
      (text) => void warnings.push(text),
    );
    again.names();
    again.current();
    expect(warnings).toEqual([`others can read ${profiles.path}; run: chmod 600 ${profiles.path}`]);
    // The next change repairs that.
    profiles.choose("home");
    expect(statSync(profiles.path).mode & 0o777).toBe(0o600);
  });

  test("don't become the current one when there is one", () => {
    const profiles = newStore();
    expect([profiles.save("home", home), profiles.save("work", work), profiles.current()]).toEqual([
      ...["home", "home", "home"],
    ]);
  });

  test("are removed one by one; with the last, the file goes", () => {
    const profiles = signedIn();
    expect(profiles.remove("work")).toBe("home");
    expect(profiles.names()).toEqual(["home"]);
    expect(profiles.remove("home")).toBeNull();
    expect(statSync(profiles.path, { throwIfNoEntry: false })).toBeUndefined();
  });

  test("with the name of something that every object has aren't found", () => {
    expect(signedIn().find("constructor")).toBeUndefined();
  });

  test.each(["", "{", "[]", '{"profiles":null}'])("in a damaged file (%p) are an error that names it", (text) => {
    const profiles = signedIn();
    writeFileSync(profiles.path, text);
    expect(() => profiles.names()).toThrow(`${profiles.path} can't be read`);
  });
});

describe("the connection", () => {
  const find = (env: Record<string, string>, profileName?: string, profiles = signedIn()) =>
    findConnection({ env, profiles, profileName });

  test("is the current profile's, or that of the one that is named", () => {
    expect(find({})).toEqual({ ...work, profile: "work" });
    expect(find({ KURZ_PROFILE: "home" })).toEqual({ ...home, profile: "home" });
    expect(find({ KURZ_PROFILE: "home" }, "work")).toEqual({ ...work, profile: "work" });
  });

  test("comes from the environment, unless a profile is typed", () => {
    const env = { KURZ_URL: "https://other.example/", KURZ_TOKEN: "kurz_other" };
    const other = { url: "https://other.example", token: "kurz_other", profile: null };
    expect(find(env)).toEqual(other);
    expect(find(env, undefined, newStore())).toEqual(other);
    expect(find(env, "home")).toEqual({ ...home, profile: "home" });
    expect(find({ KURZ_TOKEN: "kurz_other" })).toEqual({ url: work.url, token: "kurz_other", profile: null });
  });

  test("needs no home directory if the environment has both", () => {
    const locked = new ProfileStore({ XDG_CONFIG_HOME: "/dev/null" }, () => {});
    expect(() => locked.current()).toThrow("can't be read");
    const env = { KURZ_URL: "https://other.example/", KURZ_TOKEN: "kurz_other" };
    expect(find(env, undefined, locked).url).toBe("https://other.example");
  });

  test("has a token without the line break at its end, and is refused with anything else in it", () => {
    const env = { KURZ_URL: "https://other.example/" };
    expect(find({ ...env, KURZ_TOKEN: "kurz_other\n" }).token).toBe("kurz_other");
    expect(() => find({ ...env, KURZ_TOKEN: "Bearer kurz_other" })).toThrow("KURZ_TOKEN has a space");
  });

  test("never sends a stored token to another instance", () => {
    expect(() => find({ KURZ_URL: "https://other.example" })).toThrow("but not KURZ_TOKEN");
    expect(find({ KURZ_URL: work.url })).toEqual({ ...work, profile: "work" });
  });

  test("is missing until someone signs in", () => {
    expect(() => find({}, undefined, newStore())).toThrow("you aren't signed in; run: kurz login");
    expect(() => find({ KURZ_TOKEN: "kurz_other" }, undefined, newStore())).toThrow("but not KURZ_URL");
    expect(() => find({}, "school")).toThrow('there is no profile "school" (there are home, work)');
  });
});

test.each([
  ["s.example", "https://s.example"],
  [" https://s.example/console/links?page=2 ", "https://s.example"],
  ["http://localhost:8080/", "http://localhost:8080"],
  ["localhost:8080", "https://localhost:8080"],
])("%p is the instance %p", (text, url) => {
  expect(instanceUrl(text, "the URL")).toBe(url);
});

test.each(["", "ftp://s.example", "https://", "a b"])("%p is no instance", (text) => {
  expect(() => instanceUrl(text, "the URL")).toThrow("the URL must be the address of a Kurz instance");
});

test.each([
  ["http://s.example", true],
  ["https://s.example", false],
  ["http://localhost:8080", false],
  ["http://127.0.0.1:8080", false],
])("others can read what is sent to %p: %p", (url, expected) => {
  expect(isExposed(url)).toBe(expected);
});

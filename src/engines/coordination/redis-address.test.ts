import { expect, test } from "bun:test";
import { parseRedisUrl } from "./redis-address.ts";

test.each([
  ["a%20b", "a b"],
  ["50%off", "50%off"],
  ["100%", "100%"],
  ["%zz%41", "%zzA"],
  ["%ff", "%ff"],
  ["%C3%BC", "ü"],
  ["p^%", "p^%"],
])("the password %s is %s", (written, password) => {
  const { options, shown } = parseRedisUrl(`redis://kurz:${written}@cache.example/3`);
  expect(options).toMatchObject({ username: "kurz", password, db: 3 });
  expect(shown).toBe("redis://cache.example/3");
});

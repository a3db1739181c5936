import { expect, test } from "bun:test";
import type { ConsoleState } from "#contract/console/session.ts";
import { listedAccount } from "./prefetch-list.ts";

const accounts = [{ id: "acc_1" }, { id: "acc_2" }];
const state = { session: { accounts } } as unknown as ConsoleState;

test.each([
  ["/console/a/acc_2/links", "", "acc_2"],
  ["/console/a/acc_2/links/", "", "acc_2"],
  ["/console/a/acc_2/links", "?q=spring", undefined],
  ["/console/a/acc_3/links", "", undefined],
  ["/console/a/acc_2/links/lnk_1", "", undefined],
  ["/console/sign-in", "", undefined],
])("%s%s leads to the whole list of %s", (pathname, search, expected) => {
  expect(listedAccount(state, { pathname, search })?.id).toBe(expected);
});

test("nobody who isn't signed in has a list", () => {
  const nobody = { ...state, session: null } as ConsoleState;
  expect(listedAccount(nobody, { pathname: "/console/a/acc_1/links", search: "" })).toBeUndefined();
});

import { expect, test } from "bun:test";
import { endHint, expiryHint, statusHint } from "./link-hints.ts";

const LATER = "2099-01-02T03:04:00.000Z";

test("what happens after the expiry is what the address for it says", () => {
  expect(expiryHint({ expires_at: "", expired_url: "https://example.com/over" })).toBe("Never expires by default.");
  expect(expiryHint({ expires_at: LATER, expired_url: "" })).toEndWith("; visitors then see that it ended.");
  expect(expiryHint({ expires_at: LATER, expired_url: "https://example.com/over" })).toEndWith(
    "; visitors then go to example.com/over.",
  );
});

test("the address for the end says which end it is for", () => {
  expect(endHint({ expires_at: "", max_clicks: "" })).toBe("Used once you set an expiry or a click limit.");
  expect(endHint({ expires_at: "", max_clicks: "3" })).toStartWith(
    "For visitors once the link has used up its clicks. ",
  );
  expect(endHint({ expires_at: LATER, max_clicks: "3" })).toStartWith(
    "For visitors once the link has expired or has used up its clicks. ",
  );
});

test("a permanent status of a link that guards is said to be temporary", () => {
  const plain = { redirect_status: 301, max_clicks: "", password: "none" } as const;
  expect(statusHint(plain)).toContain("Browsers remember it");
  expect(statusHint({ ...plain, redirect_status: 302, max_clicks: "3" })).toStartWith("Temporary.");
  expect(statusHint({ ...plain, max_clicks: "3" })).toBe(
    "Sent as 302 while the link has a click limit, since every visit must be checked.",
  );
  expect(statusHint({ redirect_status: 308, max_clicks: "3", password: "kept" })).toBe(
    "Sent as 307 while the link has a password and a click limit, since every visit must be checked.",
  );
});

import { expect, test } from "bun:test";
import { endHint, expiryHint, startHint, statusHint } from "./link-hints.ts";

const LATER = "2099-01-02T03:04:00.000Z";

const DOMAIN = "https://acme.example/gone";

test("what happens after the expiry is what the address for it says, else the domain's", () => {
  const own = { expires_at: LATER, expired_url: "https://example.com/over" };
  const none = { expires_at: LATER, expired_url: " " };
  expect(expiryHint({ ...own, expires_at: "" }, null)).toBe("Never expires by default.");
  expect(expiryHint(none, null)).toEndWith("; visitors then see that it ended.");
  expect(expiryHint(none, DOMAIN)).toEndWith("; visitors then go to acme.example/gone.");
  for (const domain of [null, DOMAIN])
    expect(expiryHint(own, domain)).toEndWith("; visitors then go to example.com/over.");
});

test("what happens before the start is what the domain does with unknown links", () => {
  expect(startHint({ starts_at: "" }, DOMAIN)).toBe("Works at once by default.");
  expect(startHint({ starts_at: LATER }, null)).toEndWith("; until then visitors see “not found”.");
  expect(startHint({ starts_at: LATER }, DOMAIN)).toEndWith("; until then visitors go to acme.example/gone.");
});

test("the address for the end says which end it is for", () => {
  expect(endHint({ expires_at: "", max_clicks: "" }, null)).toBe("Used once you set an expiry or a click limit.");
  expect(endHint({ expires_at: "", max_clicks: "3" }, null)).toBe(
    "For visitors once the link has used up its clicks. If empty, they see a page that says so.",
  );
  expect(endHint({ expires_at: LATER, max_clicks: "3" }, DOMAIN)).toBe(
    "For visitors once the link has expired or has used up its clicks. If empty, they go to acme.example/gone.",
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

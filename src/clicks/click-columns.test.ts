import { expect, test } from "bun:test";
import { clickTexts } from "#engines/clicks/click-fields.ts";
import { clickColumns } from "./click-columns.ts";
import { privacyPage } from "./privacy-page.ts";

test("the engine stores exactly the columns that the privacy page lists, and no address or user agent among them", () => {
  const listed = clickColumns.map(({ name }) => name as string);
  expect(listed.toSorted()).toEqual(["at_ms", "account_no", "link_no", "bot", "visitor", ...clickTexts].toSorted());
  for (const name of listed) {
    expect(privacyPage()).toContain(`| \`${name}\` |`);
    expect(name).not.toMatch(/^(ip|address|user_agent|ua|referer)$/);
  }
});

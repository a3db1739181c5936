import { expect, test } from "bun:test";
import { changeSettings } from "./link-settings.ts";

const serialise = (_: string, url: string): string => url;
const card = { title: "Sale", description: "All week", image_url: "https://example.com/a.png" };

test("a preview is merged by key: what is left out stays, and null clears", () => {
  const current = { preview: card };
  const patched = (preview: object | null) => changeSettings(current, { preview }, serialise).preview;
  expect(patched({ title: "Sold out" })).toEqual({ ...card, title: "Sold out" });
  expect(patched({ image_url: null })).toEqual({ ...card, image_url: null });
  expect(patched({ image_url: "https://example.com/b.png" })).toEqual({
    ...card,
    image_url: "https://example.com/b.png",
  });
  expect(patched(null)).toBeUndefined();
  expect(changeSettings(current, {}, serialise)).toEqual(current);
  expect(changeSettings({}, { preview: { title: "Sale" } }, serialise).preview).toEqual({
    title: "Sale",
    description: null,
    image_url: null,
  });
});

test("a preview with nothing in it is none", () => {
  for (const preview of [{}, { title: null }, { title: null, description: null, image_url: null }])
    expect(changeSettings({}, { preview }, serialise)).toEqual({});
  const titled = { preview: { title: "Sale", description: null, image_url: null } };
  expect(changeSettings(titled, { preview: {} }, serialise)).toEqual(titled);
  expect(changeSettings(titled, { preview: { title: null } }, serialise)).toEqual({});
});

test("what has its default isn't stored", () => {
  const body = { redirect_status: 302, forward_query: true, forward_path: false, rules: [], starts_at: null } as const;
  expect(changeSettings({}, { ...body, rules: [] }, serialise)).toEqual({});
  expect(changeSettings({ redirect_status: 308, forward_path: true }, { ...body, rules: [] }, serialise)).toEqual({});
});

import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { effectiveRateLimit } from "./effective-rate-limit.ts";
import { loadPlans } from "./plan-catalogue.ts";

const directory = mkdtempSync(join(tmpdir(), "kurz-plans-"));
afterAll(() => rmSync(directory, { recursive: true }));

function fileWith(text: string): string {
  const file = join(directory, "plans.json");
  writeFileSync(file, text);
  return file;
}

describe("the plans", () => {
  test("three are built in", () => {
    const { plans, find } = loadPlans(null, "unlimited");
    expect(plans.map(({ id }) => id)).toEqual(["free", "pro", "unlimited"]);
    expect(find("free")).toMatchObject({
      api_access: false,
      active_links: 25,
      webhook_endpoints: 1,
      domains: 0,
      api_tokens: 50,
      rules_per_link: 2,
    });
    expect(find("pro")).toMatchObject({ api_access: true, active_links: 500, webhook_endpoints: 5, domains: 5 });
    expect(find("unlimited")).toMatchObject({ api_access: true, active_links: null, domains: null });
  });

  test("a file replaces them, and an account on a removed plan falls back to the default", () => {
    const file = fileWith('{"basic":{"api_access":true,"active_links":3,"webhook_endpoints":null,"api_tokens":1}}');
    const catalogue = loadPlans(file, "basic");
    expect(catalogue.find("pro")).toBeUndefined();
    expect(catalogue.of("pro")).toEqual({
      id: "basic",
      api_access: true,
      active_links: 3,
      webhook_endpoints: null,
      domains: 0,
      api_tokens: 1,
      rules_per_link: null,
    });
  });

  test("a request limit of null means no limit, a missing one means the deployment's", () => {
    const limits = { api_access: true, active_links: 1, webhook_endpoints: 1 };
    const file = fileWith(JSON.stringify({ free: { ...limits, rate_limit_per_minute: null }, plain: limits }));
    const { of } = loadPlans(file, "plain");
    expect(effectiveRateLimit(null, of("free"), 120)).toBeNull();
    expect(effectiveRateLimit(5, of("free"), 120)).toBe(5);
    expect(effectiveRateLimit(null, of("plain"), 120)).toBe(120);
    expect(effectiveRateLimit(5, of("plain"), 0)).toBeNull();
  });

  test.each([
    ["not json", "is not valid JSON"],
    ['{"a":{"api_access":"yes","active_links":1,"webhook_endpoints":1}}', "a.api_access"],
    ['{"a":{"api_access":true,"active_links":-1,"webhook_endpoints":1}}', "a.active_links"],
    ['{"a":{"api_access":true,"active_links":1,"webhook_endpoints":1,"linkz":1}}', "Unrecognized key"],
    ['{"Bad Name":{"api_access":true,"active_links":1,"webhook_endpoints":1}}', "Bad Name"],
  ])("a file with a mistake (%s) is refused with one line that names it", (text, part) => {
    const load = () => loadPlans(fileWith(text), "a");
    expect(load).toThrow(part);
    expect(load).toThrow(/^KURZ_PLANS_FILE [^\n]*$/);
  });

  test("an unknown default plan is rejected", () => {
    expect(() => loadPlans(null, "gold")).toThrow('KURZ_DEFAULT_PLAN "gold" is not a plan');
  });
});

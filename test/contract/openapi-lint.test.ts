import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { endpoints, releasedEndpoints } from "#contract/index.ts";
import { upsertLink } from "#contract/link-upsert.ts";
import { ensureTools, runTool, TOOLS_DIRECTORY } from "#test/support/tools.ts";

const ROOT = join(import.meta.dir, "..", "..");
const PUBLISHED = join(ROOT, "docs", "openapi.json");
const INSTALL_TIMEOUT_MS = 300_000;
const LINT_TIMEOUT_MS = 600_000;

interface Problem {
  readonly ruleId: string;
  readonly message: string;
}

// The linter can't know that no link has the id "external". What its PUT does with the names of other paths is tested.
const AMBIGUOUS = "no-ambiguous-paths";
const UPSERT_PATH = `\`${upsertLink.path}\``;

beforeAll(ensureTools, INSTALL_TIMEOUT_MS);

describe("independent checkers find no problem in the published document", () => {
  test(
    "Spectral",
    async () => {
      const ruleset = join(TOOLS_DIRECTORY, ".spectral.yaml");
      const args = ["--ruleset", ruleset, "--fail-severity=warn", "--format=json", "--quiet"];
      const { exitCode, stdout, stderr } = await runTool("spectral", ["lint", PUBLISHED, ...args]);
      expect({ problems: JSON.parse(stdout), stderr }).toEqual({ problems: [], stderr: "" });
      expect(exitCode).toBe(0);
    },
    LINT_TIMEOUT_MS,
  );

  test(
    "Redocly",
    async () => {
      const args = ["lint", PUBLISHED, "--extends=recommended", "--format=json"];
      const { exitCode, stdout } = await runTool("redocly", args);
      const { problems, totals } = JSON.parse(stdout) as { problems: Problem[]; totals: object };
      const ambiguous = problems.filter(({ ruleId, message }) => ruleId === AMBIGUOUS && message.includes(UPSERT_PATH));
      expect(problems.filter((problem) => !ambiguous.includes(problem))).toEqual([]);
      expect(totals).toEqual({ errors: 0, warnings: ambiguous.length, ignored: 0 });
      expect(exitCode).toBe(0);
    },
    LINT_TIMEOUT_MS,
  );

  test(
    "the meta-schema of OpenAPI 3.1",
    async () => {
      const { exitCode, stdout } = await runTool("validate-api", [PUBLISHED]);
      expect(JSON.parse(stdout)).toEqual({ valid: true });
      expect(exitCode).toBe(0);
      expect((await Bun.file(PUBLISHED).json()).openapi).toBe("3.1.0");
    },
    LINT_TIMEOUT_MS,
  );
});

interface Paths {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
}

const operationsOf = ({ paths }: Paths): string[] =>
  Object.entries(paths).flatMap(([path, item]) => Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`));
const named = (list: typeof releasedEndpoints): string[] => list.map(({ method, path }) => `${method} ${path}`);

test("the contract has exactly these endpoints and scopes", () => {
  expect(endpoints.map(({ method, path, scope }) => [method, path, scope] as const)).toEqual([
    ["GET", "/api/v1/me", null],
    ["GET", "/api/v1/links", "links:read"],
    ["GET", "/api/v1/links/count", "links:read"],
    ["GET", "/api/v1/links/export", "links:read"],
    ["POST", "/api/v1/links", "links:write"],
    ["GET", "/api/v1/links/{id}", "links:read"],
    ["PATCH", "/api/v1/links/{id}", "links:write"],
    ["POST", "/api/v1/links/{id}/tags", "links:write"],
    ["DELETE", "/api/v1/links/{id}", "links:write"],
    ["POST", "/api/v1/links/{id}/pause", "links:write"],
    ["POST", "/api/v1/links/{id}/resume", "links:write"],
    ["POST", "/api/v1/links/{id}/archive", "links:write"],
    ["POST", "/api/v1/links/{id}/unarchive", "links:write"],
    ["POST", "/api/v1/links/{id}/restore", "links:write"],
    ["GET", "/api/v1/links/{id}/history", "links:read"],
    ["POST", "/api/v1/links/{id}/revert", "links:write"],
    ["PUT", "/api/v1/links/external/{external_id}", "links:write"],
    ["POST", "/api/v1/links/bulk", "links:write"],
    ["POST", "/api/v1/links/{id}/resolve", "links:read"],
    ["GET", "/api/v1/links/{id}/analytics", "analytics:read"],
    ["GET", "/api/v1/analytics", "analytics:read"],
    ["GET", "/api/v1/clicks", "analytics:read"],
    ["POST", "/api/v1/links/{id}/share", "links:write"],
    ["GET", "/api/v1/links/{id}/shares", "analytics:read"],
    ["GET", "/api/v1/shares", "analytics:read"],
    ["DELETE", "/api/v1/shares/{id}", "links:write"],
    ["GET", "/api/v1/links/{id}/qr", "qr:read"],
    ["GET", "/api/v1/tags", "links:read"],
    ["GET", "/api/v1/tags/{tag}", "links:read"],
    ["PATCH", "/api/v1/tags/{tag}", "links:write"],
    ["DELETE", "/api/v1/tags/{tag}", "links:write"],
    ["GET", "/api/v1/domains", "domains:read"],
    ["POST", "/api/v1/domains", "domains:write"],
    ["GET", "/api/v1/domains/{id}", "domains:read"],
    ["PATCH", "/api/v1/domains/{id}", "domains:write"],
    ["DELETE", "/api/v1/domains/{id}", "domains:write"],
    ["POST", "/api/v1/domains/{id}/verify", "domains:write"],
    ["GET", "/api/v1/webhooks", "webhooks:read"],
    ["POST", "/api/v1/webhooks", "webhooks:write"],
    ["GET", "/api/v1/webhooks/{id}", "webhooks:read"],
    ["PATCH", "/api/v1/webhooks/{id}", "webhooks:write"],
    ["DELETE", "/api/v1/webhooks/{id}", "webhooks:write"],
    ["POST", "/api/v1/webhooks/{id}/enable", "webhooks:write"],
    ["POST", "/api/v1/webhooks/{id}/disable", "webhooks:write"],
    ["POST", "/api/v1/webhooks/{id}/rotate", "webhooks:write"],
    ["POST", "/api/v1/webhooks/{id}/test", "webhooks:write"],
    ["GET", "/api/v1/tokens", "tokens:write"],
    ["POST", "/api/v1/tokens", "tokens:write"],
    ["DELETE", "/api/v1/tokens/{id}", "tokens:write"],
    ["GET", "/api/v1/export", "links:read"],
  ]);
});

test("the document lists every endpoint and nothing else", async () => {
  const published = operationsOf(await Bun.file(PUBLISHED).json());
  expect(published.sort()).toEqual(named(releasedEndpoints).sort());
});

test("generated files are up to date", async () => {
  const child = Bun.spawn([process.execPath, join(ROOT, "scripts", "generate.ts"), "--check"], { stderr: "pipe" });
  expect(await child.stderr.text()).toBe("");
  expect(await child.exited).toBe(0);
});

import { expect, test } from "bun:test";
import { ApiError } from "#kernel/api-error.ts";
import { allEndpoints } from "#test/support/all-endpoints.ts";
import { hostileBodies } from "#test/support/hostile-values.ts";
import { readInput } from "./read-input.ts";
import { type Route, route } from "./route.ts";

const never = async (): Promise<never> => {
  throw new Error("not called");
};

const withBody = allEndpoints.flatMap((endpoint) => (endpoint.body ? [{ ...endpoint, body: endpoint.body }] : []));

test.each(withBody.map((endpoint) => [endpoint.id, endpoint] as const))(
  "no value in any field makes reading the body of %s fail",
  async (_, endpoint) => {
    const bound = route(endpoint, never) as Route<never>;
    for (const body of hostileBodies(endpoint.body)) {
      const request = new Request("http://localhost/", {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" },
      });
      const thrown: unknown = await readInput(bound, request, { id: "lnk_x", slug: "x" }, "").catch((error) => error);
      if (thrown instanceof Error && !(thrown instanceof ApiError)) expect([body, String(thrown)]).toEqual([body, ""]);
    }
  },
);

test("there are bodies to try", () => {
  expect(withBody.length).toBeGreaterThan(20);
});

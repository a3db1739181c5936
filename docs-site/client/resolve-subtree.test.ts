import { expect, test } from "bun:test";
import openApi from "../../docs/openapi.json" with { type: "json" };
import { resolverOf } from "./resolve-subtree.ts";

const ADDRESS = "https://go.example.com/docs/api";
const resolve = resolverOf(ADDRESS);

const pages = {
  Page: { type: "object", properties: { data: { $ref: "#/schemas/a~1~0b" } } },
  "a/~b": { type: "string", description: "Anything." },
  Tree: { type: "object", properties: { parent: { $ref: "#/schemas/Tree" } } },
};
const partOf = async (part: object): Promise<unknown> => (await resolve({ part, schemas: pages }, ["part"])).spec;

test("a reference is replaced by what it refers to, with its address; fields beside the reference win", async () => {
  expect(
    await partOf({ list: [{ $ref: "#/schemas/Page" }], name: { $ref: "#/schemas/a~1~0b", description: "Own." } }),
  ).toEqual({
    list: [
      {
        type: "object",
        properties: { data: { type: "string", description: "Anything.", $$ref: `${ADDRESS}#/schemas/a~1~0b` } },
        $$ref: `${ADDRESS}#/schemas/Page`,
      },
    ],
    name: { type: "string", description: "Own.", $$ref: `${ADDRESS}#/schemas/a~1~0b` },
  });
});

test("a recursive schema stays a reference", async () => {
  expect(await partOf({ $ref: "#/schemas/Tree" })).toMatchObject({
    properties: { parent: { $ref: "#/schemas/Tree" } },
  });
});

test("every operation of the document is resolved whole", async () => {
  for (const [path, item] of Object.entries(openApi.paths)) {
    for (const method of Object.keys(item)) {
      const { spec, errors } = await resolve(openApi, ["paths", path, method]);
      expect(errors).toEqual([]);
      expect(JSON.stringify(spec)).not.toContain('"$ref"');
    }
  }
});

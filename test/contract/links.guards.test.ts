import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  type Api,
  type ApiAnswer,
  errorFrom,
  errorOf,
  fieldErrorsOf,
  joinApi,
  newLink,
  outcomeOf,
} from "#test/support/api-client.ts";
import { changeRecords } from "#test/support/change-records.ts";

const PATH = "/api/v1/links";
const DESTINATION = "https://example.com/secret-page";

let api: Api;

beforeAll(async () => {
  api = await joinApi();
});
afterAll(() => api.stop());

const create = (token: string, fields: object, key?: string): Promise<ApiAnswer> =>
  api.call({
    method: "POST",
    path: PATH,
    token,
    json: { destination_url: DESTINATION, ...fields },
    ...(key !== undefined && { headers: { "Idempotency-Key": key } }),
  });

test("a password is in no answer, no file and no log", async () => {
  const { kurz, token } = await api.newCaller();
  // When it stops, the server's files and log are searched for these.
  for (const secret of ["tulip-in-may", "rose-in-june"]) api.operator.secrets.add(secret);
  const [created, replayed] = [
    await create(token, { password: "tulip-in-may" }, "a"),
    await create(token, { password: "tulip-in-may" }, "a"),
  ];
  expect([created.status, replayed.text]).toEqual([201, created.text]);
  const { id } = created.json as { readonly id: string };
  const read = await kurz.links.get(id);
  expect(read.password_protected).toBe(true);
  const page = await kurz.links.list();
  const patched = await kurz.links.update(id, { password: "rose-in-june" });
  expect([patched.version, patched.password_protected]).toEqual([2, true]);
  expect(JSON.stringify([created.json, read, page, patched])).not.toMatch(/tulip-in-may|rose-in-june|argon2/);
  expect((await kurz.links.update(id, { password: null })).password_protected).toBe(false);
});

test("another password with the same idempotency key is another body", async () => {
  const { token } = await api.newCaller();
  expect(outcomeOf(await create(token, { password: "tulip" }, "b"))).toBe("201");
  expect(outcomeOf(await create(token, { password: "rose" }, "b"))).toBe("422 idempotency_key_reused");
  expect(outcomeOf(await create(token, {}, "b"))).toBe("422 idempotency_key_reused");
});

test.each([
  ["password", ""],
  ["password", " \t\u00a0"],
  ["password", "x".repeat(129)],
  ["password", 12],
  ["max_clicks", 0],
  ["max_clicks", 1.5],
  ["max_clicks", "3"],
  ["max_clicks", 1_000_000_001],
])("%s can't be %p", async (field, value) => {
  const { token } = await api.newCaller();
  const answer = await create(token, { [field]: value });
  expect(answer.status).toBe(422);
  expect(fieldErrorsOf(errorOf(answer)).map((problem) => problem.split(" ")[1])).toEqual([field]);
});

test("a limit of clicks is shown, changed and removed", async () => {
  const { kurz } = await api.newCaller();
  const created = await kurz.links.create({ destination_url: DESTINATION, max_clicks: 3 });
  expect([created.max_clicks, created.exhausted]).toEqual([3, false]);
  expect((await kurz.links.update(created.id, { max_clicks: 1 })).max_clicks).toBe(1);
  expect(await kurz.links.update(created.id, { max_clicks: null })).toMatchObject({ max_clicks: null, version: 3 });
});

describe("a link that would start when it is over already", () => {
  const [first, second] = ["2099-01-01T00:00:00.000Z", "2099-02-01T00:00:00.000Z"];
  const problemsOf = async (work: Promise<unknown>) => fieldErrorsOf(await errorFrom(work, "validation_failed"));

  test("is refused, with the field", async () => {
    const { kurz } = await api.newCaller();
    for (const starts_at of [first, second])
      expect(await problemsOf(newLink(kurz, { starts_at, expires_at: first }))).toEqual([
        "body starts_at out_of_range",
      ]);
    expect((await newLink(kurz, { starts_at: first, expires_at: second })).scheduled).toBe(true);
  });

  test("is refused in a patch, too, whichever of the two it changes", async () => {
    const { kurz } = await api.newCaller();
    const expiring = await newLink(kurz, { expires_at: first });
    expect(await problemsOf(kurz.links.update(expiring.id, { starts_at: second }))).toEqual([
      "body starts_at out_of_range",
    ]);
    const starting = await newLink(kurz, { starts_at: second });
    expect(await problemsOf(kurz.links.update(starting.id, { expires_at: first }))).toEqual([
      "body expires_at out_of_range",
    ]);
    expect(await kurz.links.update(starting.id, { expires_at: first, starts_at: null })).toMatchObject({
      starts_at: null,
      expires_at: first,
    });
  });

  test("keeps its other fields open to change if it was made before that was checked", async () => {
    const { kurz } = await api.newCaller();
    const { id } = await newLink(kurz, { starts_at: first, expires_at: second });
    await changeRecords(api.server, "update links set expires_at = ? where id = ?", Date.parse(first), id);
    expect((await kurz.links.update(id, { title: "Sale" })).title).toBe("Sale");
  });
});

test("a card without anything on it is none", async () => {
  const { kurz } = await api.newCaller();
  const { id, preview } = await newLink(kurz, { preview: {} });
  expect(preview).toBeNull();
  expect((await kurz.links.update(id, { preview: { title: "Sale" } })).preview).not.toBeNull();
  expect((await kurz.links.update(id, { preview: { title: null } })).preview).toBeNull();
});

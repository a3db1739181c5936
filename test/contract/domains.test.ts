import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { LinkCreate, LinkPatch } from "#sdk/generated.ts";
import { KurzError } from "#sdk/kurz-error.ts";
import { type Caller, errorOf, fieldErrorsOf, newLink, outcomeOf } from "#test/support/api-client.ts";
import { changeRecords } from "#test/support/change-records.ts";
import { type DomainStage, newName, startDomainStage } from "#test/support/domain-stage.ts";

let stage: DomainStage;
let owner: Caller;
let other: Caller;

beforeAll(async () => {
  stage = await startDomainStage();
  owner = await stage.api.newCaller();
  other = await stage.api.newCaller();
});
afterAll(() => stage.stop());

const create = (name: unknown, { token }: Caller = owner) =>
  stage.api.call({ method: "POST", path: "/api/v1/domains", token, json: { name } });

describe("a new domain", () => {
  test("is pending, and shows the record that proves it", async () => {
    const name = newName();
    const { status, headers, text } = await create(name.toUpperCase());
    const domain = JSON.parse(text);
    expect(status).toBe(201);
    expect(headers.get("Location")).toBe(`/api/v1/domains/${domain.id}`);
    expect(headers.get("ETag")).toBe('"1"');
    expect(domain).toMatchObject({
      id: expect.stringMatching(/^dom_/),
      name,
      display_name: name,
      status: "pending",
      is_default: false,
      verification: { type: "TXT", name: `_kurz.${name}`, value: expect.stringMatching(/^kurz-verify=\w{26}$/) },
      last_checked_at: null,
      verified_at: null,
      verified_by: null,
      link_count: 0,
    });
  });

  test("has its international name in both forms", async () => {
    const domain = await owner.kurz.domains.create({ name: "Kürz.acme.example" });
    expect([domain.name, domain.display_name]).toEqual(["xn--krz-hoa.acme.example", "kürz.acme.example"]);
    expect((await owner.kurz.domains.list({ name: "kürz.ACME.example" })).data).toEqual([domain]);
  });

  test.each([
    ["go.acme.example:443", "invalid_format"],
    ["https://go.acme.example", "invalid_format"],
    ["go.acme.example/x", "invalid_format"],
    ["user@go.acme.example", "invalid_format"],
    ["go acme.example", "invalid_format"],
    ["-go.acme.example", "invalid_format"],
    ["go..example", "invalid_format"],
    ["*.acme.example", "invalid_format"],
    ["_x.acme.example", "invalid_format"],
    ["xn--a.example", "invalid_format"],
    ["acme", "invalid_format"],
    ["localhost", "invalid_format"],
    [`${"a".repeat(64)}.example`, "invalid_format"],
    [`${"abcdefg.".repeat(31)}x.yz`, "too_long"],
    ["192.0.2.1", "host_not_allowed"],
    ["[2001:db8::1]", "host_not_allowed"],
    ["0x7f.1", "host_not_allowed"],
    ["co.uk", "host_not_allowed"],
    ["github.io", "host_not_allowed"],
    ["127.0.0.1", "host_not_allowed"],
  ])("can't be %s", async (name, code) => {
    expect(fieldErrorsOf(errorOf(await create(name)))).toEqual([`body name ${code}`]);
  });

  test("can be added once by an account, and again by another", async () => {
    const name = newName();
    await create(name);
    const again = await create(name);
    expect([outcomeOf(again), errorOf(again).details]).toEqual(["409 domain_exists", { domain: name }]);
    expect((await create(name, other)).status).toBe(201);
  });

  test("is created once for each idempotency key", async () => {
    const name = newName();
    const options = { idempotencyKey: crypto.randomUUID() };
    const first = await owner.kurz.domains.create({ name }, options);
    expect(await owner.kurz.domains.create({ name }, options)).toEqual(first);
  });

  test("counts against the plan until it is removed", async () => {
    const { kurz } = await stage.api.newCaller({ plan: "pro" });
    const domains = [];
    for (let made = 0; made < 5; made += 1) domains.push(await kurz.domains.create({ name: newName() }));
    expect(await kurz.domains.create({ name: newName() }).catch((error: unknown) => error)).toMatchObject({
      code: "plan_limit",
      details: { feature: "domains", limit: 5 },
    });
    expect((await kurz.me.get()).plan.features.domains).toEqual({ limit: 5, used: 5 });
    await kurz.domains.delete(domains[0]?.id ?? "");
    await kurz.domains.create({ name: newName() });
  });
});

test("pages are complete, and a cursor of one's own invention is refused", async () => {
  const { kurz, token } = await stage.api.newCaller();
  const names = [newName(), newName(), newName()];
  for (const name of names) await kurz.domains.create({ name });
  const seen = [];
  for await (const { name } of kurz.domains.all({ limit: 2 })) seen.push(name);
  expect(seen).toEqual(names);
  const refused = await stage.api.call({ path: "/api/v1/domains?cursor=x", token });
  expect(fieldErrorsOf(errorOf(refused))).toEqual(["query cursor invalid_cursor"]);
});

describe("a change", () => {
  test("keeps what it leaves out, clears what is null, and needs the current version", async () => {
    const { id } = await owner.kurz.domains.create({ name: newName(), root_redirect_url: "https://acme.example" });
    const changed = await owner.kurz.domains.update(id, { expired_redirect_url: "https://acme.example/old" });
    expect(changed).toMatchObject({
      root_redirect_url: "https://acme.example/",
      expired_redirect_url: "https://acme.example/old",
      version: 2,
    });
    expect((await owner.kurz.domains.update(id, {})).version).toBe(2);
    expect(await owner.kurz.domains.update(id, { root_redirect_url: null })).toMatchObject({
      root_redirect_url: null,
      version: 3,
    });
    const late = owner.kurz.domains.update(id, { root_redirect_url: null }, { ifMatch: 1 });
    expect(await late.catch((error: unknown) => error)).toMatchObject({ code: "precondition_failed" });
  });

  test("checks addresses as those of links", async () => {
    const { id } = await owner.kurz.domains.create({ name: newName() });
    const answer = await stage.api.call({
      method: "PATCH",
      path: `/api/v1/domains/${id}`,
      token: owner.token,
      json: { root_redirect_url: "javascript:alert(1)", not_found_redirect_url: "http://10.0.0.1/" },
    });
    expect(fieldErrorsOf(errorOf(answer))).toEqual([
      "body not_found_redirect_url host_not_allowed",
      "body root_redirect_url scheme_not_allowed",
    ]);
  });

  test.each<[string, object, string[]]>([
    ["is empty", { apple_app_site_association: {} }, ["apple_app_site_association required"]],
    ["has no known part", { apple_app_site_association: { foo: 1 } }, ["apple_app_site_association required"]],
    ["is no object", { apple_app_site_association: [] }, ["apple_app_site_association type"]],
    [
      "has no details",
      { apple_app_site_association: { applinks: {} } },
      ["apple_app_site_association.applinks.details required"],
    ],
    [
      "has details that are no list",
      { apple_app_site_association: { applinks: { details: {} } } },
      ["apple_app_site_association.applinks.details type"],
    ],
    [
      "has apps that are no text",
      { apple_app_site_association: { applinks: { details: [] }, webcredentials: { apps: [1] } } },
      ["apple_app_site_association.webcredentials.apps.0 type"],
    ],
    ["is no list of statements", { assetlinks: {} }, ["assetlinks type"]],
    ["has no relation", { assetlinks: [{ target: { namespace: "web" } }] }, ["assetlinks.0.relation required"]],
    [
      "has an empty relation",
      { assetlinks: [{ relation: [], target: { namespace: "web" } }] },
      ["assetlinks.0.relation too_short"],
    ],
    ["has no target", { assetlinks: [{ relation: ["x"] }] }, ["assetlinks.0.target required"]],
    [
      "has a target without a namespace",
      { assetlinks: [{ relation: ["x"], target: {} }] },
      ["assetlinks.0.target.namespace required"],
    ],
    [
      "has too many statements",
      { assetlinks: Array(501).fill({ relation: ["x"], target: { namespace: "" } }) },
      ["assetlinks too_long"],
    ],
  ])("refuses a document for apps that %s", async (_, app_links, problems) => {
    const { token, kurz } = owner;
    const { id } = await kurz.domains.create({ name: newName() });
    const answer = await stage.api.call({ method: "PATCH", path: `/api/v1/domains/${id}`, token, json: { app_links } });
    expect(outcomeOf(answer)).toBe("422 validation_failed");
    expect(fieldErrorsOf(errorOf(answer))).toEqual(problems.map((problem) => `body app_links.${problem}`));
  });

  test("refuses a document for apps that is larger than 64 KiB", async () => {
    const { token, kurz } = owner;
    const { id } = await kurz.domains.create({ name: newName() });
    const patch = (length: number) => {
      const details = Array.from({ length }, (_, no) => ({ appIDs: [`ABCDE12345.${"x".repeat(985)}.${no}`] }));
      const json = { app_links: { apple_app_site_association: { applinks: { details } } } };
      return stage.api.call({ method: "PATCH", path: `/api/v1/domains/${id}`, token, json });
    };
    expect((await patch(60)).status).toBe(200);
    expect(outcomeOf(await patch(66))).toBe("413 payload_too_large");
    expect((await kurz.domains.get(id)).app_links.apple_app_site_association?.applinks?.details).toHaveLength(60);
  });

  test("makes a verified domain the only default", async () => {
    const { kurz } = await stage.api.newCaller();
    const pending = await kurz.domains.create({ name: newName() });
    expect(await kurz.domains.update(pending.id, { is_default: true }).catch((error: unknown) => error)).toMatchObject({
      code: "domain_not_verified",
    });
    const first = await stage.verified(kurz);
    const second = await stage.verified(kurz);
    await kurz.domains.update(first.id, { is_default: true });
    await kurz.domains.update(second.id, { is_default: true });
    expect((await kurz.domains.get(first.id)).is_default).toBe(false);
    expect((await newLink(kurz)).domain).toBe(second.name);
    expect((await newLink(kurz, { domain: first.name })).domain).toBe(first.name);
  });
});

describe("links", () => {
  test("are created on a verified domain, and are a namespace of their own", async () => {
    const { name } = await stage.verified(owner.kurz);
    const here = await newLink(owner.kurz, { domain: name.toUpperCase(), slug: "sale" });
    expect(here).toMatchObject({ domain: name, slug: "sale" });
    expect(new URL(here.short_url).hostname).toBe(name);
    const own = await newLink(owner.kurz, { slug: "sale" });
    expect(own.domain).not.toBe(name);
    expect(await owner.kurz.links.get(here.id)).toEqual(here);
    const bySlug = await owner.kurz.links.list({ slug: "sale" });
    expect(bySlug.data.map(({ id }) => id).sort()).toEqual([here.id, own.id].sort());
    expect((await owner.kurz.links.list({ domain: name })).data).toEqual([here]);
    expect((await owner.kurz.links.list({ domain: name, slug: "SALE" })).data).toEqual([here]);
    expect((await owner.kurz.links.list({ domain: own.domain, slug: "sale" })).data).toEqual([own]);
    expect((await owner.kurz.links.list({ domain: "nowhere.example" })).data).toEqual([]);
  });

  test("have a domain that can be spelled in several ways, the instance's own as well", async () => {
    const domain = await stage.verified(owner.kurz);
    const own = (await newLink(owner.kurz)).domain;
    for (const [name, stored] of [
      [`${domain.name}.`, domain.name],
      [` ${domain.name.toUpperCase()} `, domain.name],
      [own, own],
      [own.replace(/:\d+$/, ""), own],
      [own.replace(/:\d+$/, "."), own],
    ] as const) {
      const link = await newLink(owner.kurz, { domain: name });
      expect([name, link.domain]).toEqual([name, stored]);
      expect((await owner.kurz.links.list({ domain: name, slug: link.slug })).data).toEqual([link]);
    }
  });

  test("keep a deleted slug taken on their domain only", async () => {
    const { name } = await stage.verified(owner.kurz);
    const { id } = await newLink(owner.kurz, { domain: name, slug: "gone-here" });
    await owner.kurz.links.delete(id);
    const again = newLink(owner.kurz, { domain: name, slug: "gone-here" });
    expect(await again.catch((error: unknown) => error)).toMatchObject({
      code: "slug_taken",
      message: `The slug "gone-here" is already taken on ${name}, or was used there by a deleted link.`,
    });
    await newLink(owner.kurz, { slug: "gone-here" });
    expect((await stage.ask(name, "/gone-here")).status).toBe(410);
  });

  test("can't be created on a pending, foreign or unknown domain", async () => {
    const pending = await owner.kurz.domains.create({ name: newName() });
    const foreign = await stage.verified(other.kurz);
    const lost = await stage.verified(owner.kurz);
    await stage.api.server.kurz([
      "domains",
      "add",
      "--account",
      other.account,
      "--name",
      lost.name,
      "--verified",
      "--take-over",
    ]);
    const unknown = (domain: string) => `"${domain}" isn't one of the account's verified domains.`;
    for (const [domain, message] of [
      [pending.name, `${pending.name} isn't verified yet. Add its TXT record and verify it first.`],
      [lost.name, `The operator gave ${lost.name} to another account. If that is a mistake, ask the operator.`],
      ...[foreign.name, "nowhere.example", "", "::"].map((name) => [name, unknown(name)] as const),
    ] as const) {
      const refused = await newLink(owner.kurz, { domain }).catch((error: unknown) => error);
      expect(refused).toMatchObject({ status: 422, code: "domain_not_verified", message, details: { domain } });
    }
  });

  test("in the trash don't come back to a domain that is gone", async () => {
    const { id: domainId, name } = await stage.verified(owner.kurz);
    const { id } = await newLink(owner.kurz, { domain: name });
    await owner.kurz.links.delete(id);
    // As a node of the release before does, which knows no trash.
    changeRecords(stage.api.server, "delete from domains where id = ?", domainId);
    expect(await owner.kurz.links.restore(id).catch((error: unknown) => error)).toMatchObject({
      code: "domain_not_verified",
      details: { domain: name },
    });
  });

  test("keep their domain from being removed", async () => {
    const { id, name } = await stage.verified(owner.kurz);
    const link = await newLink(owner.kurz, { domain: name });
    await owner.kurz.links.archive(link.id);
    expect(await owner.kurz.domains.delete(id).catch((error: unknown) => error)).toMatchObject({
      status: 409,
      code: "domain_in_use",
      details: { links: 1 },
    });
    expect((await owner.kurz.domains.get(id)).link_count).toBe(1);
    await owner.kurz.links.delete(link.id);
    expect((await owner.kurz.domains.get(id)).link_count).toBe(0);
    expect(await owner.kurz.domains.delete(id).catch((error: unknown) => error)).toMatchObject({
      code: "domain_in_use",
      message: "The domain has 1 link in the trash. Delete it for good first.",
      details: { links: 1 },
    });
    await owner.kurz.links.delete(link.id, { permanent: true });
    await owner.kurz.domains.delete(id);
    expect(await owner.kurz.domains.get(id).catch((error: unknown) => error)).toMatchObject({ code: "not_found" });
  });
});

describe("nothing of an account leads to its own domains:", () => {
  const refusalOf = async (work: Promise<unknown>): Promise<unknown> => {
    const error = await work.then(
      () => null,
      (refusal: unknown) => refusal,
    );
    return error instanceof KurzError ? fieldErrorsOf(error) : error;
  };
  const addressOn = (name: string, path = "/x"): string => `http://${name}:${stage.api.server.port}${path}`;

  test("not a link, in any of its addresses", async () => {
    const { name } = await stage.verified(owner.kurz);
    const itself = addressOn(`${name.toUpperCase()}.`, "/self");
    const link = await newLink(owner.kurz, { domain: name, slug: "self" });
    const rules = [
      { destination_url: "https://example.com/a" },
      {
        split: [
          { weight: 1, destination_url: "https://example.com/b" },
          { weight: 1, destination_url: itself },
        ],
      },
    ];
    const refused: [Partial<LinkCreate>, string][] = [
      [{ destination_url: itself }, "body destination_url self_reference"],
      [{ rules }, "body rules.1.split.1.destination_url self_reference"],
      [{ expired_url: itself }, "body expired_url self_reference"],
      [{ preview: { image_url: itself } }, "body preview.image_url self_reference"],
    ];
    for (const [body, problem] of refused) {
      expect(await refusalOf(owner.kurz.links.update(link.id, body as LinkPatch))).toEqual([problem]);
      expect(await refusalOf(newLink(owner.kurz, body))).toEqual([problem]);
    }
    expect(await refusalOf(owner.kurz.links.resolve(link.id, { destination_url: itself }))).toEqual([
      "body destination_url self_reference",
    ]);
    // Whatever the port of the base address, a proxy may answer on those of http and https.
    for (const url of [`https://${name}/`, `http://${name}/`, `https://${name}:80/`, itself.replace("http:", "https:")])
      expect(await refusalOf(owner.kurz.links.update(link.id, { destination_url: url }))).toEqual([
        "body destination_url self_reference",
      ]);
    // Another port is another site, as for the instance's own host.
    expect(await refusalOf(owner.kurz.links.update(link.id, { destination_url: `https://${name}:9999/` }))).toBeNull();
  });

  test("not the addresses of a domain, from the moment it is added", async () => {
    const [name, root_redirect_url] = [newName(), "https://acme.example/"];
    const itself = { not_found_redirect_url: addressOn(name), root_redirect_url };
    const problem = ["body not_found_redirect_url self_reference"];
    expect(await refusalOf(owner.kurz.domains.create({ name, ...itself }))).toEqual(problem);
    const first = await owner.kurz.domains.create({ name, root_redirect_url });
    expect(await refusalOf(owner.kurz.domains.update(first.id, itself))).toEqual(problem);
    const second = await stage.verified(owner.kurz);
    const expired_redirect_url = addressOn(second.name);
    expect(await refusalOf(owner.kurz.domains.update(first.id, { expired_redirect_url }))).toEqual([
      "body expired_redirect_url self_reference",
    ]);
  });

  test("but to those of another account, and what led there before can be kept", async () => {
    const name = newName();
    const link = await newLink(owner.kurz, { destination_url: addressOn(name) });
    const { id } = await owner.kurz.domains.create({ name });
    expect((await owner.kurz.links.update(link.id, { title: "Kept" })).destination_url).toBe(addressOn(name));
    expect(await refusalOf(newLink(other.kurz, { destination_url: addressOn(name) }))).toBeNull();
    await owner.kurz.domains.delete(id);
    expect(await refusalOf(newLink(owner.kurz, { destination_url: addressOn(name) }))).toBeNull();
  });
});

describe("ownership", () => {
  test("is proven by the record alone, and a failed look-up says why", async () => {
    const domain = await owner.kurz.domains.create({ name: newName() });
    const { name } = domain.verification;
    const problems = [];
    problems.push((await owner.kurz.domains.verify(domain.id)).last_problem);
    stage.dns.set(name, "kurz-verify=other");
    problems.push((await owner.kurz.domains.verify(domain.id)).last_problem);
    stage.dns.fail(name, "serverFailure");
    problems.push((await owner.kurz.domains.verify(domain.id)).last_problem);
    expect(problems).toEqual([
      `There is no TXT record at ${name}. New records can take a while to show.`,
      `The TXT record at ${name} has another value.`,
      `The TXT record of ${name} couldn't be looked up: the name server failed.`,
    ]);
    stage.prove(domain);
    const verified = await owner.kurz.domains.verify(domain.id);
    expect(verified).toMatchObject({ status: "verified", verified_by: "dns", last_problem: null, version: 2 });
    expect(verified.verified_at).toBe(verified.last_checked_at);
  });

  test("stays with the first while both records are there, and moves once the holder's is gone", async () => {
    const held = await stage.verified(owner.kurz);
    const link = await newLink(owner.kurz, { domain: held.name, slug: "x" });
    await owner.kurz.domains.update(held.id, { is_default: true });
    const claim = await other.kurz.domains.create({ name: held.name });

    stage.prove(claim);
    const waiting = await other.kurz.domains.verify(claim.id);
    expect(waiting).toMatchObject({ status: "pending", last_problem: expect.stringContaining("Another account") });
    expect((await stage.ask(held.name, "/x")).status).toBe(302);

    stage.forget(held);
    expect((await stage.ask(held.name, "/x")).status).toBe(302);
    expect((await other.kurz.domains.verify(claim.id)).status).toBe("verified");
    expect(await owner.kurz.domains.get(held.id)).toMatchObject({ status: "lost", is_default: false, link_count: 1 });
    expect((await stage.ask(held.name, "/x")).status).toBe(404);
    expect((await owner.kurz.links.get(link.id)).domain).toBe(held.name);
    await newLink(other.kurz, { domain: held.name, slug: "x", destination_url: "https://new.example/" });
    expect((await stage.ask(held.name, "/x")).headers.get("Location")).toBe("https://new.example/");

    stage.prove(held);
    expect((await owner.kurz.domains.verify(held.id)).status).toBe("lost");
    stage.forget(claim);
    expect((await owner.kurz.domains.verify(held.id)).status).toBe("verified");
    expect((await other.kurz.domains.get(claim.id)).status).toBe("lost");
    expect((await stage.ask(held.name, "/x")).headers.get("Location")).toBe("https://example.com/");
  });

  test("decides what a dry run says of a link: the same as the redirect does", async () => {
    const held = await stage.verified(owner.kurz);
    const link = await newLink(owner.kurz, { domain: held.name, slug: "x" });
    const both = async () => {
      const { status, location, obstacles } = await owner.kurz.links.resolve(link.id);
      const answer = await stage.ask(held.name, "/x");
      expect([status, location]).toEqual([answer.status, answer.headers.get("Location")]);
      return [status, location, obstacles[0]?.code];
    };
    expect(await both()).toEqual([302, "https://example.com/", undefined]);

    const claim = await other.kurz.domains.create({ name: held.name });
    stage.forget(held);
    stage.prove(claim);
    await other.kurz.domains.verify(claim.id);
    expect(await both()).toEqual([404, null, "domain"]);
    await owner.kurz.domains.update(held.id, { not_found_redirect_url: "https://acme.example/mine" });
    await other.kurz.domains.update(claim.id, { not_found_redirect_url: "https://other.example/lost" });
    expect(await both()).toEqual([302, "https://other.example/lost", "domain"]);
    await other.kurz.domains.delete(claim.id);
    expect(await both()).toEqual([404, null, "domain"]);

    stage.prove(held);
    await owner.kurz.domains.verify(held.id);
    expect(await both()).toEqual([302, "https://example.com/", undefined]);
  });

  test("moves to whom the operator vouches for, though the holder's record is there", async () => {
    const held = await stage.verified(owner.kurz);
    await newLink(owner.kurz, { domain: held.name, slug: "x" });
    const args = ["domains", "add", "--account", other.account, "--name", held.name, "--verified"];
    const refused = await stage.api.server.kurz(args);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain(`account ${owner.account} holds ${held.name} (1 link on it)`);
    expect(refused.stderr).toContain("--take-over");
    expect((await other.kurz.domains.list({ name: held.name })).data).toEqual([]);
    expect((await stage.ask(held.name, "/x")).status).toBe(302);

    const taken = await stage.api.server.kurz([...args, "--take-over"]);
    expect(taken).toMatchObject({ code: 0, stderr: "" });
    expect(taken.stdout).toContain(`Account ${owner.account} lost it (${held.id}, 1 link on it).`);
    const last_problem = `The operator gave ${held.name} to another account.`;
    expect(await owner.kurz.domains.get(held.id)).toMatchObject({ status: "lost", last_problem });
    expect((await other.kurz.domains.list({ name: held.name })).data[0]?.status).toBe("verified");
    expect((await stage.ask(held.name, "/x")).status).toBe(404);

    expect((await owner.kurz.domains.verify(held.id)).status).toBe("verified");
    expect((await stage.ask(held.name, "/x")).status).toBe(302);
  });

  test("isn't lost because a record is missing", async () => {
    const held = await stage.verified(owner.kurz);
    await newLink(owner.kurz, { domain: held.name, slug: "x" });
    stage.forget(held);
    const checked = await owner.kurz.domains.verify(held.id);
    expect(checked).toMatchObject({ status: "verified", last_problem: expect.stringContaining("no TXT record") });
    expect((await stage.ask(held.name, "/x")).status).toBe(302);
  });
});

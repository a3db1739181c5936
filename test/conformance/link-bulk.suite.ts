import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type BulkResult, bulkLinks, type LinkBulkResults } from "#contract/link-bulk.ts";
import { createLink, linkActions, updateLink } from "#contract/links.ts";
import type { Records } from "#engines/records/records.ts";
import { parseBody } from "#http/read-input.ts";
import { type IdempotencyKey, Replayed } from "#http/route.ts";
import { ApiError, validationFailed } from "#kernel/api-error.ts";
import type { Caller } from "#kernel/caller.ts";
import { newId } from "#kernel/ids.ts";
import { linkBodyCheck } from "#links/check-link-body.ts";
import type { LinkService } from "#links/links.service.ts";
import { someLink, somePatch } from "#test/support/random-link-changes.ts";
import { createTestLink, linkQuery, testDestinations, testLinkService } from "#test/support/test-links.ts";
import { newTestCaller } from "#test/support/test-records.ts";

interface Opened {
  readonly records: Records;
  close(): Promise<void>;
}

const LINKS = 6;
const ACTIVE_MAX = 8;

/** Of a link by its place among those there are; the last place has none. */
const somePlace = fc.integer({ min: 0, max: LINKS });
const someVersion = fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined, freq: 5 });
const bad = fc.constantFrom<Record<string, unknown>>(
  { destination_url: "ftp://example.com/" },
  { destination_url: "https://s.example/x", title: "" },
  { nonsense: 1 },
  { slug: "robots.txt", destination_url: "https://example.com/" },
  { external_id: "one", destination_url: "https://example.com/" },
);
const someBody = <T extends object>(good: fc.Arbitrary<T>): fc.Arbitrary<object> =>
  fc.oneof({ weight: 6, arbitrary: good as fc.Arbitrary<object> }, { weight: 1, arbitrary: bad });

type Step = {
  readonly op: string;
  readonly place?: number;
  readonly version?: number | undefined;
  readonly link?: object;
};

const someOperation: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    op: fc.constant("create"),
    link: fc
      .tuple(someBody(someLink), fc.option(fc.constantFrom("one", "two"), { nil: undefined }))
      .map(([body, slug]) => (slug === undefined ? body : { ...body, slug })),
  }),
  fc.record({ op: fc.constant("update"), place: somePlace, version: someVersion, link: someBody(somePatch) }),
  fc.record({ op: fc.constantFrom(...linkActions, "delete", "explode"), place: somePlace, version: someVersion }),
);

/** What every records engine guarantees of many operations at once. */
export function linkBulkConformance(name: string, runs: number, open: () => Promise<Opened>): void {
  describe(`many operations at once on ${name}`, () => {
    let opened: Opened;
    let records: Records;
    let links: LinkService;

    beforeAll(async () => {
      opened = await open();
      records = opened.records;
      links = testLinkService(records);
    });
    afterAll(() => opened.close());

    /** An account with links and a webhook endpoint, whose slugs begin with its id. */
    const newStage = async () => {
      const caller = await newTestCaller(records, { active_links: ACTIVE_MAX });
      const prefix = caller.accountId.replace("_", "-").toLowerCase().slice(0, 40);
      const values = { id: newId("whe"), account_no: caller.accountNo, url: "https://hooks.example/", secret: "none" };
      const events = JSON.stringify([
        ...linkActions.map((action) => `link.${action}d`),
        "link.created",
        "link.updated",
      ]);
      const times = { created_at: 1, updated_at: 1, disabled_at: null, disabled_by: null, takes_clicks: 0 as const };
      const rest = { description: null, old_secret: null, old_secret_until: null, failing_since: null };
      await records.write((tx) =>
        tx
          .insertInto("webhook_endpoints")
          .values({ ...values, ...times, ...rest, events, last_failure_at: null, exhausted_at: null })
          .execute(),
      );
      const ids: string[] = [];
      for (let place = 0; place < LINKS; place += 1) {
        ids.push((await createTestLink(links, caller, { slug: `${prefix}-${place}` })).id);
      }
      return { caller, prefix, ids };
    };
    type Stage = Awaited<ReturnType<typeof newStage>>;

    const operationOf = ({ prefix, ids }: Stage, { op, place, version, link }: Step): object => ({
      op,
      ...(place !== undefined && { id: ids[place] ?? "lnk_absent" }),
      ...(version !== undefined && { if_version: version }),
      ...(link && { link: "slug" in link ? { ...link, slug: `${prefix}-${link.slug}` } : link }),
    });

    /** As a request of its own. */
    const single = async ({ caller }: Stage, operation: object): Promise<BulkResult> => {
      const { op, id = "", if_version, link } = operation as Record<string, string> & { link?: unknown };
      const ifMatch = if_version === undefined ? null : [String(if_version)];
      const read = (endpoint: typeof createLink | typeof updateLink): never => {
        const { value, errors } = parseBody({ endpoint, checkBody: linkBodyCheck(testDestinations, Date.now) }, link);
        if (errors.length > 0) throw validationFailed(errors);
        return value as never;
      };
      try {
        if (op === "create") {
          const created = await createTestLink(links, caller, read(createLink));
          return { status: 201, link: created, error: null };
        }
        if (op === "update") {
          return { status: 200, link: await links.update(caller, id, read(updateLink), ifMatch), error: null };
        }
        if (op === "delete") {
          await links.delete(caller, id, ifMatch);
          return { status: 204, link: null, error: null };
        }
        return { status: 200, link: await links.act(caller, id, op as "pause", ifMatch), error: null };
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const { status, code, message, details } = error;
        return { status, link: null, error: { code, message, ...(details && { details: details as never }) } };
      }
    };

    const bulk = async (caller: Caller, operations: readonly unknown[], atomic = false, key: string | null = null) => {
      const idempotency: IdempotencyKey | null =
        key === null ? null : { operation: bulkLinks.id, key, fingerprint: "f" };
      const done = await links.bulk(caller, { operations: [...operations], atomic }, idempotency);
      return done instanceof Replayed ? (JSON.parse(done.json) as LinkBulkResults) : done;
    };

    /** Ids, random slugs and times differ between accounts that are otherwise the same. */
    const comparable = ({ prefix, caller }: Stage, value: unknown): unknown => {
      const seen = new Map<string, string>();
      const name = (kind: string) => (text: string) => {
        if (!seen.has(text)) seen.set(text, `${kind} ${seen.size}`);
        return seen.get(text) ?? "";
      };
      const text = JSON.stringify(value)
        .replaceAll(prefix, "own")
        .replaceAll(caller.accountId, "account")
        .replace(/(?:lnk|evt)_[0-9a-z]{26}/g, name("id"))
        .replace(/(?<="slug":"|s\.example\/)[a-z0-9]{8}(?=")/g, name("slug"))
        // A header of a single call is a field of an operation.
        .replace(
          /If-Match does not name the current version, which is \\"(\d+)\\"\./g,
          "if_version is not the current version, which is $1.",
        )
        .replace(/20(?!99)\d\d-\d\d-\d\dT[\d:.]+Z/g, "time");
      return JSON.parse(text);
    };

    /** Everything that is kept of an account's links. */
    const stateOf = async (stage: Stage): Promise<unknown> => {
      const { accountNo } = stage.caller;
      const { data } = await links.list(stage.caller, linkQuery({ state: ["all"], sort: "created_at", limit: 100 }));
      const trash = await links.list(stage.caller, linkQuery({ state: ["deleted"], sort: "created_at", limit: 100 }));
      const histories = [];
      for (const { id } of [...data, ...trash.data]) {
        histories.push(await links.history(stage.caller, id, { limit: 100 }));
      }
      const of = (table: "link_audit" | "webhook_events") =>
        records.read.selectFrom(table).selectAll().where("account_no", "=", accountNo).orderBy("no").execute();
      const audit = await of("link_audit");
      const events = (await of("webhook_events")).map((row) => JSON.parse((row as { body: string }).body));
      const tags = await links.tags(stage.caller);
      const account = await records.read
        .selectFrom("accounts")
        .select("active_links")
        .where("no", "=", accountNo)
        .executeTakeFirst();
      const keys = await records.read.selectFrom("changes").select("key").orderBy("seq").execute();
      const changes = keys.filter(({ key }) => key?.includes(stage.prefix)).map(({ key }) => key);
      const what = audit.map((row) => ({ ...row, no: 0, at: 0, account_no: 0, slug: "" }));
      return comparable(stage, { data, trash: trash.data, histories, what, events, tags, account, changes });
    };

    test("do what as many single calls do, and answer the same", async () => {
      const seed = Number(process.env.SEED ?? Date.now());
      const all = fc.sample(fc.array(someOperation, { minLength: 1, maxLength: 25 }), { numRuns: runs, seed });
      try {
        for (const steps of all) {
          const [one, many] = [await newStage(), await newStage()];
          const singly: BulkResult[] = [];
          for (const step of steps) {
            // There is no request of its own for an operation that doesn't exist.
            if (step.op !== "explode") singly.push(await single(one, operationOf(one, step)));
          }
          const { results, succeeded, failed } = await bulk(
            many.caller,
            steps.map((step) => operationOf(many, step)),
          );
          expect([results.length, succeeded + failed]).toEqual([steps.length, steps.length]);
          const known = results.filter((_, index) => steps[index]?.op !== "explode");
          expect(comparable(many, known)).toEqual(comparable(one, singly));
          expect(await stateOf(many)).toEqual(await stateOf(one));
        }
      } catch (error) {
        throw new Error(`with SEED=${seed}`, { cause: error });
      }
    });

    test("all or nothing: the same as each by itself if all succeed, and nothing at all otherwise", async () => {
      const seed = Number(process.env.SEED ?? Date.now());
      const all = fc.sample(fc.array(someOperation, { minLength: 1, maxLength: 8 }), { numRuns: runs, seed });
      try {
        for (const steps of all) {
          const [each, atomic] = [await newStage(), await newStage()];
          const before = await stateOf(atomic);
          const expected = await bulk(
            each.caller,
            steps.map((step) => operationOf(each, step)),
          );
          const first = expected.results.findIndex(({ error }) => error !== null);
          const run = bulk(
            atomic.caller,
            steps.map((step) => operationOf(atomic, step)),
            true,
          );
          if (first < 0) {
            expect(comparable(atomic, await run)).toEqual(comparable(each, expected));
            expect(await stateOf(atomic)).toEqual(await stateOf(each));
            continue;
          }
          const error = await run.then(
            () => null,
            (thrown: ApiError) => thrown,
          );
          expect(error?.code).toBe("operation_failed");
          expect(await stateOf(atomic)).toEqual(before);
        }
      } catch (error) {
        throw new Error(`with SEED=${seed}`, { cause: error });
      }
    });

    test("a thousand are done in one request, and a retry with the key does none of them again", async () => {
      const caller = await newTestCaller(records);
      const operations = Array.from({ length: 1000 }, (_, index) => ({
        op: "create",
        link: { destination_url: `https://example.com/${index}`, tags: ["bulk"] },
      }));
      for (const atomic of [false, true]) {
        const first = await bulk(caller, operations, atomic, `key ${atomic}`);
        expect([first.succeeded, first.failed]).toEqual([1000, 0]);
        expect(await bulk(caller, operations, atomic, `key ${atomic}`)).toEqual(first);
      }
      expect(await links.count(caller, linkQuery())).toEqual({ count: 2000, at_least: false });
    });

    test("a retry goes on where the first request was cut off", async () => {
      const caller = await newTestCaller(records);
      const operations = Array.from({ length: 120 }, () => ({
        op: "create",
        link: { destination_url: "https://a.example/" },
      }));
      // As if the process was killed after the first transaction.
      const cut = testLinkService({
        ...records,
        write: async (work, options) => {
          if ((await links.count(caller, linkQuery())).count > 0) throw new Error("killed");
          return records.write(work, options);
        },
      });
      const key: IdempotencyKey = { operation: bulkLinks.id, key: "again", fingerprint: "f" };
      await expect(cut.bulk(caller, { operations, atomic: false }, key)).rejects.toThrow("killed");
      expect((await links.count(caller, linkQuery())).count).toBe(50);
      const { results } = await bulk(caller, operations, false, "again");
      expect(new Set(results.map(({ link }) => link?.id)).size).toBe(120);
      expect((await links.count(caller, linkQuery())).count).toBe(120);
    });
  });
}

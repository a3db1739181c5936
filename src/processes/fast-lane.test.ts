import { afterAll, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { openLaneComparison } from "./fixtures/lane-comparison.ts";
import { randomRequest } from "./fixtures/random-requests.ts";
import { corpus } from "./fixtures/request-corpus.ts";

setDefaultTimeout(600_000);
const { fillCaches, expectSame, stop } = await openLaneComparison();
afterAll(stop);

test("the lane answers, records and counts exactly as the HTTP server does, whatever a client sends", async () => {
  const conversations = corpus.map((request) => [request]);
  await expectSame(conversations);
  await fillCaches();
  await expectSame(conversations);
  await expectSame(corpus.map((request) => [request.slice(0, 30), request.slice(30, 50), request.slice(50)]));
});

test("the lane does so for random requests too", async () => {
  await fillCaches();
  await fc.assert(
    fc.asyncProperty(fc.array(randomRequest, { minLength: 20, maxLength: 40 }), (conversations) =>
      expectSame(conversations),
    ),
    { numRuns: 12, endOnFailure: true },
  );
});

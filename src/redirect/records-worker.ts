import { openRedirectReader } from "#engines/open-engines.ts";
import type { RedirectReader } from "#engines/records/redirect-reader.ts";
import { reasonOf } from "#kernel/error-text.ts";
import { answerCalls } from "#kernel/worker-calls.ts";
import { newsSince } from "./change-news.ts";
import type { ThreadAnswer, ThreadRequest, ThreadRequests } from "./records-thread.ts";
import { createReopeningReader } from "./reopening-reader.ts";

let reader: RedirectReader | undefined;

answerCalls(async ({ place, requests }: ThreadRequests): Promise<readonly ThreadAnswer[]> => {
  reader ??= createReopeningReader({ open: () => openRedirectReader(place) });
  const records = reader;
  return Promise.all(requests.map((request) => answer(records, request)));
});

async function answer(records: RedirectReader, request: ThreadRequest): Promise<ThreadAnswer> {
  const { id } = request;
  try {
    const value =
      "slug" in request
        ? await records.find(request.slug, request.notBefore)
        : await newsSince(records, request.seq, request.isBehind);
    return { id, value };
  } catch (error) {
    return { id, problem: reasonOf(error) };
  }
}

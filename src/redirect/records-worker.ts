import { openSqliteRedirectReader, type RedirectReader } from "#engines/records/redirect-reader.ts";
import { reasonOf } from "#kernel/error-text.ts";
import { answerCalls } from "#kernel/worker-calls.ts";
import { newsSince } from "./change-news.ts";
import type { ThreadAnswer, ThreadRequest, ThreadRequests } from "./records-thread.ts";
import { createReopeningReader } from "./reopening-reader.ts";

let reader: RedirectReader | undefined;

answerCalls(async ({ path, requests }: ThreadRequests): Promise<readonly ThreadAnswer[]> => {
  reader ??= createReopeningReader({ open: async () => openSqliteRedirectReader(path) });
  const records = reader;
  return Promise.all(requests.map((request) => answer(records, request)));
});

async function answer(records: RedirectReader, request: ThreadRequest): Promise<ThreadAnswer> {
  const { id } = request;
  try {
    const value =
      "slug" in request ? await records.find(request.slug) : await newsSince(records, request.seq, request.isBehind);
    return { id, value };
  } catch (error) {
    return { id, problem: reasonOf(error) };
  }
}

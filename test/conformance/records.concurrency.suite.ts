import { afterAll, beforeAll, describe } from "bun:test";
import { concurrentCommits } from "./records.concurrency.commits.ts";
import { concurrentJobs } from "./records.concurrency.jobs.ts";
import { concurrencyLab, type OpenedNodes } from "./records.concurrency.lab.ts";
import { concurrentLinks } from "./records.concurrency.links.ts";
import { concurrentPeople } from "./records.concurrency.people.ts";

/** Rules that must hold whichever nodes write at the same time. */
export function concurrencyConformance(name: string, open: () => Promise<OpenedNodes>): void {
  describe(`concurrent writers of records on ${name}`, () => {
    let opened: OpenedNodes;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());

    const lab = concurrencyLab(() => opened);
    concurrentLinks(lab);
    concurrentPeople(lab);
    concurrentJobs(lab);
    concurrentCommits(lab);
  });
}

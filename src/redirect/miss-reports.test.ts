import { describe, expect, test } from "bun:test";
import type { MissCount } from "#engines/coordination/change-messages.ts";
import { MissReports, type MissReportsOptions } from "./miss-reports.ts";

function open(options: Partial<MissReportsOptions> = {}) {
  const sent: [n: number, counts: readonly MissCount[]][] = [];
  const send = (n: number, counts: readonly MissCount[]): boolean => sent.push([n, counts]) > 0;
  return { sent, reports: new MissReports({ unconfirmedMax: 4, send, ...options }) };
}

describe("MissReports", () => {
  test("reports each miss once", () => {
    const { sent, reports } = open({ unconfirmedMax: 100 });
    for (const address of ["a", "b", "a", "a"]) reports.add(address);
    expect(sent).toEqual([]);
    reports.flush();
    reports.flush();
    expect(sent).toEqual([
      [
        0,
        [
          ["a", 3],
          ["b", 1],
        ],
      ],
    ]);
  });

  test("reports an address with many misses at once", () => {
    const { sent, reports } = open();
    reports.add("a");
    reports.add("a");
    expect(sent).toEqual([[0, [["a", 2]]]]);
  });

  test("has room again only for what control has confirmed", async () => {
    const { reports } = open();
    for (let miss = 0; miss < 4; miss += 1) reports.add("a");
    expect([reports.hasRoomFor("a"), reports.hasRoomFor("b")]).toEqual([false, true]);
    const confirmation = reports.nextConfirmation();
    reports.confirm(0);
    await confirmation;
    expect(reports.hasRoomFor("a")).toBe(true);
    reports.add("a");
    reports.add("a");
    expect(reports.hasRoomFor("a")).toBe(false);
    reports.confirm(2);
    expect(reports.hasRoomFor("a")).toBe(true);
  });

  test("callers don't wait for a control that is unavailable, hangs or was just lost", async () => {
    const away = open({ send: () => false }).reports;
    for (let miss = 0; miss < 8; miss += 1) away.add("a");
    await away.nextConfirmation();
    expect(away.hasRoomFor("a")).toBe(true);

    const hung = open({ waitMsMax: 5 }).reports;
    for (let miss = 0; miss < 4; miss += 1) hung.add("a");
    await hung.nextConfirmation();
    expect(hung.hasRoomFor("a")).toBe(true);

    const lost = open().reports;
    for (let miss = 0; miss < 4; miss += 1) lost.add("a");
    const confirmation = lost.nextConfirmation();
    lost.giveUp();
    await confirmation;
    expect(lost.hasRoomFor("a")).toBe(true);
  });

  test("after an outage, control gets the last minute's misses and nothing older", () => {
    const clock = { now: 0 };
    const heard: (readonly MissCount[])[] = [];
    let isAway = true;
    const send = (_: number, counts: readonly MissCount[]): boolean => !isAway && heard.push(counts) > 0;
    const { reports } = open({ send, now: () => clock.now });
    for (let miss = 0; miss < 8; miss += 1) reports.add("a");
    isAway = false;
    reports.flush();
    expect(heard).toEqual([[["a", 8]]]);

    isAway = true;
    reports.add("a");
    clock.now = 60_001;
    reports.flush();
    isAway = false;
    reports.add("b");
    reports.flush();
    expect(heard.slice(1)).toEqual([[["b", 1]]]);
  });

  test("unconfirmed reports don't pile up", () => {
    const { sent, reports } = open({ unconfirmedMax: Number.POSITIVE_INFINITY });
    for (let report = 0; report < 1000; report += 1) {
      reports.add("a");
      reports.flush();
    }
    expect(sent).toHaveLength(1000);
    reports.confirm(999);
    expect(reports.hasRoomFor("a")).toBe(true);
  });
});

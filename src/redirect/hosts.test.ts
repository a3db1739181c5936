import { describe, expect, test } from "bun:test";
import type { HostRow, HostTable } from "#engines/records/redirect-reader.ts";
import { Hosts } from "./hosts.ts";

const row: HostRow = {
  no: 7,
  name: "go.acme.example",
  root_redirect_url: null,
  not_found_redirect_url: null,
  expired_redirect_url: null,
};

function openHosts(load: () => Promise<HostTable> = async () => ({ hosts: [row] }), now = () => 0): Hosts {
  return new Hosts({ load, own: ["s.example:8080"], now });
}

describe("the host of a request", () => {
  test.each(["go.acme.example", "GO.Acme.example", "go.acme.example:8443", "go.acme.example.", "go.acme.example.:80"])(
    "%s is the account's",
    async (text) => {
      const hosts = openHosts();
      await hosts.refresh();
      expect(hosts.find(text)).toEqual(row);
      expect(hosts.isOwn(text)).toBe(false);
    },
  );

  test.each(["s.example", "S.example:80", "other.example", "acme.example", "xgo.acme.example", ""])(
    "%p is the instance's own",
    async (text) => {
      const hosts = openHosts();
      await hosts.refresh();
      expect(hosts.find(text)).toBeNull();
      expect(hosts.isOwn(text)).toBe(true);
    },
  );

  test("is only known for the instance's own before the table is", () => {
    const hosts = openHosts();
    expect([hosts.find("s.example"), hosts.find("go.acme.example"), hosts.find("other.example")]).toEqual([
      null,
      undefined,
      undefined,
    ]);
    expect([hosts.isOwn("s.example"), hosts.isOwn("other.example")]).toEqual([true, false]);
  });
});

describe("the table of hosts", () => {
  test("is read again after a change, and again if it changed meanwhile", async () => {
    let reads = 0;
    const hosts = openHosts(async () => {
      reads += 1;
      await Promise.resolve();
      if (reads === 2) hosts.forget();
      return { hosts: reads < 3 ? [row] : [] };
    });
    await hosts.refresh();
    await hosts.refresh();
    expect(reads).toBe(1);
    hosts.forget();
    expect(hosts.isUsable).toBe(false);
    await hosts.refresh();
    expect(reads).toBe(3);
    expect(hosts.find("go.acme.example")).toBeNull();
  });

  test("stays as it was while it can't be read, and is tried again after a second", async () => {
    let now = 0;
    let isAway = false;
    let reads = 0;
    const hosts = openHosts(
      async () => {
        reads += 1;
        if (isAway) throw new Error("away");
        return { hosts: [row] };
      },
      () => now,
    );
    await hosts.refresh();
    isAway = true;
    hosts.forget();
    await hosts.refresh();
    expect(hosts.find("go.acme.example")).toEqual(row);
    await hosts.refresh();
    expect(reads).toBe(2);
    now = 1001;
    isAway = false;
    await hosts.refresh();
    expect(reads).toBe(3);
    expect(hosts.isUsable).toBe(true);
  });
});

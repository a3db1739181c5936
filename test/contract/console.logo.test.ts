import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { getAccount, listAudit } from "#contract/console/account.ts";
import { getLogo, removeLogo, setLogo } from "#contract/console/logo.ts";
import { setQrDesign } from "#contract/console/qr-design.ts";
import { LOGO_BYTES_MAX } from "#contract/limits.ts";
import type { Link } from "#contract/link-record.ts";
import { createLink } from "#contract/links.ts";
import { type ConsoleClient, type ConsoleServer, outcomeOf, startConsole } from "#test/support/console-client.ts";
import { middleOf, solidPng } from "#test/support/pictures.ts";

let site: ConsoleServer;
beforeAll(async () => {
  site = await startConsole();
});
afterAll(() => site.stop());

const RED = solidPng(120, 60, [200, 30, 90, 255]);

const upload = (client: ConsoleClient, file: Buffer) =>
  client.call(setLogo, { body: { png: file.toString("base64") } });

const fetchBytes = async (client: ConsoleClient, path: string) => {
  const response = await client.request("GET", path, { headers: { "kurz-account": client.account } });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
};

describe("an account's logo", () => {
  test("is uploaded by an admin, shown to every member, and drawn into QR codes", async () => {
    const admin = await site.newMember("admin");
    expect((await admin.do(getAccount)).has_logo).toBe(false);
    expect(outcomeOf(await admin.call(getLogo))).toBe("404 not_found");
    expect((await upload(admin, RED)).status).toBe(204);
    expect((await admin.do(getAccount)).has_logo).toBe(true);

    const viewer = await site.newMember("viewer");
    const shown = await fetchBytes(viewer, getLogo.path);
    expect([shown.status, shown.headers.get("Content-Type")]).toEqual([200, "image/png"]);
    expect(middleOf(shown.bytes)).toEqual([200, 30, 90]);
    const headers = { "idempotency-key": "for-a-logo" };
    const link = (await admin.do(createLink, { body: { destination_url: "https://example.com/" }, headers })) as Link;
    const code = await fetchBytes(viewer, `/console/api/v1/links/${link.id}/qr?logo=account`);
    expect([code.status, middleOf(code.bytes)]).toEqual([200, [200, 30, 90]]);

    await admin.do(removeLogo);
    expect((await admin.do(getAccount)).has_logo).toBe(false);
    expect(outcomeOf(await admin.call(removeLogo))).toBe("404 not_found");
    const actions = (await admin.do(listAudit)).data.map(({ action }) => action);
    expect(actions.filter((action) => action.startsWith("account.logo"))).toEqual([
      "account.logo_removed",
      "account.logo_set",
    ]);
  });

  test("may be as large as the command allows, and not larger", async () => {
    const owner = await site.newOwner();
    // Bytes after the picture are dropped when it is stored, so they make a large file of a small picture.
    const padded = (bytes: number) => Buffer.concat([RED, Buffer.alloc(bytes - RED.length)]);
    expect(outcomeOf(await upload(owner, padded(LOGO_BYTES_MAX)))).toBe("204");
    expect(outcomeOf(await upload(owner, padded(LOGO_BYTES_MAX + 3)))).toBe("422 validation_failed");
    expect(outcomeOf(await upload(owner, padded(LOGO_BYTES_MAX + 4096)))).toBe("413 payload_too_large");
  });

  test("is refused with a message if it isn't a picture, and the previous one stays", async () => {
    const owner = await site.newOwner();
    await upload(owner, RED);
    for (const [file, message] of [
      [Buffer.from("<svg/>"), "The logo must be a PNG file."],
      [Buffer.alloc(0), "The logo must be a PNG file."],
      [RED.subarray(0, 60), "The logo is damaged or not a readable PNG."],
      [solidPng(1025, 8, [0, 0, 0, 255]), "The logo is larger than 1024 × 1024 pixels."],
    ] as const) {
      const answer = await upload(owner, file);
      expect(outcomeOf(answer)).toBe("422 validation_failed");
      expect(JSON.parse(answer.text).error.details.errors).toEqual([
        { location: "body", field: "png", code: "invalid_format", message },
      ]);
    }
    expect(middleOf((await fetchBytes(owner, getLogo.path)).bytes)).toEqual([200, 30, 90]);
  });

  test("belongs to one account", async () => {
    const [one, other] = [await site.newOwner(), await site.newOwner()];
    await upload(one, RED);
    expect((await other.do(getAccount)).has_logo).toBe(false);
    expect(outcomeOf(await other.call(getLogo))).toBe("404 not_found");
  });
});

describe("an account's QR design", () => {
  const design = { style: "dots", color: "#14532D", background: "f0fdf4", logo: "heart" } as const;
  const kept = { ...design, color: "14532d" };

  test("is remembered for everyone in the account, and noted once", async () => {
    const owner = await site.newOwner();
    expect((await owner.do(getAccount)).qr_design).toBeNull();
    const member = await site.newMember("member", owner);
    await member.do(setQrDesign, { body: design });
    await member.do(setQrDesign, { body: kept });
    expect((await owner.do(getAccount)).qr_design).toEqual(kept);
    const actions = (await owner.do(listAudit)).data.map(({ action }) => action);
    expect(actions.filter((action) => action === "account.qr_design_set")).toHaveLength(1);
  });

  test("doesn't change what the API returns", async () => {
    const owner = await site.newOwner();
    const link = (await owner.do(createLink, { body: { destination_url: "https://example.com/" } })) as Link;
    const plain = await fetchBytes(owner, `/console/api/v1/links/${link.id}/qr`);
    await owner.do(setQrDesign, { body: design });
    expect((await fetchBytes(owner, `/console/api/v1/links/${link.id}/qr`)).bytes).toEqual(plain.bytes);
  });

  test("must be readable", async () => {
    const owner = await site.newOwner();
    const answer = await owner.call(setQrDesign, { body: { ...design, color: "bbbbbb" } });
    expect(outcomeOf(answer)).toBe("422 validation_failed");
    expect(answer.text).toContain("low_contrast");
    expect((await owner.do(getAccount)).qr_design).toBeNull();
  });
});

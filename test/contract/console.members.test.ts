import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import {
  cancelInvitation,
  changeRole,
  getInvitationLink,
  inviteMember,
  listAudit,
  listMembers,
  removeMember,
} from "#contract/console/account.ts";
import { signUp } from "#contract/console/session.ts";
import { acceptInvitation, getInvitation } from "#contract/console/user.ts";
import { type Role, roles } from "#contract/roles.ts";
import { changeRecords } from "#test/support/change-records.ts";
import { type ConsoleClient, invitationIn, outcomeOf, PASSWORD, startConsole } from "#test/support/console-client.ts";
import { type ConsoleWithMail, startConsoleWithMail } from "#test/support/console-with-mail.ts";
import { expectThrottled } from "#test/support/throttled.ts";
import { until } from "#test/support/until.ts";

let console: ConsoleWithMail;
beforeAll(async () => {
  console = await startConsoleWithMail({ KURZ_SIGNUP: "open" });
});
afterAll(() => console.stop());

/** A new account for each test. */
let owner: ConsoleClient & { readonly email: string };
beforeEach(async () => {
  owner = await console.newOwner();
});

const memberIdOf = async (email: string, viewer: ConsoleClient = owner): Promise<string> => {
  const { members } = await viewer.do(listMembers);
  return members.find((member) => member.email === email)?.id ?? "";
};

describe("roles", () => {
  const change = async (by: ConsoleClient, email: string, role: Role): Promise<string> =>
    outcomeOf(await by.call(changeRole, { params: { id: await memberIdOf(email) }, body: { role } }));

  test("an admin manages everyone up to admins, but not owners", async () => {
    const admin = await console.newMember("admin", owner);
    const viewer = await console.newMember("viewer", owner);
    const outcomes = [];
    for (const role of roles) outcomes.push(await change(admin, viewer.email, role));
    expect(outcomes).toEqual(["200", "200", "200", "403 role_insufficient"]);
    expect(await change(admin, owner.email, "admin")).toBe("403 role_insufficient");
    const invited = await admin.call(inviteMember, { body: { email: "boss@example.com", role: "owner" } });
    expect(outcomeOf(invited)).toBe("403 role_insufficient");
    const removal = await admin.call(removeMember, { params: { id: await memberIdOf(owner.email) } });
    expect(outcomeOf(removal)).toBe("403 role_insufficient");
  });

  test("a change applies from the next request on", async () => {
    const person = await console.newMember("admin", owner);
    expect((await person.call(inviteMember, { body: { email: "x@example.com", role: "viewer" } })).status).toBe(201);
    await change(owner, person.email, "viewer");
    expect(outcomeOf(await person.call(inviteMember, { body: { email: "x@example.com", role: "viewer" } }))).toBe(
      "403 role_insufficient",
    );
  });

  test("the last owner can neither leave nor step down, even if two try at once", async () => {
    const id = await memberIdOf(owner.email);
    expect(outcomeOf(await owner.call(removeMember, { params: { id } }))).toBe("409 last_owner");
    expect(await change(owner, owner.email, "admin")).toBe("409 last_owner");
    const second = await console.newMember("owner", owner);
    const leaving = [owner, second].map(async (one) => {
      const own = await memberIdOf(one.email, one);
      return outcomeOf(await one.call(removeMember, { params: { id: own } }));
    });
    expect((await Promise.all(leaving)).toSorted()).toEqual(["204", "409 last_owner"]);
  });

  test("anyone may leave, and then sees nothing", async () => {
    const viewer = await console.newMember("viewer", owner);
    const other = await memberIdOf(owner.email);
    expect(outcomeOf(await viewer.call(removeMember, { params: { id: other } }))).toBe("403 role_insufficient");
    await viewer.do(removeMember, { params: { id: await memberIdOf(viewer.email) } });
    expect(outcomeOf(await viewer.call(listMembers))).toBe("404 not_found");
    expect((await viewer.state()).session?.accounts).toEqual([]);
  });
});

describe("an invitation", () => {
  test("is mailed, shows what it is for, and makes a new user a member", async () => {
    const email = "newcomer@example.com";
    const invitation = await owner.do(inviteMember, { body: { email: "Newcomer@Example.com", role: "member" } });
    const secret = invitationIn(invitation);
    expect(invitation).toMatchObject({ email, role: "member", url: `${console.url}/console/join/${secret}` });
    expect(Date.parse(invitation.expires_at) - Date.now()).toBeGreaterThan(6.9 * 86_400_000);
    await until("the mail has arrived", () => console.mails.some(({ text }) => text.includes(invitation.url)));
    const guest = console.guest();
    expect(await guest.do(getInvitation, { params: { id: secret } })).toEqual({
      id: secret,
      account_name: "Other",
      email,
      role: "member",
      has_user: false,
    });
    const join = (address: string) =>
      guest.call(signUp, {
        body: { email: address, name: "New", password: PASSWORD, invitation: secret },
      });
    expect(outcomeOf(await join("someone-else@example.com"))).toBe("404 not_found");
    expect(outcomeOf(await join(email))).toBe("204");
    expect((await guest.state()).session?.accounts).toMatchObject([{ id: owner.account, role: "member" }]);
    expect(outcomeOf(await console.guest().call(getInvitation, { params: { id: secret } }))).toBe("404 not_found");
  });

  test("can be accepted only by the person it is for", async () => {
    const [friend, eve] = [await console.newOwner(), await console.newOwner()];
    const id = invitationIn(await owner.do(inviteMember, { body: { email: friend.email, role: "viewer" } }));
    expect(outcomeOf(await eve.call(acceptInvitation, { params: { id } }))).toBe("404 not_found");
    await friend.do(acceptInvitation, { params: { id } });
    const { session } = await friend.state();
    expect(session?.accounts.map(({ id: account, role }) => [account, role])).toEqual([
      [friend.account, "owner"],
      [owner.account, "viewer"],
    ]);
    expect(outcomeOf(await friend.call(acceptInvitation, { params: { id } }))).toBe("404 not_found");
  });

  test("to a member is refused, and a second one to the same address replaces the first", async () => {
    const invite = (email: string) => owner.call(inviteMember, { body: { email, role: "viewer" } });
    expect(outcomeOf(await invite(owner.email))).toBe("409 already_exists");
    const first = (await invite("twice@example.com")).body;
    const second = (await invite("twice@example.com")).body;
    const { invitations } = await owner.do(listMembers);
    expect(invitations.map(({ id }) => id)).toEqual([second.id]);
    expect(outcomeOf(await console.guest().call(getInvitation, { params: { id: invitationIn(first) } }))).toBe(
      "404 not_found",
    );
  });

  test("has a link that isn't in the list, and is shown only to those who could give the role", async () => {
    const boss = await console.newOwner();
    const admin = await console.newMember("admin", boss);
    const { id, url } = await boss.do(inviteMember, { body: { email: "secret@example.com", role: "owner" } });
    const secret = invitationIn({ url });
    const { text } = await boss.call(listMembers);
    expect(text).toContain(id);
    expect(text).not.toContain(secret);
    expect(outcomeOf(await console.guest().call(getInvitation, { params: { id } }))).toBe("404 not_found");
    expect(await boss.do(getInvitationLink, { params: { id } })).toEqual({ url });
    expect(outcomeOf(await boss.call(getInvitationLink, { params: { id: secret } }))).toBe("404 not_found");
    expect(outcomeOf(await owner.call(getInvitationLink, { params: { id } }))).toBe("404 not_found");
    expect(outcomeOf(await admin.call(getInvitationLink, { params: { id } }))).toBe("403 role_insufficient");
  });

  test("can be revoked, and is shown only to those who may invite", async () => {
    const { id, url } = await owner.do(inviteMember, { body: { email: "taken@example.com", role: "viewer" } });
    const member = await console.newMember("member", owner);
    expect((await member.do(listMembers)).invitations).toEqual([]);
    await owner.do(cancelInvitation, { params: { id } });
    const secret = invitationIn({ url });
    expect(outcomeOf(await console.guest().call(getInvitation, { params: { id: secret } }))).toBe("404 not_found");
  });

  test("to become an owner is hidden from admins, who could use it themselves", async () => {
    const admin = await console.newMember("admin", owner);
    const invite = (by: ConsoleClient, email: string, role: Role) => by.call(inviteMember, { body: { email, role } });
    const toOwner = (await invite(owner, "boss@example.com", "owner")).body;
    const toAdmin = (await invite(owner, "deputy@example.com", "admin")).body;
    const idsFor = async (client: ConsoleClient) => (await client.do(listMembers)).invitations.map(({ id }) => id);
    expect((await idsFor(owner)).toSorted()).toEqual([toOwner.id, toAdmin.id].toSorted());
    expect(await idsFor(admin)).toEqual([toAdmin.id]);
    expect((await admin.call(listMembers)).text).not.toContain(toOwner.id);
    // Nor can they replace it with one of their own.
    expect(outcomeOf(await invite(admin, "boss@example.com", "viewer"))).toBe("403 role_insufficient");
    expect((await console.guest().call(getInvitation, { params: { id: invitationIn(toOwner) } })).status).toBe(200);
  });

  test("expires once its creator may no longer give that role", async () => {
    const statusOf = async (invitation: { url: string }) =>
      (await console.guest().call(getInvitation, { params: { id: invitationIn(invitation) } })).status;
    const invite = (by: ConsoleClient, email: string, role: Role) => by.do(inviteMember, { body: { email, role } });
    const kept = await invite(owner, "kept@example.com", "admin");
    const removed = await console.newMember("admin", owner);
    const wayBack = await invite(removed, "eve@example.com", "admin");
    await owner.do(removeMember, { params: { id: await memberIdOf(removed.email) } });
    expect(await statusOf(wayBack)).toBe(404);

    const second = await console.newMember("owner", owner);
    const [toOwner, toViewer] = [
      await invite(second, "next-owner@example.com", "owner"),
      await invite(second, "next-viewer@example.com", "viewer"),
    ];
    const demote = async (role: Role) =>
      owner.do(changeRole, { params: { id: await memberIdOf(second.email) }, body: { role } });
    await demote("admin");
    expect([await statusOf(toOwner), await statusOf(toViewer)]).toEqual([404, 200]);
    await demote("member");
    expect([await statusOf(toViewer), await statusOf(kept)]).toEqual([404, 200]);
    const { data } = await owner.do(listAudit);
    const cancelled = data.filter(({ action }) => action === "member.invitation_cancelled");
    expect(cancelled.map(({ subject }) => subject)).toEqual([
      "next-viewer@example.com",
      "next-owner@example.com",
      "eve@example.com",
    ]);
  });

  test("can't be used to flood one address with mail, whatever account it comes from", async () => {
    const other = await console.newOwner();
    const invite = async (by: ConsoleClient, email: string) =>
      outcomeOf(await by.call(inviteMember, { body: { email, role: "viewer" } }));
    for (const by of [other, owner, other, owner]) expect(await invite(by, "flooded@example.com")).toBe("201");
    await expectThrottled((n) => invite(n % 2 === 0 ? other : owner, "flooded@example.com"), "201");
    expect(await invite(owner, "someone@example.com")).toBe("201");
  });

  test("works once, even if used several times at once, and for seven days at most", async () => {
    const email = "hasty@example.com";
    const invitation = invitationIn(await owner.do(inviteMember, { body: { email, role: "viewer" } }));
    const body = { email, name: "New", password: PASSWORD, invitation };
    const outcomes = await Promise.all(
      Array.from({ length: 3 }, async () => outcomeOf(await console.guest().call(signUp, { body }))),
    );
    expect(outcomes.filter((outcome) => outcome === "204")).toHaveLength(1);
    const friend = await console.newOwner();
    const late = invitationIn(await owner.do(inviteMember, { body: { email: friend.email, role: "admin" } }));
    const ended = new Date(Date.now() - 1000).toISOString();
    changeRecords(console.server, "update invitations set expires_at = ? where id = ?", ended, late);
    for (const endpoint of [getInvitation, acceptInvitation]) {
      expect(outcomeOf(await friend.call(endpoint, { params: { id: late } }))).toBe("404 not_found");
    }
    expect((await owner.do(listMembers)).members.map((member) => member.email)).toEqual([owner.email, email]);
  });

  test("to someone new is refused at once if sign-up is closed", async () => {
    const closed = await startConsole({ KURZ_SIGNUP: "closed" });
    try {
      const answer = await closed.owner.call(inviteMember, { body: { email: "new@example.com", role: "viewer" } });
      expect(outcomeOf(answer)).toBe("422 validation_failed");
      expect(answer.text).toContain("KURZ_SIGNUP");
    } finally {
      await closed.stop();
    }
  });

  test("is the only way in if sign-up is by invitation", async () => {
    const byInvitation = await startConsole({ KURZ_SIGNUP: "invite" });
    try {
      const body = { email: "new@example.com", name: "New", password: PASSWORD, account_name: "Mine" };
      expect(outcomeOf(await byInvitation.guest().call(signUp, { body }))).toBe("404 not_found");
      const member = await byInvitation.newMember("viewer");
      expect((await member.state()).session?.accounts).toHaveLength(1);
    } finally {
      await byInvitation.stop();
    }
  });
});

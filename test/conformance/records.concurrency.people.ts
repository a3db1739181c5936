import { expect, test } from "bun:test";
import { createAccount } from "#accounts/new-account.ts";
import { createUser, findUserId } from "#accounts/users.ts";
import { ApiError } from "#kernel/api-error.ts";
import { systemClock } from "#kernel/clock.ts";
import { newId } from "#kernel/ids.ts";
import { acceptInvitation, findInvitation } from "#members/accept-invitation.ts";
import { memberService } from "#members/members.service.ts";
import type { MemberCaller } from "#members/roles.ts";
import { loadPlans } from "#plans/plan-catalogue.ts";
import { admit } from "#single-sign-on/admission.ts";
import { newTestCaller } from "#test/support/test-records.ts";
import { tokenService } from "#tokens/tokens.service.ts";
import { type ConcurrencyLab, codesOf, unwrap } from "./records.concurrency.lab.ts";

const AT_ONCE = 12;

/** What holds for people and tokens, whichever nodes write at the same time. */
export function concurrentPeople(lab: ConcurrencyLab): void {
  test("a plan's limit of tokens is exact", async () => {
    const caller = await newTestCaller(lab.records);
    const plans = loadPlans(null, "unlimited");
    const few = { ...plans, of: () => ({ ...plans.defaultPlan, api_tokens: 3 }) };
    const request = { name: "Test", scopes: [], expiresInMs: null, rateLimit: null, actor: "operator" };
    const answers = await lab.atOnce(AT_ONCE, (node) =>
      tokenService({ records: node, plans: few, clock: systemClock }).create({
        ...request,
        accountId: caller.accountId,
      }),
    );
    expect(codesOf(answers)).toEqual([...Array(3).fill("ok"), ...Array(AT_ONCE - 3).fill("plan_limit")]);
  });

  test("the expiry of a token is noted once", async () => {
    const { accountNo: account_no } = await newTestCaller(lab.records);
    const ids = Array.from({ length: 5 }, () => newId("tok"));
    await lab.records.write(async (tx) => {
      const fields = { name: "", hash: "", scopes: "[]", rate_limit: null, created_at: 0, expires_at: 1 };
      for (const id of ids) {
        const row = { id, account_no, ...fields, revoked_at: null, last_used_at: null };
        await tx.insertInto("tokens").values(row).execute();
      }
    });
    const plans = loadPlans(null, "unlimited");
    const noted = await lab.atOnce(6, (node) =>
      tokenService({ records: node, plans, clock: systemClock }).noteExpired(),
    );
    noted.map(unwrap);
    for (const id of ids) expect(await lab.auditOf("token.expired", id)).toHaveLength(1);
  });

  test("an account keeps an owner, even if all of them leave at once", async () => {
    for (let round = 0; round < 10; round += 1) {
      const owners = await newOwners(2);
      const answers = await lab.atOnce(2, (node, turn) => {
        const owner = owners[turn];
        if (!owner) throw new Error("there is no such owner");
        return memberService({ records: node, clock: systemClock }).remove(owner, owner.memberId);
      });
      expect(codesOf(answers)).toEqual(["last_owner", "ok"]);
    }
  });

  test("an invitation that is accepted twice at once makes one member", async () => {
    for (let round = 0; round < 10; round += 1) {
      const [owner] = await newOwners(1);
      const email = `guest-${round}@example.com`;
      const userId = await lab.records.write((tx) => createUser(tx, { ...person, email }));
      const id = newId("inv");
      await lab.records.write((tx) =>
        tx
          .insertInto("invitations")
          .values({
            id,
            account_id: owner?.accountId ?? "",
            email,
            role: "member",
            status: "pending",
            expires_at: "9999-01-01T00:00:00.000Z",
            created_at: new Date().toISOString(),
            inviter_id: owner?.userId ?? "",
          })
          .execute(),
      );
      const answers = await lab.atOnce(4, (node) =>
        node.write(async (tx) => {
          const invitation = await findInvitation(tx, id, Date.now());
          if (!invitation) throw new ApiError("not_found", "It was used.");
          await acceptInvitation(tx, invitation, { userId, at: Date.now() });
        }),
      );
      expect(codesOf(answers)).toEqual(["not_found", "not_found", "not_found", "ok"]);
      expect(await lab.auditOf("member.joined", userId)).toHaveLength(1);
    }
  });

  test("an e-mail address gets one user", async () => {
    const email = `${newId("usr")}@example.com`;
    const answers = await lab.atOnce(AT_ONCE, (node) =>
      node.write(async (tx) => {
        if (await findUserId(tx, email)) throw new ApiError("already_exists", "It is taken.", { field: "email" });
        return createUser(tx, { ...person, email });
      }),
    );
    expect(codesOf(answers)).toEqual([...Array(AT_ONCE - 1).fill("already_exists"), "ok"]);
  });

  test("someone who first signs in at the provider several times at once is one user", async () => {
    for (let round = 0; round < 5; round += 1) {
      const [owner] = await newOwners(1);
      const settings = {
        issuer: "https://id.example",
        domains: ["acme.example"],
        accountId: owner?.accountId ?? "",
        rolesClaim: "groups",
        roles: [],
      };
      const subject = newId("usr");
      const claims = { email: `${subject}@acme.example`, email_verified: true };
      const arrival = { person: { subject, authenticatedAt: null, claims }, invitationId: null, at: Date.now() };
      const answers = await lab.atOnce(AT_ONCE, (node) => node.write((tx) => admit(tx, settings, arrival)));
      const admitted = answers.map(unwrap);
      expect(admitted.filter((admission) => "isNew" in admission && admission.isNew)).toHaveLength(1);
      const [userId = "", ...others] = [...new Set(admitted.map((admission) => admission.userId))];
      expect(others).toEqual([]);
      for (const action of ["user.created", "member.joined"]) {
        expect(await lab.auditOf(action, userId ?? "")).toHaveLength(1);
      }
    }
  });

  const person = { name: "Someone", passwordHash: "", emailVerified: true, at: 0 };

  const newOwners = async (count: number): Promise<(MemberCaller & { memberId: string })[]> =>
    lab.records.write(async (tx) => {
      const owners: string[] = [];
      for (let made = 0; made < count; made += 1) {
        owners.push(await createUser(tx, { ...person, email: `${newId("usr")}@example.com` }));
      }
      const [first = "", ...others] = owners;
      const account = { name: "Test", planId: "unlimited", ownerId: first, actor: "operator", at: 0 };
      const { id: accountId, no: accountNo } = await createAccount(tx, account);
      for (const userId of others) {
        const row = { id: newId("mem"), account_id: accountId, user_id: userId, role: "owner", created_at: "" };
        await tx.insertInto("members").values(row).execute();
      }
      const members = await tx.selectFrom("members").selectAll().where("account_id", "=", accountId).execute();
      const { defaultPlan: plan } = loadPlans(null, "unlimited");
      return members.map(({ id, user_id: userId }) => ({
        accountNo,
        accountId,
        plan,
        actor: `user:${userId}`,
        via: "dashboard",
        userId,
        role: "owner",
        memberId: id,
      }));
    });
}

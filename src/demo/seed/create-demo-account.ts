import { randomUUID } from "node:crypto";
import { addMember, createAccount } from "#accounts/new-account.ts";
import { hashPassword } from "#accounts/password.ts";
import { createUser, findUserId } from "#accounts/users.ts";
import { isAtLeast } from "#contract/roles.ts";
import { demoAccess } from "#demo/demo-access.ts";
import type { Caller } from "#kernel/caller.ts";
import type { Services } from "#runtime/services.ts";
import type { DemoAccount } from "./demo-accounts.ts";

export interface DemoPasswords {
  readonly published: string;
  readonly unknown: string;
}

/** Once for all accounts: it takes long, as it should. */
export const hashDemoPasswords = async (): Promise<DemoPasswords> => ({
  published: await hashPassword(demoAccess.password),
  unknown: await hashPassword(randomUUID()),
});

/** Creates the account with its members, including the user whose password is published, and returns who works in it. */
export async function createDemoAccount(
  { records, plans }: Services,
  { name, plan, role, people }: DemoAccount,
  { at, passwords }: { readonly at: number; readonly passwords: DemoPasswords },
): Promise<readonly [Caller, ...Caller[]]> {
  const members = [
    { name: "Demo", email: demoAccess.email, role, passwordHash: passwords.published },
    ...people.map(([name, email, role]) => ({ name, email, role, passwordHash: passwords.unknown })),
  ].toSorted((a, b) => Number(b.role === "owner") - Number(a.role === "owner"));
  return records.write(async (tx) => {
    const users = [];
    for (const { role, ...person } of members) {
      const user = { ...person, emailVerified: true, at };
      users.push({ role, userId: (await findUserId(tx, user.email)) ?? (await createUser(tx, user)) });
    }
    const [owner, ...others] = users;
    const ownerId = owner?.userId ?? "";
    const { id, no } = await createAccount(tx, { name, planId: plan, ownerId, actor: "operator", at });
    for (const { role, userId } of others) await addMember(tx, { accountId: id, userId, role, at });
    const account = { accountNo: no, accountId: id, plan: plans.of(plan), via: "demo" } as const;
    const workers = users.filter(({ role }) => isAtLeast(role, "member"));
    return [
      { ...account, actor: `user:${ownerId}` },
      ...workers.slice(1).map(({ userId }): Caller => ({ ...account, actor: `user:${userId}` })),
    ];
  });
}

import type { Caller } from "#kernel/caller.ts";

/** For writes that change the account's number of active links, as most changes of links do. */
export const queueOf = ({ accountNo }: Pick<Caller, "accountNo">) => ({ queue: `account ${accountNo}` });

import type { Migration } from "./migration.ts";

const create = (number: string): string => `
-- By which a start with another secret key is noticed. The row 1, and none before the first start.
create table secret_key (
  no ${number} primary key,
  fingerprint text not null
)`;

export const secretKey: Migration = {
  id: 10,
  name: "secret key",
  sqlite: `${create("integer")} strict;`,
  postgres: `${create("bigint")};`,
  worksFrom: 9,
};

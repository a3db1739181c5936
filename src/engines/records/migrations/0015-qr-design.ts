import type { Migration } from "./migration.ts";

const create = (text: string): string => `
-- JSON with the design that the console starts new QR codes with; null until someone has chosen one.
alter table accounts add column qr_design ${text};
`;

export const qrDesign: Migration = {
  id: 15,
  name: "qr design",
  sqlite: create("text"),
  postgres: create('text collate "C"'),
  worksFrom: 13,
};

import { exportAccount } from "#contract/account-export.ts";
import { type Route, route } from "#http/route.ts";
import type { AccountExport } from "./account-export.service.ts";

export const accountExportRoutes = (accountExport: AccountExport): readonly Route[] => [
  route(exportAccount, (caller) => accountExport.download(caller, { withEndpoints: false })),
];

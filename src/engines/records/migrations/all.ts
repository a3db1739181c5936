import { signIn } from "./0001-sign-in.ts";
import { links } from "./0002-links.ts";
import { clicks } from "./0003-clicks.ts";
import { webhooks } from "./0004-webhooks.ts";
import { accountLogos } from "./0005-account-logos.ts";
import { console } from "./0006-console.ts";
import { linkCounts } from "./0007-link-counts.ts";
import { textBatches } from "./0008-text-batches.ts";
import { linkAudit } from "./0009-link-audit.ts";
import { secretKey } from "./0010-secret-key.ts";
import { domains } from "./0011-domains.ts";
import { linkSettings } from "./0012-link-settings.ts";
import { blockedAddresses } from "./0013-blocked-addresses.ts";
import { trash } from "./0014-trash.ts";
import { qrDesign } from "./0015-qr-design.ts";
import { utmTemplates } from "./0016-utm-templates.ts";
import { auditIndexes } from "./0017-audit-indexes.ts";
import { linkHistory } from "./0018-link-history.ts";
import { sharperEdges } from "./0019-sharper-edges.ts";
import { imports } from "./0020-imports.ts";
import { shares } from "./0021-shares.ts";
import { singleSignOn } from "./0022-single-sign-on.ts";
import { tokenLimits } from "./0023-token-limits.ts";
import type { Migration } from "./migration.ts";

export const migrations: readonly Migration[] = [
  signIn,
  links,
  clicks,
  webhooks,
  accountLogos,
  console,
  linkCounts,
  textBatches,
  linkAudit,
  secretKey,
  domains,
  linkSettings,
  blockedAddresses,
  trash,
  qrDesign,
  utmTemplates,
  auditIndexes,
  linkHistory,
  sharperEdges,
  imports,
  shares,
  singleSignOn,
  tokenLimits,
];

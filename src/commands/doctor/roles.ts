import type { Config } from "#config/settings.ts";
import { askNode } from "#engines/outbound/control-client.ts";
import { reasonOf } from "#kernel/error-text.ts";
import { FORWARDED_HEADER, sealFacts } from "#kernel/forwarded-facts.ts";
import { newId } from "#kernel/ids.ts";
import { type Check, type Finding, ok, problem, warning } from "./check.ts";

const ANSWER_MS_MAX = 5000;
// Half of what signatures of forwarded requests allow.
const CLOCKS_MS_MAX = 30_000;

/** Whether a node that serves only a part finds the rest. */
export const roles: Check = {
  name: "roles",
  async run({ config }) {
    if (config.roles.length > 1) return [];
    const findings =
      config.controlUrl === null
        ? [describeRole(config)]
        : await examineControl(config.controlUrl, config.secretKey ?? "");
    if (config.clickhouseUrl === null) {
      findings.push(warning("reports are empty: clicks stay on nodes that redirect; set CLICKHOUSE_URL on all nodes"));
    }
    return findings;
  },
};

const describeRole = ({ roles: [role] }: Config): Finding =>
  ok(role === "control" ? "control: short links answer 421" : "redirect: without KURZ_CONTROL_URL the API answers 404");

/** Asks as if it were forwarding, so that a node without the role says so. */
async function examineControl(url: string, secret: string): Promise<Finding[]> {
  const facts = { clientAddress: "127.0.0.1", requestId: newId("req") };
  try {
    const { status, headers } = await askNode(url, {
      method: "GET",
      target: "/api/v1/openapi.json",
      headers: new Headers({ [FORWARDED_HEADER]: sealFacts(secret, facts, Date.now()) }),
      body: null,
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    if (status !== 200) return [problem(`KURZ_CONTROL_URL: ${url} serves no API (it answers ${status})`)];
    const aheadMs = Date.parse(headers.get("date") ?? "") - Date.now();
    if (Math.abs(aheadMs) <= CLOCKS_MS_MAX || Number.isNaN(aheadMs)) return [ok(`redirect: ${url} serves the API`)];
    const seconds = Math.round(Math.abs(aheadMs) / 1000);
    return [
      warning(`the clock of ${url} differs by ${seconds} s; over a minute, all clients share this node's limits`),
    ];
  } catch (error) {
    return [problem(`KURZ_CONTROL_URL: ${url} can't be reached: ${reasonOf(error)}`)];
  }
}

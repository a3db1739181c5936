import { enumerate } from "#console/ui/format.ts";

export const developerTexts = {
  title: "Developer",
  note: "Tokens, webhooks and API docs for your integrations.",
  tabs: { tokens: "Tokens", webhooks: "Webhooks", api: "API" },
  reference: "Reference",
  referenceNote: "Every operation, with forms to try it in your browser. Also available as an OpenAPI document.",
  openReference: "Open reference",
  baseUrl: "Base URL",
  copyBaseUrl: "Copy base URL",
  quickStart: "Quick start",
  quickStartNote: (permissions: readonly string[]) =>
    `The examples need a token with the permissions ${enumerate(permissions.map((name) => `“${name}”`))}, in the environment variable TOKEN.`,
  quickStartAdmins: "Admins can create one.",
  curlExample: "curl example",
  installCommand: "Install command",
  clientExample: "TypeScript example",
  assistants: "Connect an assistant",
  assistantsNote: "Assistants that support MCP can manage your links, as far as the token's scopes allow.",
  assistantAddress: "Address",
  copyAssistantAddress: "Copy address",
  assistantExample: "Example settings",
  limits: "Plan and limits",
  limitsNote: "The RateLimit response header shows how many requests are left.",
};

import { type CallToolResult, Client, StreamableHTTPClientTransport, type Tool } from "@modelcontextprotocol/client";
import type { ErrorBody } from "./api-client.ts";

export interface ToolCalls {
  readonly client: Client;
  list(): Promise<Tool[]>;
  call(name: string, args?: Record<string, unknown>): Promise<CallToolResult>;
  /** The error of a call that must fail. */
  fail(name: string, args?: Record<string, unknown>): Promise<ErrorBody & { readonly text: string }>;
}

/** The client that assistants are built with, connected with a token; by a handshake unless the revision has none. */
export async function openTools(
  url: string,
  token: string,
  revision?: string,
  fetch: (url: string | URL, init?: RequestInit) => Promise<Response> = globalThis.fetch,
): Promise<ToolCalls> {
  const negotiation = revision === undefined ? {} : { versionNegotiation: { mode: { pin: revision } } };
  const client = new Client({ name: "kurz-tests", version: "1.0.0" }, negotiation);
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  // Its optional properties are declared without `undefined`, so it doesn't fit its own interface here.
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit, fetch }) as never);
  const call = async (name: string, args: Record<string, unknown> = {}): Promise<CallToolResult> =>
    (await client.callTool({ name, arguments: args })) as CallToolResult;
  return {
    client,
    list: async () => (await client.listTools()).tools,
    call,
    async fail(name, args) {
      const result = await call(name, args);
      if (result.isError !== true) throw new Error(`${name} succeeded: ${JSON.stringify(result)}`);
      return { ...(result.structuredContent as { error: ErrorBody }).error, text: textOf(result) };
    },
  };
}

export const textOf = ({ content }: CallToolResult): string =>
  content.map((part) => (part.type === "text" ? part.text : `(${part.type})`)).join("\n");

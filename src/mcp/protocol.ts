import type { Scope } from "#contract/scopes.ts";
import { version } from "../../package.json";
import type { Library } from "./load-library.ts";
import type { Arguments } from "./tool-request.ts";
import type { ToolResult } from "./tool-result.ts";
import { describeTool, type Tool, tools, toolsFor } from "./tools.ts";

export interface Abilities {
  readonly scopes: readonly Scope[];
  readonly call: (tool: Tool, args: Arguments) => Promise<ToolResult>;
}

const INSTRUCTIONS =
  "Kurz manages short links. A link is named by its `id` (`lnk_…`); find one with links_list, by `slug`, `q` or " +
  "`external_id`. Lists are pages: pass `next_cursor` as `cursor` to go on. Times are UTC in ISO 8601. Deleted links can be " +
  "restored for 30 days. Numbers of clicks are those of people, not of bots.";

/** The library would otherwise prepare one for each message, to check answers to questions that we never ask. */
const noQuestions = {
  getValidator(): never {
    throw new Error("this server asks no questions");
  },
};

/** Answers one message. Nothing is remembered from one to the next, so that every node can answer every message. */
export async function answerMessage(
  library: Library,
  request: Request,
  message: Readonly<Record<string, unknown>>,
  abilities: Abilities,
): Promise<Response> {
  const newServer = () => serverFor(library, abilities);
  const options = { parsedBody: message };
  // Before the revision 2026-07-28, which sends along what a handshake used to agree on.
  if (await library.isLegacyRequest(request, message)) {
    const server = newServer();
    const transport = new library.WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      return await transport.handleRequest(request, options);
    } finally {
      await server.close();
    }
  }
  // Without messages before the result there is no stream. To forbid them, the library writes a warning each time.
  const noStreams = { maxSubscriptions: 0, keepAliveMs: 0 } as const;
  return library.createMcpHandler(newServer, { legacy: "reject", ...noStreams }).fetch(request, options);
}

function serverFor({ ProtocolError, ProtocolErrorCode, Server }: Library, { scopes, call }: Abilities) {
  const server = new Server(
    { name: "kurz", title: "Kurz", version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS, jsonSchemaValidator: noQuestions },
  );
  server.setRequestHandler("tools/list", () => ({ tools: toolsFor(scopes).map(describeTool) }));
  server.setRequestHandler("tools/call", ({ params: { name, arguments: args = {} } }) => {
    const tool = tools.find((one) => one.name === name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${name}".`);
    return call(tool, args);
  });
  return server;
}

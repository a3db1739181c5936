import { z } from "zod";
import { endpoint } from "#contract/endpoint.ts";
import { BULK_BODY_BYTES_MAX, MCP_PATH } from "#contract/limits.ts";
import { tools } from "./tools.ts";

/** `params.arguments` of a message: what a tool's operation would have as its body. */
const ARGUMENTS_DEPTH = 2;
const deepest = Math.max(...tools.map(({ endpoint: { bodyDepthAdded = 0 } }) => bodyDepthAdded));

/** One message of the Model Context Protocol; its own library checks what is in it. */
export const sendMessage = endpoint({
  id: "mcp.message",
  method: "POST",
  path: MCP_PATH,
  summary: "Send a message of the Model Context Protocol",
  description: "Lists tools, or calls one.",
  tag: "Console",
  scope: null,
  body: z.looseObject({}),
  bodyBytesMax: BULK_BODY_BYTES_MAX,
  bodyDepthAdded: ARGUMENTS_DEPTH + deepest,
  ownProtocol: true,
  status: 200,
  errors: [],
});

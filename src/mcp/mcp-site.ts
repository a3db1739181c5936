import { type AuthenticatedToken, admitToken, identifyToken, type TokenAuthorizationOptions } from "#http/authorize.ts";
import { type ApiOptions, mountApi, toApiError } from "#http/mount.ts";
import type { RequestContext, ResponsePolicy } from "#http/request-context.ts";
import { route } from "#http/route.ts";
import { ApiError } from "#kernel/api-error.ts";
import { CLIENT_HEADER, REQUEST_ID_HEADER } from "#kernel/internal-headers.ts";
import { loadLibrary } from "./load-library.ts";
import { sendMessage } from "./mcp.endpoint.ts";
import { answerMessage } from "./protocol.ts";
import { type Arguments, toolRequest } from "./tool-request.ts";
import { refusedResult, type ToolResult, toolResult } from "./tool-result.ts";
import type { Tool } from "./tools.ts";

interface SiteOptions extends ResponsePolicy, Pick<ApiOptions<never>, "onDone" | "onBug"> {
  /** Answers requests to the API whose token was admitted. */
  readonly api: (request: Request) => Promise<Response>;
  readonly tokens: TokenAuthorizationOptions;
  readonly baseUrl: string;
}

interface McpCaller {
  readonly token: AuthenticatedToken;
  readonly request: Request;
  readonly context: RequestContext;
}

const LIMIT_HEADER = /^(?:x-)?ratelimit/;

/** The tools at `/mcp`: each call is a request to the API with the caller's token, so that all its rules apply. */
export function mcpSite({ api, tokens, baseUrl, ...options }: SiteOptions): (request: Request) => Promise<Response> {
  const [identify, admit] = [identifyToken(tokens), admitToken(tokens)];
  const origins = [baseUrl, ...options.cors.allowedOrigins];

  const callTool = async ({ request, context }: McpCaller, tool: Tool, args: Arguments): Promise<ToolResult> => {
    const headers = new Headers({
      authorization: request.headers.get("authorization") ?? "",
      [CLIENT_HEADER]: context.clientAddress,
      [REQUEST_ID_HEADER]: context.requestId,
    });
    const response = await api(toolRequest(tool, args, headers));
    for (const [name, value] of response.headers) if (LIMIT_HEADER.test(name)) context.headers[name] = value;
    return toolResult(response);
  };

  return mountApi<McpCaller>({
    ...options,
    routes: [
      route(sendMessage, async (caller: McpCaller, { body }) =>
        answerMessage(await loadLibrary(), caller.request, body, {
          scopes: caller.token.scopes,
          call: (tool, args) =>
            // The library would answer with the text of any error.
            callTool(caller, tool, args).catch((error: unknown) => {
              const known = toApiError(error);
              if (known.code === "internal_error") options.onBug(caller.context, error);
              return refusedResult(known, caller.context.requestId);
            }),
        }),
      ),
    ],
    async authorize(_, request, context) {
      const token = await identify(request, context);
      await admit(token, context);
      assertOrigin(request, origins);
      return { token, request, context };
    },
  });
}

/** Prevents DNS rebinding: a page whose name leads to this server sends the origin that it has. */
function assertOrigin(request: Request, origins: readonly string[]): void {
  const origin = request.headers.get("origin");
  if (origin !== null && !origins.includes(origin)) {
    throw new ApiError(
      "cross_site",
      `Pages from ${origin} can't use the tools. Operators allow origins with KURZ_CORS_ALLOWED_ORIGINS.`,
    );
  }
}

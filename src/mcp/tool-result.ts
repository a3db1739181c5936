import type { ApiError } from "#kernel/api-error.ts";

type Content =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: string; readonly mimeType: string };

export interface ToolResult {
  readonly content: Content[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
  readonly [key: string]: unknown;
}

interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly request_id: string;
  readonly details?: unknown;
}

/** What the API answered, for an assistant. */
export async function toolResult(response: Response): Promise<ToolResult> {
  if (response.status === 204) return text("Done.");
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("application/json")) {
    const value = (await response.json()) as Record<string, unknown>;
    if (!response.ok) return errorResult(value.error as ErrorBody);
    return { ...text(JSON.stringify(value)), structuredContent: value };
  }
  // As an image, few clients could show it.
  if (!type.startsWith("image/") || type.startsWith("image/svg")) return text(await response.text());
  const data = Buffer.from(await response.arrayBuffer()).toString("base64");
  return { content: [{ type: "image", data, mimeType: type }] };
}

/** For a call that can't be a request to the API. */
export const refusedResult = ({ code, message, details }: ApiError, requestId: string): ToolResult =>
  errorResult({ code, message, request_id: requestId, ...(details !== undefined && { details }) });

function errorResult(error: ErrorBody): ToolResult {
  const { code, message, request_id, details } = error;
  const lines = [`${message} (${code}, request ${request_id})`];
  if (details !== undefined) lines.push(JSON.stringify(details));
  return { ...text(lines.join("\n")), structuredContent: { error }, isError: true };
}

const text = (words: string): ToolResult => ({ content: [{ type: "text", text: words }] });

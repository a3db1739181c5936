import { type Endpoint, isReadOnly, scopesOf } from "#contract/endpoint.ts";
import { releasedEndpoints } from "#contract/index.ts";
import type { Scope } from "#contract/scopes.ts";
import { placeArguments, type ToolArgument, toolName } from "./tool-arguments.ts";
import { describeInput, type ObjectSchema } from "./tool-schema.ts";

/** An operation of the API as assistants see it. */
export interface Tool {
  readonly endpoint: Endpoint;
  readonly name: string;
  readonly args: readonly ToolArgument[];
}

/**
 * Left out: files of any size, which don't fit into a conversation, and tokens. One that was made in a conversation would
 * stay in it, and would work on when the assistant's own is revoked.
 */
const isTool = ({ tag, response, binary, status }: Endpoint): boolean =>
  tag !== "Tokens" && (response !== undefined || binary !== undefined || status === 204);

export const tools: readonly Tool[] = releasedEndpoints.filter(isTool).map((endpoint) => ({
  endpoint,
  name: toolName(endpoint.id),
  args: placeArguments(endpoint),
}));

/** The tools that a token with these scopes can call. */
export const toolsFor = (scopes: readonly Scope[]): readonly Tool[] =>
  tools.filter(({ endpoint }) => scopesOf(endpoint).every((scope) => scopes.includes(scope)));

export interface ToolDescription {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
  };
}

const described = new WeakMap<Tool, ToolDescription>();

export function describeTool(tool: Tool): ToolDescription {
  const known = described.get(tool);
  if (known) return known;
  const { endpoint, name, args } = tool;
  const description: ToolDescription = {
    name,
    title: endpoint.summary,
    description: [`${endpoint.summary}.`, ...sentencesOf(endpoint.description)].join(" "),
    inputSchema: describeInput(endpoint, args),
    annotations: {
      readOnlyHint: isReadOnly(endpoint),
      destructiveHint: takesAway(endpoint),
      // A POST may create another object each time.
      idempotentHint: endpoint.method !== "POST" || isReadOnly(endpoint),
    },
  };
  described.set(tool, description);
  return description;
}

/** Assistants ask before they call such a tool. */
const takesAway = (endpoint: Endpoint): boolean =>
  !isReadOnly(endpoint) && !endpoint.additive && !(endpoint.method === "POST" && endpoint.status === 201);

const ABOUT_HTTP = /\bheader|`If-None-Match`|`Idempotency-Key`|\bstatus is\b|merge patch/;

/** Without those about HTTP, which a tool's caller doesn't see. */
const sentencesOf = (text: string): string[] =>
  text.split(/(?<=\.) (?=[A-Z`])/).filter((sentence) => !ABOUT_HTTP.test(sentence));

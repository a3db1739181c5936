import { text } from "#config/value-kinds.ts";
import { chosenEvents, defaultEvents } from "#contract/webhooks.ts";
import type { Services } from "#runtime/services.ts";
import type { Endpoint } from "#webhooks/endpoint-record.ts";
import { command } from "./command.ts";
import { flag, optional, required } from "./option.ts";
import { idText, wordList } from "./option-values.ts";
import { formatTable } from "./table.ts";
import { UsageError } from "./usage-error.ts";

const EVENTS_HELP = `The events it receives, comma-separated, or all: ${chosenEvents.join(", ")}.`;
const endpoint = required("ENDPOINT_ID", idText, "The endpoint id, as webhooks list shows it.");

const eventList = (words: readonly string[]): readonly string[] =>
  words.length === 1 && words[0] === "all" ? chosenEvents : words;

/** The services, with the caller on whose behalf the operator changes an endpoint. */
const forEndpoint = async ({ webhooks }: Services, id: string) => ({
  ...webhooks,
  caller: await webhooks.callers.forEndpoint(id),
});

const webhooksCreate = command({
  name: "webhooks create",
  summary: "Create a webhook endpoint and print its id and signing secret; the secret is shown only once",
  notes: `Without --events it receives ${defaultEvents.join(", ")}.`,
  options: {
    account: required("ID", idText, "The account whose events it receives."),
    url: required("URL", text, "The URL that events are sent to."),
    events: optional("LIST", wordList, EVENTS_HELP),
    description: optional("TEXT", text, "A description for your own use."),
  },
  async run({ services }, { account, url, events, description }) {
    const { callers, endpoints } = (await services()).webhooks;
    const chosen = events === null ? {} : { events: eventList(events) };
    const created = await endpoints.create(await callers.forAccount(account), { url, description, ...chosen });
    return { id: created.id, secret: created.secret };
  },
  print: (shown) => JSON.stringify(shown),
});

const webhooksList = command({
  name: "webhooks list",
  summary: "List the webhook endpoints, without their secrets",
  options: { account: optional("ID", idText, "Only endpoints of this account.") },
  async run({ services }, { account }) {
    const { callers, endpoints } = (await services()).webhooks;
    const owners = account === null ? await callers.withEndpoints() : [await callers.forAccount(account)];
    return (await Promise.all(owners.map((owner) => endpoints.list(owner)))).flat();
  },
  print: (endpoints) =>
    endpoints.length === 0
      ? "There are no webhook endpoints."
      : formatTable(
          ["ID", "ACCOUNT", "URL", "EVENTS", "STATE", "CLICKS DROPPED", "DESCRIPTION"],
          endpoints.map((one) => [
            one.id,
            one.account_id,
            one.url,
            describeEvents(one.events),
            stateOf(one),
            String(one.clicks_dropped),
            one.description ?? "",
          ]),
        ),
});

const webhooksUpdate = command({
  name: "webhooks update",
  summary: "Change an endpoint's URL, events or description",
  positionals: { endpoint },
  options: {
    url: optional("URL", text, "The URL that events are sent to."),
    events: optional("LIST", wordList, EVENTS_HELP),
    description: optional("TEXT", text, "A description for your own use; an empty one removes it."),
  },
  async run({ services }, { endpoint: id, url, events, description }) {
    if (url === null && events === null && description === null) {
      throw new UsageError("webhooks update needs --url URL, --events LIST or --description TEXT");
    }
    const { endpoints, caller } = await forEndpoint(await services(), id);
    return endpoints.update(caller, id, {
      ...(url !== null && { url }),
      ...(events !== null && { events: eventList(events) }),
      ...(description !== null && { description: description === "" ? null : description }),
    });
  },
  print: ({ id }) => `The endpoint ${id} is updated.`,
});

const webhooksEnable = command({
  name: "webhooks enable",
  summary: "Enable an endpoint again",
  notes: "Missed deliveries are dropped unless you add --send-missed; you can still resend them with webhooks recover.",
  positionals: { endpoint },
  options: { "send-missed": flag("Send the deliveries that were pending while the endpoint was disabled.") },
  async run({ services }, { endpoint: id, "send-missed": sendMissed }) {
    const { endpoints, caller } = await forEndpoint(await services(), id);
    return endpoints.enable(caller, id, { sendMissed });
  },
  print: ({ id }) => `The endpoint ${id} is enabled.`,
});

const webhooksDisable = command({
  name: "webhooks disable",
  summary: "Disable an endpoint: nothing is sent to it, and no new events are queued for it",
  positionals: { endpoint },
  async run({ services }, { endpoint: id }) {
    const { endpoints, caller } = await forEndpoint(await services(), id);
    return endpoints.disable(caller, id);
  },
  print: ({ id }) => `The endpoint ${id} is disabled.`,
});

const webhooksDelete = command({
  name: "webhooks delete",
  summary: "Delete an endpoint with its secret, its deliveries and their log",
  positionals: { endpoint },
  async run({ services }, { endpoint: id }) {
    const { endpoints, caller } = await forEndpoint(await services(), id);
    await endpoints.delete(caller, id);
    return { id, deleted: true };
  },
  print: ({ id }) => `The endpoint ${id} is deleted.`,
});

const webhooksRotate = command({
  name: "webhooks rotate",
  summary: "Create a new signing secret for an endpoint and print it; it is shown only once",
  notes:
    "For 24 hours, deliveries are signed with the old secret too, so receivers must accept any of several v1 signatures.",
  positionals: { endpoint },
  options: { "no-overlap": flag("Revoke the old secret at once, for example after a leak.") },
  async run({ services }, { endpoint: id, "no-overlap": noOverlap }) {
    const { endpoints, caller } = await forEndpoint(await services(), id);
    return endpoints.rotate(caller, id, { overlap: !noOverlap });
  },
  print: (shown) => JSON.stringify(shown),
});

function describeEvents(events: Endpoint["events"]): string {
  if (events.length === chosenEvents.length) return "all";
  const isDefault = events.length === defaultEvents.length && !events.includes("link.clicked");
  return isDefault ? "all but link.clicked" : events.join(",");
}

function stateOf({ enabled, disabled_by, exhausted_at, failing_since }: Endpoint): string {
  if (!enabled) return disabled_by === "owner" ? "disabled" : `disabled (${disabled_by})`;
  if (exhausted_at !== null) return `dropping deliveries since ${exhausted_at}`;
  return failing_since === null ? "enabled" : `failing since ${failing_since}`;
}

export const webhookCommands = [
  webhooksCreate,
  webhooksList,
  webhooksUpdate,
  webhooksEnable,
  webhooksDisable,
  webhooksDelete,
  webhooksRotate,
];

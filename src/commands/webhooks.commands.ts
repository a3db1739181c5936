import { text } from "#config/value-kinds.ts";
import { chosenEvents, defaultEvents } from "#contract/webhooks.ts";
import type { Services } from "#runtime/services.ts";
import type { Endpoint } from "#webhooks/endpoint-record.ts";
import { command } from "./command.ts";
import { flag, optional, required } from "./option.ts";
import { idText, wordList } from "./option-values.ts";
import { formatTable } from "./table.ts";
import { UsageError } from "./usage-error.ts";

const EVENTS_HELP = `The events it takes, comma-separated, or all: ${chosenEvents.join(", ")}.`;
const endpoint = required("ENDPOINT_ID", idText, "The endpoint's id, as webhooks list shows it.");

const eventList = (words: readonly string[]): readonly string[] =>
  words.length === 1 && words[0] === "all" ? chosenEvents : words;

/** The endpoints service, and the caller on whose behalf the operator changes one endpoint. */
const forEndpoint = async ({ webhooks }: Services, id: string) => ({
  ...webhooks,
  caller: await webhooks.callers.forEndpoint(id),
});

const webhooksCreate = command({
  name: "webhooks create",
  summary: "Register a webhook endpoint, and print its id and its signing secret: it is shown only this once",
  notes: `Without --events it takes ${defaultEvents.join(", ")}.`,
  options: {
    account: required("ID", idText, "The account whose events it receives."),
    url: required("URL", text, "Where deliveries are posted to."),
    events: optional("LIST", wordList, EVENTS_HELP),
    description: optional("TEXT", text, "A note for people."),
  },
  async run({ services }, { account, url, events, description }) {
    const { callers, endpoints } = services().webhooks;
    const chosen = events === null ? {} : { events: eventList(events) };
    const created = await endpoints.create(await callers.forAccount(account), { url, description, ...chosen });
    return { id: created.id, secret: created.secret };
  },
  print: (shown) => JSON.stringify(shown),
});

const webhooksList = command({
  name: "webhooks list",
  summary: "List the webhook endpoints, without their secrets",
  options: { account: optional("ID", idText, "Only the endpoints of this account.") },
  async run({ services }, { account }) {
    const { callers, endpoints } = services().webhooks;
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
  summary: "Change the address, the events or the description of an endpoint",
  positionals: { endpoint },
  options: {
    url: optional("URL", text, "Where deliveries are posted to."),
    events: optional("LIST", wordList, EVENTS_HELP),
    description: optional("TEXT", text, "A note for people; an empty one removes it."),
  },
  async run({ services }, { endpoint: id, url, events, description }) {
    if (url === null && events === null && description === null) {
      throw new UsageError("webhooks update needs --url URL, --events LIST or --description TEXT");
    }
    const { endpoints, caller } = await forEndpoint(services(), id);
    return endpoints.update(caller, id, {
      ...(url !== null && { url }),
      ...(events !== null && { events: eventList(events) }),
      ...(description !== null && { description: description === "" ? null : description }),
    });
  },
  print: ({ id }) => `The endpoint ${id} is changed.`,
});

const webhooksEnable = command({
  name: "webhooks enable",
  summary: "Switch an endpoint on again",
  notes: "What was missed is given up unless --send-missed is given; webhooks recover can still send it later.",
  positionals: { endpoint },
  options: { "send-missed": flag("Send what has waited while the endpoint was off.") },
  async run({ services }, { endpoint: id, "send-missed": sendMissed }) {
    const { endpoints, caller } = await forEndpoint(services(), id);
    return endpoints.enable(caller, id, { sendMissed });
  },
  print: ({ id }) => `The endpoint ${id} is enabled.`,
});

const webhooksDisable = command({
  name: "webhooks disable",
  summary: "Switch an endpoint off: nothing is sent to it, and new events are not kept for it",
  positionals: { endpoint },
  async run({ services }, { endpoint: id }) {
    const { endpoints, caller } = await forEndpoint(services(), id);
    return endpoints.disable(caller, id);
  },
  print: ({ id }) => `The endpoint ${id} is disabled.`,
});

const webhooksDelete = command({
  name: "webhooks delete",
  summary: "Delete an endpoint, with its secret, its deliveries and their log",
  positionals: { endpoint },
  async run({ services }, { endpoint: id }) {
    const { endpoints, caller } = await forEndpoint(services(), id);
    await endpoints.delete(caller, id);
    return { id, deleted: true };
  },
  print: ({ id }) => `The endpoint ${id} is deleted.`,
});

const webhooksRotate = command({
  name: "webhooks rotate",
  summary: "Give an endpoint a new signing secret, and print it: it is shown only this once",
  notes: "For 24 hours deliveries are signed with the old secret too, so receivers must accept any of several v1.",
  positionals: { endpoint },
  options: { "no-overlap": flag("End the old secret at once, as after a leak.") },
  async run({ services }, { endpoint: id, "no-overlap": noOverlap }) {
    const { endpoints, caller } = await forEndpoint(services(), id);
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
  if (exhausted_at !== null) return `gives up since ${exhausted_at}`;
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

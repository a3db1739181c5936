import { listClicks } from "#contract/clicks.ts";
import { TextStream } from "#contract/endpoint.ts";
import { type Route, route } from "#http/route.ts";
import type { ClickListService } from "./click-list.service.ts";

export const clickListRoutes = (clicks: ClickListService): readonly Route[] => [
  route(
    listClicks,
    async (caller, { query }) =>
      query.format === "ndjson"
        ? new TextStream({
            mediaType: "application/x-ndjson",
            fileName: "clicks.ndjson",
            parts: clicks.stream(caller, query),
          })
        : clicks.list(caller, query),
    { checkQuery: clicks.findProblems },
  ),
];

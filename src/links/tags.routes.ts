import { deleteTag, getTag, listTags, updateTag } from "#contract/tags.ts";
import { type Route, route } from "#http/route.ts";
import type { TagService } from "./tags.service.ts";

export const tagRoutes = (tags: TagService): readonly Route[] => [
  route(listTags, (caller, { query }) => tags.list(caller, query)),
  route(getTag, (caller, { params }) => tags.get(caller, params.tag)),
  route(updateTag, (caller, { params, body }) => tags.update(caller, params.tag, body)),
  route(deleteTag, (caller, { params }) => tags.delete(caller, params.tag)),
];

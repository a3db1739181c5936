export { locationOf, withVisitorQuery } from "#links/location.ts";

import { join } from "node:path";
import { buildGallery } from "../console/gallery/build-gallery.ts";

// Every component of the console in every state, on a page of its own: `npm run gallery`.
const directory = join(import.meta.dir, "..", "dist", "gallery");
await buildGallery(directory);
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: Number(process.env.PORT ?? 0),
  fetch: ({ url }) => new Response(Bun.file(join(directory, new URL(url).pathname.slice(1) || "index.html"))),
});
process.stderr.write(`components at ${server.url}\n`);

import { command } from "../command.ts";
import { readExpiry } from "../times.ts";
import { linkFields, numberOf, tagOption } from "./link-options.ts";

const shorten = command({
  name: "shorten",
  summary: "Create a short link and print it",
  notes: "Only the short link is on standard output, so that it can be passed on to another program.",
  positionals: [{ label: "URL", help: "Where the link leads." }],
  options: {
    slug: { value: "SLUG", help: "The part after the domain. Random by default." },
    domain: { value: "DOMAIN", help: "One of your domains. The account's default domain by default." },
    ...linkFields,
    tag: tagOption("Give the link this tag."),
    reuse: { help: "If you already have a link like this one, print that instead of creating another." },
  },
  run: async (context, input) => {
    const expires = input.text("expires");
    return context.kurz().links.create({
      destination_url: input.positionals[0] ?? "",
      slug: input.text("slug"),
      domain: input.text("domain"),
      title: input.text("title"),
      notes: input.text("notes"),
      tags: input.texts("tag").length > 0 ? input.texts("tag") : undefined,
      expires_at: expires === undefined ? undefined : readExpiry(expires),
      max_clicks: numberOf(input, "max-clicks"),
      find_existing: input.flag("reuse") ? true : undefined,
    });
  },
  print: ({ short_url }) => short_url,
});

export const shortenCommands = [shorten];

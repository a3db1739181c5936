import { command } from "../command.ts";
import { CommandError, exitCodes } from "../exit-codes.ts";
import { formatTable } from "../table.ts";

const list = command({
  name: "profiles list",
  summary: "List the instances that you are signed in to",
  run: async ({ profiles }) => ({
    current: profiles.current(),
    data: profiles.names().map((name) => ({ name, url: profiles.find(name)?.url ?? "" })),
  }),
  print: ({ current, data }, view) =>
    data.length === 0
      ? "You aren't signed in anywhere; run: kurz login"
      : formatTable(
          [{ head: "PROFILE" }, { head: "INSTANCE" }, { head: "" }],
          data.map(({ name, url }) => [name, url, name === current ? "current" : ""]),
          view,
        ),
});

const use = command({
  name: "profiles use",
  summary: "Choose the profile that commands use",
  positionals: [{ label: "NAME", help: "The name of the profile.", completes: "profiles" }],
  async run({ profiles }, { positionals: [name = ""] }) {
    const profile = profiles.find(name);
    if (!profile) throw new CommandError(`there is no profile ${JSON.stringify(name)}`, exitCodes.notFound);
    profiles.choose(name);
    return { current: name, url: profile.url };
  },
  print: ({ current, url }) => `Now using ${current}: ${url}`,
});

export const profileCommands = [list, use];

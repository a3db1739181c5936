import { dataPaths } from "#config/data-paths.ts";
import { generationConfig } from "#config/demo-generation.ts";
import { ConfigError, loadConfig } from "#config/load-config.ts";
import type { Config } from "#config/settings.ts";
import { keepLibraryIn } from "#engines/own-library.ts";
import { reasonOf } from "#kernel/error-text.ts";
import { failStart } from "#supervision/child-role.ts";

/** Each role is loaded only when it runs: a redirect process loads none of control's code. */
const roles: Readonly<Record<string, (config: Config, numbers: readonly number[]) => Promise<void>>> = {
  serve: runServer,
  demo: runServer,
  redirect: async (
    config,
    [writer = 0, epoch = 0, tallyFd = 0, awaitsControl = 0, socket = 0, holds = 0, generation],
  ) =>
    (await import("#processes/redirect.ts")).startRedirect(inGeneration(config, generation), {
      writer,
      epoch,
      awaitsControl: awaitsControl === 1,
      holdsCalls: holds === 1,
      ...(socket === 0 ? {} : { socket }),
      ...(tallyFd === 0 ? {} : { tally: (await import("#supervision/shared-tally.ts")).mapTally(tallyFd) }),
    }),
  control: async (config, [liveFromEpoch = 0, generation]) =>
    (await import("#processes/control.ts")).startControl(inGeneration(config, generation), liveFromEpoch),
  "check-takeover": async (config, [clicksVersion = 0]) => {
    (await import("#supervision/parent-death.ts")).dieWithParent();
    await (await import("#processes/serve.ts")).checkTakeover(config, clicksVersion).catch(refuse);
    process.exit(0);
  },
  "seed-demo": async (config, [generation, asOfMs = 0]) => {
    (await import("#supervision/parent-death.ts")).dieWithParent();
    await (await import("#demo/seed/seed-demo.ts")).seedDemo(inGeneration(config, generation), asOfMs);
    process.exit(0);
  },
};

async function runServer(config: Config): Promise<void> {
  if (config.demo) process.exit(await (await import("#processes/demo.ts")).serveDemo(config));
  const { serve } = await import("#processes/serve.ts");
  process.exit(await serve(config));
}

const inGeneration = (config: Config, generation: number | undefined): Config =>
  config.demo && generation !== undefined ? generationConfig(config, generation) : config;

async function main([word = "--help", ...rest]: readonly string[]): Promise<void> {
  const role = roles[word];
  if (!role || !rest.every((argument) => /^\d+$/.test(argument))) {
    const { runCommandLine } = await import("#commands/command-line.ts");
    process.exit(await runCommandLine([word, ...rest], process.env));
  }
  try {
    // Child processes inherit it.
    if (word === "demo") process.env.KURZ_DEMO = "1";
    const config = loadConfig(process.env);
    keepLibraryIn(dataPaths(config.dataDir).library);
    await role(config, rest.map(Number));
  } catch (error) {
    if (!(error instanceof ConfigError)) failStart(error);
    refuse(error);
  }
}

function refuse(error: unknown): never {
  const lines = error instanceof ConfigError ? error.lines : [reasonOf(error)];
  for (const line of lines) process.stderr.write(`kurz: ${line}\n`);
  process.exit(1);
}

// Only this user can read the stored data, whatever the permissions of the operator's directory.
process.umask(0o077);
await main(Bun.argv.slice(2));

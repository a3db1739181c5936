import { ConfigError, loadConfig } from "#config/load-config.ts";
import type { Config } from "#config/settings.ts";
import { failStart } from "#processes/child-role.ts";

/** Each role is loaded only where it runs: a redirect process carries none of control's code. */
const roles: Readonly<Record<string, (config: Config, facts: readonly number[]) => Promise<void>>> = {
  serve: async (config) => {
    const { serve } = await import("#processes/serve.ts");
    process.exit(await serve(config));
  },
  redirect: async (config, [writer = 0, epoch = 0]) =>
    (await import("#processes/redirect.ts")).startRedirect(config, { writer, epoch }),
  control: async (config, [liveFromEpoch = 0]) =>
    (await import("#processes/control.ts")).startControl(config, liveFromEpoch),
};

async function main([word = "--help", ...rest]: readonly string[]): Promise<void> {
  const role = roles[word];
  if (!role || !rest.every((fact) => /^\d+$/.test(fact))) {
    const { runCommandLine } = await import("#commands/command-line.ts");
    process.exit(await runCommandLine([word, ...rest]));
  }
  try {
    await role(loadConfig(process.env), rest.map(Number));
  } catch (error) {
    if (!(error instanceof ConfigError)) failStart(error);
    for (const line of error.lines) process.stderr.write(`kurz: ${line}\n`);
    process.exit(1);
  }
}

// What is stored is the service's alone, whatever directory the operator has made for it.
process.umask(0o077);
await main(Bun.argv.slice(2));

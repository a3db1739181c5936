import { afterAll, beforeEach, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPty, type Pty } from "#test/support/pty.ts";
import { until } from "#test/support/until.ts";
import { completionScripts, FILES, type Shell } from "../../cli/src/completion-scripts.ts";

const TIMEOUT_MS = 600_000;
const home = mkdtempSync(join(tmpdir(), "kurz-completion-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const inHome = (...names: string[]): string => join(home, ...names);
for (const directory of ["bin", "zsh", "fish/completions"]) mkdirSync(inHome(directory), { recursive: true });

// Says what the scripts ask it and how it is called in the end, and suggests what it is told to.
const [log, words] = [inHome("log"), inHome("words")];
writeFileSync(
  inHome("bin", "kurz"),
  `#!/bin/sh\nprintf '<%s>' "$@" >> ${log}\necho >> ${log}\nif [ "$1" = __complete ]; then cat ${words}; fi\n`,
);
chmodSync(inHome("bin", "kurz"), 0o755);
const suggest = (...suggestions: string[]): void =>
  writeFileSync(words, suggestions.map((one) => (one === FILES ? `${one}\n` : `${one}\t\n`)).join(""));
const calls = (): readonly string[] => readFileSync(log, "utf8").split("\n").slice(0, -1);
beforeEach(() => {
  writeFileSync(log, "");
  rmSync(inHome("owned"), { force: true });
});

writeFileSync(inHome("bashrc"), `PS1='ready> '\n${completionScripts.bash}`);
writeFileSync(
  inHome("zsh", ".zshrc"),
  `PS1='ready> '\nautoload -U compinit && compinit -u -D\n${completionScripts.zsh}`,
);
writeFileSync(inHome("fish", "completions", "kurz.fish"), completionScripts.fish);
writeFileSync(inHome("fish", "config.fish"), "function fish_prompt; echo 'ready> '; end\nset fish_greeting\n");

const env = {
  ...{ PATH: `${inHome("bin")}:${process.env.PATH}`, HOME: home, LANG: "C.UTF-8" },
  ...{ ZDOTDIR: inHome("zsh"), XDG_CONFIG_HOME: home, fish_autosuggestion_enabled: "0" },
};
const shells: Readonly<Record<Shell, readonly string[]>> = {
  bash: ["bash", "--noprofile", "--rcfile", inHome("bashrc"), "-i"],
  zsh: ["zsh", "-i"],
  fish: ["fish", "-i"],
};

async function atPrompt(shell: Shell, use: (pty: Pty) => Promise<void>): Promise<void> {
  const pty = openPty(shells[shell], { env, cwd: home });
  try {
    await pty.sees("ready> ");
    await use(pty);
  } finally {
    pty.close();
  }
}

const isCalled = (call: string): Promise<unknown> => until(`kurz is called with ${call}`, () => calls().includes(call));

test.each(Object.keys(shells) as Shell[])(
  "%s hands over what it completes as it is, and runs nothing in it",
  async (shell) => {
    suggest("$(touch owned)");
    await atPrompt(shell, async (pty) => {
      pty.type("kurz pause \t\r");
      await isCalled("<pause><$(touch owned)>");
      expect(existsSync(inHome("owned"))).toBe(false);
    });
  },
  TIMEOUT_MS,
);

test.each(Object.keys(shells) as Shell[])(
  "%s completes for a program in the home directory, too",
  async (shell) => {
    suggest("sale");
    await atPrompt(shell, async (pty) => {
      pty.type("~/bin/kurz pause sa\t\r");
      await isCalled("<pause><sale>");
      expect(calls()[0]).toBe("<__complete><--><pause><sa>");
    });
  },
  TIMEOUT_MS,
);

test.each(Object.keys(shells) as Shell[])(
  "%s completes words with an equals sign or a colon before them",
  async (shell) => {
    await atPrompt(shell, async (pty) => {
      suggest("--state=deleted");
      pty.type("kurz list --state=de\t\r");
      await isCalled("<list><--state=deleted>");
      expect(calls()[0]).toBe("<__complete><--><list><--state=de>");
      suggest("sale");
      pty.type("kurz stats --from 2026-01-31T10:00 sa\t\r");
      await isCalled("<stats><--from><2026-01-31T10:00><sale>");
      expect(calls()).toContain("<__complete><--><stats><--from><2026-01-31T10:00><sa>");
    });
  },
  TIMEOUT_MS,
);

test("fish asks once", () => {
  suggest("pause", "paused");
  const { stdout } = Bun.spawnSync(["fish", "-c", "complete -C 'kurz links pa'"], { env, cwd: home });
  expect(stdout.toString()).toContain("paused");
  expect(calls()).toEqual(["<__complete><--><links><pa>"]);
});

test.each(Object.keys(shells) as Shell[])(
  "%s offers files where an argument is a file, and nowhere else",
  async (shell) => {
    writeFileSync(inHome("code.png"), "");
    await atPrompt(shell, async (pty) => {
      suggest(FILES);
      pty.type("kurz qr --out cod\t\r");
      await isCalled("<qr><--out><code.png>");
      pty.type("kurz qr --out=cod\t\r");
      await isCalled("<qr><--out=code.png>");
      suggest();
      pty.type("kurz shorten cod\t\r");
      await isCalled("<shorten><cod>");
      pty.type("kurz qr sale > cod\t\r");
      await isCalled("<qr><sale>");
      expect(existsSync(inHome("cod"))).toBe(false);
    });
  },
  TIMEOUT_MS,
);

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import manifest from "../../package.json";
import { listedCommands } from "./command-list.ts";
import { failureLines } from "./failure-text.ts";
import { parseCommandLine } from "./parse-command-line.ts";
import { UsageError } from "./usage-error.ts";

const helpFor = (...argv: string[]): string => {
  const line = parseCommandLine(argv);
  if (line.kind !== "text") throw new Error("this is no request for help");
  return line.text;
};

const refusalOf = (...argv: string[]): string => {
  try {
    parseCommandLine(argv);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  throw new Error("this was accepted");
};

test("the licences are those of Kurz and of everything in it", () => {
  const text = helpFor("--licences");
  expect(text).toStartWith("MIT License");
  expect(text).toContain("Licences of third parties in Kurz");
});

test("the version is that of the package, however it is asked for", () => {
  for (const word of ["--version", "-v", "-V", "version"]) expect(helpFor(word)).toBe(`kurz ${manifest.version}`);
  expect(refusalOf("version", "now")).toContain('unknown command "version"');
});

describe("help", () => {
  test("is available at every level, by option or by word", () => {
    for (const argv of [["--help"], ["-h"], ["help"], []]) expect(helpFor(...argv)).toContain("Usage: kurz COMMAND");
    for (const argv of [
      ["tokens", "--help"],
      ["help", "tokens"],
    ]) {
      expect(helpFor(...argv)).toContain("Usage: kurz tokens COMMAND");
      expect(helpFor(...argv)).not.toContain("accounts create");
    }
    for (const { name } of listedCommands) {
      expect(helpFor(...name.split(" "), "--help")).toContain(`Usage: kurz ${name}`);
    }
    expect(helpFor("serve", "--help")).toContain("Usage: kurz serve");
  });

  test("wins over wrong arguments", () => {
    expect(helpFor("tokens", "create", "--what", "--help")).toContain("--account ID");
  });

  test("lists neither hidden commands nor what a command prompts for", () => {
    expect(helpFor("--help")).not.toContain("exists");
    expect(helpFor("accounts", "create", "--help")).not.toContain("--password");
  });
});

describe("a command line", () => {
  test("becomes a command with its values", () => {
    const argv = ["tokens", "create", "--account", "acc_1", "--name=CI", "--scopes", "all", "--json"];
    expect(parseCommandLine(argv)).toMatchObject({
      kind: "command",
      command: { name: "tokens create" },
      raw: { account: "acc_1", name: "CI", scopes: "all" },
      json: true,
    });
    expect(parseCommandLine(["links", "block", "spring", "--reason", "spam"])).toMatchObject({
      raw: { link: "spring", reason: "spam" },
      json: false,
    });
  });

  test("with an unknown command is refused with a suggestion", () => {
    expect(refusalOf("token", "create")).toBe('unknown command "token"; did you mean "tokens create"?');
    expect(refusalOf("accounts", "lst")).toBe('unknown command "accounts lst"; did you mean "accounts list"?');
    expect(refusalOf("doktor", "--repair")).toBe('unknown command "doktor"; did you mean "doctor"?');
    expect(refusalOf("sevre")).toBe('unknown command "sevre"; did you mean "serve"?');
    expect(refusalOf("frobnicate")).toBe('unknown command "frobnicate"; see kurz --help');
    expect(refusalOf("tokens")).toBe("tokens needs a command; see kurz tokens --help");
    expect(refusalOf("--json", "doctor")).toBe('a command must come before "--json"; see kurz --help');
    expect(refusalOf("serve", "now")).toBe("serve takes no arguments; see kurz serve --help");
    expect(refusalOf("demo", "--fast")).toBe("demo takes no arguments; see kurz demo --help");
  });

  test("with a wrong option is refused with a suggestion", () => {
    expect(refusalOf("doctor", "--repare")).toBe("doctor has no option --repare; did you mean --repair?");
    expect(refusalOf("doctor", "--frobnicate")).toBe("doctor has no option --frobnicate; see kurz doctor --help");
    expect(refusalOf("doctor", "--repair=yes")).toBe("--repair takes no value");
    expect(refusalOf("doctor", "--repair", "--repair")).toBe("--repair is given twice");
    expect(refusalOf("doctor", "twice")).toBe('unexpected argument "twice"; see kurz doctor --help');
    expect(refusalOf("tokens", "list", "--account")).toStartWith("--account needs a value");
    expect(refusalOf("tokens", "list", "--account", "--json")).toStartWith("--account needs a value");
  });

  test("accepts no password, which other users of the machine could read", () => {
    const argv = ["accounts", "create", "--email", "ada@example.com", "--name", "A", "--password", "correct horse"];
    expect(refusalOf(...argv)).toStartWith("accounts create has no option --password");
  });

  test("names everything that is missing at once", () => {
    expect(refusalOf("tokens", "create", "--name", "CI")).toBe("tokens create needs --account ID and --scopes LIST");
    expect(refusalOf("accounts", "suspend")).toBe("accounts suspend needs ACCOUNT_ID");
    expect(refusalOf("links", "block")).toBe("links block needs LINK and --reason R");
  });

  test("is parsed or refused in one line, whatever it is", () => {
    const words = fc.oneof(
      fc.constantFrom("tokens", "create", "list", "doctor", "--account", "--", "-h", "--json", "-", "--=", "help"),
      fc.string({ unit: "binary" }),
      fc.string().map((text) => `--${text}\u001b\n`),
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 6 }), (argv) => {
        try {
          parseCommandLine(argv);
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
          expect(failureLines(error).join("")).not.toMatch(/\p{Cc}/u);
        }
      }),
    );
  });
});

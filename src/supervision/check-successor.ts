import { childEnvironment } from "#config/child-environment.ts";
import { reasonOf } from "#kernel/error-text.ts";

// It loads its code and the settings, and looks at the data.
const CHECK_MS_MAX = 30_000;
const REASON_CHARACTERS_MAX = 500;

/** Why a program couldn't start in the environment of this process, if so; `facts` are appended to its command line. */
export async function findSuccessorProblem(
  check: readonly string[],
  facts: readonly number[],
): Promise<string | undefined> {
  try {
    const checking = Bun.spawn([...check, ...facts.map(String)], {
      stdio: ["ignore", "ignore", "pipe"],
      env: childEnvironment(),
      timeout: CHECK_MS_MAX,
      killSignal: "SIGKILL",
    });
    const [text, code] = await Promise.all([new Response(checking.stderr).text(), checking.exited]);
    if (code === 0) return undefined;
    if (checking.signalCode !== null) return `the new version can't start: its check ended by ${checking.signalCode}`;
    return `the new version can't start: ${lastLine(text) || `its check ended with ${code}`}`;
  } catch (error) {
    return `the new version can't be executed: ${reasonOf(error)}`;
  }
}

const lastLine = (text: string): string =>
  (text.trim().split("\n").at(-1) ?? "").replace(/^kurz: /, "").slice(0, REASON_CHARACTERS_MAX);

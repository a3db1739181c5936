import { rmSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { literal, type Session } from "./session.ts";

/** Within the directory for batches; what a killed process has left in it is removed with it. */
const SPOOL_DIRECTORY = "spool";

export const discardSpools = (directory: string): void =>
  rmSync(join(directory, SPOOL_DIRECTORY), { recursive: true, force: true });

const ROWS_AT_ONCE = 2000;

/** The result of a statement in a file, for results of any size: read once, as slowly as a client wants. */
export class Spool {
  readonly #file: string;

  private constructor(file: string) {
    this.#file = file;
  }

  /** The texts that are selected contain neither tabs nor line ends. */
  static async write(session: Session, directory: string, sql: string, values: readonly string[] = []): Promise<Spool> {
    await mkdir(join(directory, SPOOL_DIRECTORY), { recursive: true, mode: 0o700 });
    const file = join(directory, SPOOL_DIRECTORY, `${crypto.randomUUID()}.tsv`);
    try {
      await session.run(
        `copy (${sql}) to ${literal(file)} (format csv, header false, delimiter '\t', quote '', escape '', nullstr '')`,
        values,
      );
      return new Spool(file);
    } catch (error) {
      await rm(file, { force: true });
      throw error;
    }
  }

  /** Some rows at a time; `null` is an empty text. Removes the file at the end. */
  async *rows(): AsyncGenerator<readonly (readonly string[])[]> {
    try {
      let rows: string[][] = [];
      let rest = "";
      const decoder = new TextDecoder();
      for await (const bytes of Bun.file(this.#file).stream()) {
        const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) {
          rows.push(line.split("\t"));
          if (rows.length < ROWS_AT_ONCE) continue;
          yield rows;
          rows = [];
        }
      }
      if (rows.length > 0) yield rows;
    } finally {
      await rm(this.#file, { force: true });
    }
  }
}

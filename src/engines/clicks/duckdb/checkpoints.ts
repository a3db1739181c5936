import type { DuckDbAccess } from "./access.ts";
import { GroupFill } from "./row-groups.ts";
import type { Session } from "./session.ts";

/** Decides when to checkpoint the write-ahead log. */
export class Checkpoints {
  readonly #access: DuckDbAccess;
  readonly #group: GroupFill;
  #isDone: Promise<boolean> = Promise.resolve(true);

  constructor(access: DuckDbAccess, groupRows?: number) {
    this.#access = access;
    this.#group = new GroupFill(groupRows);
  }

  force(): Promise<void> {
    return this.#access.exclusive(({ writer }) => this.forceBy(writer));
  }

  async forceBy(writer: Session): Promise<void> {
    await writer.run("force checkpoint");
    this.#group.clear();
  }

  /** Starts a checkpoint if one is due; the caller needn't wait for it. */
  afterBatch(rows: number): void {
    if (!this.#group.isFullAfter(rows)) return;
    this.#isDone = this.force().then(
      () => true,
      () => false,
    );
  }

  /** Waits for a running checkpoint and retries a failed one; call before the next batch, or the log grows. */
  async settle(): Promise<void> {
    if (!(await this.#isDone)) await this.force();
    this.#isDone = Promise.resolve(true);
  }
}

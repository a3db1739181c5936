import { reasonOf } from "./error-text.ts";

interface Options {
  /** The module that the worker runs, which has to call `answerCalls`. */
  readonly module: URL;
  /** The error for calls that the worker did not answer before it died or was stopped. */
  readonly failure?: (message: string) => Error;
  /** Stops the worker after this long without a call, for one that needs much memory and is seldom used. */
  readonly idleMsMax?: number;
}

interface CallMessage<Request> {
  readonly id: number;
  readonly request: Request;
}

type AnswerMessage<Answer> =
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly problem: string };

export interface WorkerCalls<Request, Answer> {
  /** How many calls have not been answered yet. */
  readonly pending: number;
  call(request: Request): Promise<Answer>;
  /** Fails the pending calls. Resolves when the worker has closed what it had open. The next call starts a new one. */
  stop(): Promise<void>;
}

/** Calls into a worker thread, which is started by the first call and replaced by the next one after it died. */
export function openWorkerCalls<Request, Answer>({
  module,
  failure = Error,
  idleMsMax,
}: Options): WorkerCalls<Request, Answer> {
  const pending = new Map<number, PromiseWithResolvers<Answer>>();
  let worker: Worker | null = null;
  let closed = Promise.resolve();
  let idle: ReturnType<typeof setTimeout> | undefined;
  let lastId = 0;

  const start = (): Worker => {
    const started = new Worker(module.href);
    const { promise, resolve } = Promise.withResolvers<void>();
    closed = promise;
    started.addEventListener("close", () => resolve());
    started.onmessage = ({ data }: MessageEvent<AnswerMessage<Answer>>) => settle(data);
    started.onerror = ({ message }) => {
      if (worker === started) void stop(message);
    };
    return started;
  };

  const settle = (message: AnswerMessage<Answer>): void => {
    const waiter = pending.get(message.id);
    pending.delete(message.id);
    if ("answer" in message) waiter?.resolve(message.answer);
    else waiter?.reject(new Error(message.problem));
    if (pending.size > 0) return;
    // An idle worker must not keep the process alive.
    worker?.unref();
    if (idleMsMax !== undefined) idle = setTimeout(() => void stop("the worker was idle"), idleMsMax).unref();
  };

  const stop = async (reason: string): Promise<void> => {
    clearTimeout(idle);
    worker?.terminate();
    worker = null;
    for (const waiter of pending.values()) waiter.reject(failure(reason));
    pending.clear();
    await closed;
  };

  return {
    get pending() {
      return pending.size;
    },
    call(request) {
      clearTimeout(idle);
      worker ??= start();
      if (pending.size === 0) worker.ref();
      const waiter = Promise.withResolvers<Answer>();
      lastId += 1;
      pending.set(lastId, waiter);
      try {
        worker.postMessage({ id: lastId, request } satisfies CallMessage<Request>);
      } catch (error) {
        // A request that can't be cloned never reaches the worker.
        settle({ id: lastId, problem: reasonOf(error) });
      }
      return waiter.promise;
    },
    stop: () => stop("the worker was stopped"),
  };
}

declare const self: Worker;

/** Answers every call from inside the worker. What is to be moved instead of copied is named by `transfer`. */
export function answerCalls<Request, Answer>(
  answer: (request: Request) => Answer | Promise<Answer>,
  transfer: (answer: Answer) => ArrayBuffer[] = () => [],
): void {
  self.onmessage = async ({ data: { id, request } }: MessageEvent<CallMessage<Request>>) => {
    try {
      const given = await answer(request);
      self.postMessage({ id, answer: given } satisfies AnswerMessage<Answer>, transfer(given));
    } catch (error) {
      self.postMessage({ id, problem: String(error) } satisfies AnswerMessage<Answer>);
    }
  };
}

import type { Socket } from "bun";
import type { DataPaths } from "#config/data-paths.ts";
import { LineReader, LineSender } from "#engines/coordination/change-lines.ts";
import { findAccessProblem } from "#runtime/server-access.ts";
import type { HoldAnswer, HoldRequest } from "./hold-messages.ts";
import type { StillData } from "./still-data.ts";

/** A server has the data, but doesn't accept backups yet, or no longer. */
export class BackupsNotAccepted extends Error {}

const NOT_ACCEPTED =
  "the server is running but not accepting backups; try again in a moment, or restart the server if Kurz was upgraded";

interface Line {
  readonly reader: LineReader;
  readonly sender: LineSender;
}

/** Pauses changes in the running server. If the server dies or restarts meanwhile, the backup fails. */
export async function askServerToHold({ backupSocket, clicks }: DataPaths): Promise<StillData> {
  let waiting: PromiseWithResolvers<void> | undefined;
  let isLost = false;

  const lose = (): void => {
    isLost = true;
    waiting?.reject(connectionLost());
  };
  const hear = (answer: HoldAnswer): void => {
    if ("ok" in answer) waiting?.resolve();
    else waiting?.reject(new Error(answer.error));
  };
  const socket = await connect(backupSocket, hear, lose);

  const ask = (request: HoldRequest["ask"]): Promise<void> => {
    if (isLost) return Promise.reject(connectionLost());
    waiting = Promise.withResolvers();
    socket.data.sender.send({ ask: request } satisfies HoldRequest);
    return waiting.promise;
  };

  return {
    async copyClicks(copy) {
      await ask("hold");
      await copy(clicks);
      await ask("free clicks");
    },
    confirm: () => ask("confirm"),
    close: async () => socket.terminate(),
  };
}

async function connect(path: string, hear: (answer: HoldAnswer) => void, lose: () => void): Promise<Socket<Line>> {
  try {
    return await Bun.connect<Line>({
      unix: path,
      socket: {
        open(socket) {
          socket.data = { reader: new LineReader(), sender: new LineSender(socket) };
        },
        data(socket, chunk) {
          for (const answer of socket.data.reader.read(chunk)) hear(answer as HoldAnswer);
        },
        drain: (socket) => socket.data.sender.drain(),
        end: lose,
        close: lose,
        error: lose,
      },
    });
  } catch (error) {
    throw findAccessProblem(error) ?? new BackupsNotAccepted(NOT_ACCEPTED);
  }
}

const connectionLost = (): Error => new Error("the server stopped or restarted during the backup; try again");

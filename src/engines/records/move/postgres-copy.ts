import { once } from "node:events";
import type { Duplex } from "node:stream";
import pg from "pg";

/** The parts of the library's connection that its types leave out. */
interface CopyConnection {
  readonly stream: Duplex;
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

interface CopyData {
  readonly chunk: Uint8Array;
}

/** A statement of the library whose copied data we send or receive ourselves. */
class CopyStatement extends pg.Query {
  handleCopyInResponse: (connection: CopyConnection) => void = () => {};
  handleCopyData: (data: CopyData) => void = () => {};
}

const newCopy = (text: string): { statement: CopyStatement; done: Promise<void> } => {
  const { promise: done, resolve, reject } = Promise.withResolvers<void>();
  const statement = new CopyStatement({ text }, (error: Error | null) => (error ? reject(error) : resolve()));
  return { statement, done };
};

/** Runs `COPY … FROM STDIN` with these lines, no faster than the server takes them. */
export async function copyIn(client: pg.Client, text: string, chunks: Iterable<Uint8Array>): Promise<void> {
  const { statement, done } = newCopy(text);
  let sending: Promise<void> | undefined;
  let problem: unknown;
  statement.handleCopyInResponse = (connection) => {
    sending = send(connection, chunks, done).catch((error: unknown) => {
      problem = error;
      connection.sendCopyFail("the rows can't be read");
    });
  };
  client.query(statement);
  try {
    await done;
    await sending;
  } catch (error) {
    throw problem ?? error;
  }
}

async function send(connection: CopyConnection, chunks: Iterable<Uint8Array>, done: Promise<void>): Promise<void> {
  const { stream } = connection;
  // The server may refuse a line long before the last one.
  let isOver = false;
  const over = done
    .catch(() => {})
    .then(() => {
      isOver = true;
    });
  for (const chunk of chunks) {
    connection.sendCopyFromChunk(chunk);
    if (stream.writableNeedDrain) await Promise.race([once(stream, "drain").catch(() => {}), over]);
    // Also lets the library handle what the server has said meanwhile.
    else await new Promise(setImmediate);
    if (isOver) return;
  }
  connection.endCopyFrom();
}

/** Runs `COPY … TO STDOUT`; each chunk is a line. */
export async function copyOut(client: pg.Client, text: string, onLine: (line: Uint8Array) => void): Promise<void> {
  const { statement, done } = newCopy(text);
  statement.handleCopyData = ({ chunk }) => onLine(chunk);
  client.query(statement);
  await done;
}

/** Sends bytes as they are on a connection of its own and returns what comes back until it closes or falls silent. */
export async function sendRaw(port: number, text: string, silenceMs = 150): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let received = "";
  let timer = setTimeout(() => resolve(received), 5000);
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      data(_, chunk) {
        received += chunk.toString("latin1");
        clearTimeout(timer);
        timer = setTimeout(() => resolve(received), silenceMs);
      },
      close: () => resolve(received),
      end: () => resolve(received),
    },
  });
  socket.write(text);
  const answer = await promise;
  clearTimeout(timer);
  socket.terminate();
  return answer;
}

import { connect } from "node:net";

/** Clients that send a body at one byte per second: `bun trickle-client.ts PORT COUNT`. Prints once all are connected. */
const [port = 0, count = 0] = process.argv.slice(2).map(Number);
const DRIP_MS = 1000;
const OPENED_AT_A_TIME = 50;
const HEAD =
  "POST /api/v1/links HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer nonsense\r\n" +
  "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n";

/** Resolves when connected or refused; reconnects whenever its connection ends. */
function trickle(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = connect({ host: "127.0.0.1", port });
  let drip: ReturnType<typeof setInterval> | undefined;
  socket.on("error", () => {});
  socket.once("close", () => {
    clearInterval(drip);
    setTimeout(trickle, DRIP_MS);
    resolve();
  });
  socket.once("connect", () => {
    socket.write(HEAD);
    drip = setInterval(() => socket.write("a"), DRIP_MS);
    resolve();
  });
  socket.resume();
  return promise;
}

for (let opened = 0; opened < count; opened += OPENED_AT_A_TIME) {
  await Promise.all(Array.from({ length: OPENED_AT_A_TIME }, trickle));
}
process.stdout.write("ready\n");

/** Clients that send the body of a request at a byte a second: `bun trickle-client.ts PORT COUNT`. Says when all are there. */
const [port = 0, count = 0] = process.argv.slice(2).map(Number);
const DRIP_MS = 1000;
const HEAD =
  "POST /api/v1/links HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer nonsense\r\n" +
  "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n";

async function trickle(): Promise<void> {
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      data() {},
      // Its time is up, and the next one comes.
      close() {
        clearInterval(drip);
        setTimeout(trickle, DRIP_MS);
      },
    },
  });
  socket.write(HEAD);
  const drip = setInterval(() => socket.write("a"), DRIP_MS);
}

for (let opened = 0; opened < count; opened += 1) await trickle();
process.stdout.write("ready\n");

export {};

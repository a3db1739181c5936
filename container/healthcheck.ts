// Asks the server in the same container whether a balancer may send it requests. Exits with 0 or 1.
const PATH = "/readyz";
const EVERY_ADDRESS = ["", "0.0.0.0", "::", "[::]"];

const host = process.env.KURZ_HOST ?? "";
const port = process.env.KURZ_PORT || "8080";
const reachable = EVERY_ADDRESS.includes(host) ? "127.0.0.1" : host;
const url = `http://${reachable.includes(":") && !reachable.startsWith("[") ? `[${reachable}]` : reachable}:${port}${PATH}`;
try {
  const { status } = await fetch(url, { redirect: "manual" });
  if (status !== 200) throw new Error(`it answers ${status}`);
} catch (error) {
  // `docker inspect` shows this text.
  process.stderr.write(`${url}: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}

export {};

import { expect, test } from "bun:test";
import { PeerAddresses } from "./peer-addresses.ts";

const CLIENT = "192.0.2.1";

test("the peer behind which a client stands has the address of the client, while the connection is open", () => {
  const peers = new PeerAddresses();
  peers.set(4711, CLIENT);
  expect(peers.of({ address: "127.0.0.1", port: 4711 })).toBe(CLIENT);
  expect(peers.of({ address: "127.0.0.1", port: 4712 })).toBe("127.0.0.1");
  peers.delete(4711);
  expect(peers.of({ address: "127.0.0.1", port: 4711 })).toBe("127.0.0.1");
});

test("nobody passes for a client with the same port of another address", () => {
  const peers = new PeerAddresses();
  peers.set(4711, CLIENT);
  expect(peers.of({ address: "127.0.0.2", port: 4711 })).toBe("127.0.0.2");
  expect(peers.of(null)).toBe("");
});

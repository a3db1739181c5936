import { expect, test } from "bun:test";
import { until } from "#test/support/until.ts";
import { PeerAddresses } from "./peer-addresses.ts";

const CLIENT = { address: "192.0.2.1", isLast: false };
const PEER = { address: "127.0.0.1", port: 4711 };

test("the peer of a handed-over connection has the client's address", () => {
  const peers = new PeerAddresses();
  peers.set(PEER.port, CLIENT);
  expect(peers.of(PEER)).toEqual(CLIENT);
});

test("a request sent just before its client disconnected still has its address, but not for long", async () => {
  const peers = new PeerAddresses();
  peers.set(PEER.port, CLIENT);
  peers.leave(PEER.port);
  expect(peers.of(PEER)).toEqual(CLIENT);
  await until("it is forgotten", () => peers.of(PEER) === undefined);
});

test("a reused port isn't forgotten with its previous client", async () => {
  const peers = new PeerAddresses();
  peers.set(PEER.port, { address: "192.0.2.2", isLast: true });
  peers.leave(PEER.port);
  peers.set(PEER.port, CLIENT);
  peers.set(4712, { address: "192.0.2.3", isLast: true });
  peers.leave(4712);
  await until("the other one is forgotten", () => peers.of({ ...PEER, port: 4712 }) === undefined);
  expect(peers.of(PEER)).toEqual(CLIENT);
});

test("any other peer has no client address", () => {
  const peers = new PeerAddresses();
  peers.set(PEER.port, CLIENT);
  expect(peers.of({ ...PEER, port: 4712 })).toBeUndefined();
  expect(peers.of({ ...PEER, address: "127.0.0.2" })).toBeUndefined();
  expect(peers.of(null)).toBeUndefined();
});

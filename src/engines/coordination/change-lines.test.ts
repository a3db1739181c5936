import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { LineProtocolError, LineReader, LineSender } from "./change-lines.ts";

const messages = fc.array(fc.record({ text: fc.string({ unit: "grapheme" }), n: fc.integer() }), { maxLength: 20 });

/** Accepts a limited number of bytes per write, like a full socket. */
class NarrowSink {
  readonly taken: Uint8Array[] = [];
  room: number;

  constructor(room: number) {
    this.room = room;
  }

  write(bytes: Uint8Array): number {
    const part = bytes.slice(0, this.room);
    this.taken.push(part);
    return part.length;
  }
}

describe("LineReader", () => {
  test("returns every message, however the bytes are split", () => {
    fc.assert(
      fc.property(messages, fc.integer({ min: 1, max: 7 }), (sent, size) => {
        const bytes = Buffer.from(sent.map((message) => `${JSON.stringify(message)}\n`).join(""));
        const reader = new LineReader();
        const received: unknown[] = [];
        for (let at = 0; at < bytes.length; at += size) received.push(...reader.read(bytes.subarray(at, at + size)));
        expect(received).toEqual(sent);
      }),
    );
  });

  test("rejects invalid JSON and an endless line", () => {
    expect(() => new LineReader().read(Buffer.from("{\n"))).toThrow(LineProtocolError);
    const reader = new LineReader();
    expect(() => {
      for (let n = 0; n < 5; n += 1) reader.read(Buffer.alloc(1024 * 1024, "x"));
    }).toThrow(LineProtocolError);
  });
});

describe("LineSender", () => {
  test("queues what the socket did not accept and sends it later, in order", () => {
    fc.assert(
      fc.property(messages, fc.integer({ min: 1, max: 50 }), (sent, room) => {
        const sink = new NarrowSink(room);
        const sender = new LineSender(sink);
        for (const message of sent) sender.send(message);
        for (let turn = 0; turn < 10_000 / room; turn += 1) sender.drain();
        expect(new LineReader().read(Buffer.concat(sink.taken))).toEqual(sent);
      }),
    );
  });

  test("does not grow without bound for a peer that never reads", () => {
    const sender = new LineSender(new NarrowSink(0));
    const message = { text: "x".repeat(100_000) };
    expect(() => {
      for (let n = 0; n < 100; n += 1) sender.send(message);
    }).toThrow(LineProtocolError);
  });
});

import { expect, test } from "bun:test";
import fc from "fast-check";
import { EventStreamParser } from "./event-stream.ts";

test("events are found with their names; comments and unknown fields are passed over", () => {
  const stream =
    ": hello\n\nevent: click\ndata: {}\n\nid: 7\ndata:first\ndata: second\n\nevent: empty\n\ndata: x\n\ndata: cut";
  expect(new EventStreamParser().push(stream)).toEqual([
    { name: "click", data: "{}" },
    { name: "message", data: "first\nsecond" },
    { name: "message", data: "x" },
  ]);
});

test("a stream means the same however it is cut and whatever its line ends are", () => {
  const lineEnd = fc.constantFrom("\n", "\r\n", "\r");
  const texts = fc.array(fc.stringMatching(/^[a-z{}: ]{0,12}$/), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(texts, lineEnd, fc.array(fc.nat(40), { maxLength: 10 }), (data, end, cuts) => {
      const stream = data.map((text) => `event: click${end}data: ${text}${end}${end}`).join("");
      const parser = new EventStreamParser();
      const found = [];
      let at = 0;
      for (const length of cuts) {
        found.push(...parser.push(stream.slice(at, at + length)));
        at += length;
      }
      // One more line, since a carriage return at the very end may be the first half of a line end.
      found.push(...parser.push(stream.slice(at)), ...parser.push(": end\n"));
      expect(found).toEqual(data.map((text) => ({ name: "click", data: text })));
    }),
  );
});

import { describe, expect, test } from "bun:test";
import { type Progress, ResponseEnd } from "./response-end.ts";

const pass = (text: string, isToHead = false): Progress => new ResponseEnd(isToHead).pass(Buffer.from(text));

describe("the end of an answer", () => {
  test("comes after its content length", () => {
    const answer = "HTTP/1.1 404 Not Found\r\nX: y\r\nContent-Length: 5\r\n\r\nabcde";
    expect(pass(answer)).toBe("complete");
    for (let cut = 1; cut < answer.length; cut += 1) {
      const response = new ResponseEnd(false);
      expect(response.pass(Buffer.from(answer.slice(0, cut)))).toBe("under way");
      expect(response.pass(Buffer.from(answer.slice(cut)))).toBe("complete");
    }
  });

  test("comes with the head if there is no body", () => {
    expect(pass("HTTP/1.1 204 No Content\r\n\r\n")).toBe("complete");
    expect(pass("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n")).toBe("complete");
    expect(pass("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n", true)).toBe("complete");
    expect(pass("HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n")).toBe("complete");
  });

  test.each([
    ["without a length", "HTTP/1.1 200 OK\r\n\r\n"],
    ["in chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"],
    ["of a connection that closes", "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"],
    ["that is not final", "HTTP/1.1 100 Continue\r\n\r\n"],
    ["longer than it says", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nab"],
    ["with a length that is no number", "HTTP/1.1 200 OK\r\nContent-Length: 1x\r\n\r\na"],
    ["that is none", "garbage\r\n\r\n"],
    ["whose head has no end", `HTTP/1.1 200 OK\r\nX: ${"y".repeat(70_000)}`],
  ])("is not awaited in one %s", (_what, text) => {
    expect(pass(text)).toBe("until close");
  });
});

import { expect, test } from "bun:test";
import { stepsOf } from "./archived-steps.ts";

test("an endpoint is listed with all of its events, and with a whole address", () => {
  const events = Array.from({ length: 20 }, (_, index) => `link.event-${index}`);
  const url = `https://hooks.example/${"a".repeat(150)}`;
  const [step] = [...stepsOf({ file: "endpoints", part: 1, records: [{ url, events }] } as never)];
  expect(step).toEqual({
    type: "step",
    where: url,
    what: `A webhook endpoint isn't taken over, since its secret isn't. Create it for ${events.join(", ")}.`,
  });
});

test("what an archive names is shown without what could steer a terminal, and not without end", () => {
  const [step] = [
    ...stepsOf({ file: "endpoints", part: 1, records: [{ url: "\u001b[2J", events: ["x".repeat(9000)] }] } as never),
  ];
  expect(step).toMatchObject({ where: "?[2J" });
  expect(JSON.stringify(step).length).toBeLessThan(3000);
});

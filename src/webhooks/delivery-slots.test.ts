import { expect, test } from "bun:test";
import fc from "fast-check";
import { DeliverySlots } from "./delivery-slots.ts";

const placesOf = (slots: DeliverySlots, now = 0): Record<number, number> => {
  const grants = slots.take(now);
  for (const { endpointNo, most } of grants) for (let place = 0; place < most; place += 1) slots.start(endpointNo);
  return Object.fromEntries(grants.map(({ endpointNo, most }) => [endpointNo, most]));
};

/** An endpoint that has responded once and has more deliveries. */
function prove(slots: DeliverySlots, endpointNo: number): void {
  slots.start(endpointNo);
  slots.end(endpointNo, true);
  slots.note(endpointNo, 0);
}

test("a new endpoint has one slot until it has responded, then five", () => {
  const slots = new DeliverySlots();
  slots.note(1, 0);
  expect(placesOf(slots)).toEqual({ 1: 1 });
  slots.note(1, 0);
  expect(placesOf(slots)).toEqual({});
  slots.end(1, true);
  expect(placesOf(slots)).toEqual({ 1: 5 });
});

test("an endpoint that timed out falls back to one slot", () => {
  const slots = new DeliverySlots();
  prove(slots, 1);
  expect(placesOf(slots)).toEqual({ 1: 5 });
  for (let place = 0; place < 5; place += 1) slots.end(1, false);
  slots.note(1, 0);
  expect(placesOf(slots)).toEqual({ 1: 1 });
});

test("endpoints that hang never take more than half of all slots", () => {
  const slots = new DeliverySlots();
  const hanging = Array.from({ length: 100 }, (_, index) => index + 1);
  for (const endpointNo of hanging) {
    slots.start(endpointNo);
    slots.end(endpointNo, false);
    slots.note(endpointNo, 0);
  }
  placesOf(slots);
  expect(slots.inFlight).toBe(25);
  slots.note(999, 0);
  prove(slots, 1000);
  expect(placesOf(slots)).toEqual({ 999: 1, 1000: 5 });
});

test("however many endpoints are new, quick ones still get slots", () => {
  const slots = new DeliverySlots();
  for (let endpointNo = 1; endpointNo <= 100; endpointNo += 1) slots.note(endpointNo, 0);
  placesOf(slots);
  expect(slots.inFlight).toBe(40);
  prove(slots, 1000);
  expect(placesOf(slots)).toEqual({ 1000: 5 });
});

test("nothing is sent before it is due, and the next due time is known", () => {
  const slots = new DeliverySlots();
  slots.note(1, 500);
  slots.note(2, 300);
  slots.note(2, 400);
  expect(placesOf(slots, 200)).toEqual({});
  expect(slots.nextDueAt(200)).toBe(300);
  expect(placesOf(slots, 300)).toEqual({ 2: 1 });
  expect(slots.nextDueAt(300)).toBe(500);
});

test("no endpoint ever has more than five slots, and all together never more than fifty", () => {
  const step = fc.record({
    endpoint: fc.integer({ min: 1, max: 40 }),
    act: fc.constantFrom("note", "take", "quick", "slow"),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      const slots = new DeliverySlots();
      const inFlight = new Map<number, number>();
      for (const { endpoint, act } of steps) {
        const count = inFlight.get(endpoint) ?? 0;
        if (act === "note") slots.note(endpoint, 0);
        else if (act === "take") {
          for (const [no, most] of Object.entries(placesOf(slots))) {
            inFlight.set(Number(no), (inFlight.get(Number(no)) ?? 0) + most);
          }
        } else if (count > 0) {
          slots.end(endpoint, act === "quick");
          inFlight.set(endpoint, count - 1);
        }
        const counts = [...inFlight.values()];
        expect(Math.max(0, ...counts)).toBeLessThanOrEqual(5);
        expect(counts.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(50);
      }
    }),
    { numRuns: 100 },
  );
});

import fc from "fast-check";
import { expect, it } from "vitest";
import { allModels } from "../../../../gateway/catalog/lookup.ts";
import { type Exchange, providersId } from "../../../../gateway/sandbox/exchange.ts";
import { FILM_SIZES } from "../../../../gateway/sandbox/videos/sizes.ts";
import { TaskMemory } from "../../../../gateway/sandbox/videos/task-memory.ts";
import { readTask, takeOrder } from "../../../../gateway/sandbox/videos/tasks.ts";
import { readOperation } from "../../../../gateway/providers/video-figures.ts";

const films = allModels().filter(({ capabilities }) => capabilities.includes("video"));
const order = fc.record({
  model: fc.constantFrom(...films.map(providersId)),
  prompt: fc.constantFrom("a fox", "sandbox:fail", "sandbox:slow=3600000"),
  size: fc.constantFrom(...FILM_SIZES),
  seconds: fc.integer({ min: 1, max: 60 }),
  extra: fc.tuple(fc.integer({ min: -1, max: 4_294_967_295 }), fc.nat(1), fc.nat(1)),
});

const received = (given: Parameters<typeof takeOrder>[2]) => {
  const exchange = { tasks: new TaskMemory(), clock: { now: () => 1_769_095_486_520 } } as unknown as Exchange;
  return takeOrder(exchange, "cgt-", given, Buffer.from("a request"));
};

it("a task is in its id, which the gateway takes for one", () => {
  fc.assert(
    fc.property(order, (given) => {
      const task = received(given);
      const { model, size, seconds, extra } = given;
      expect(task).toMatchObject({ model, seconds, extra, fails: given.prompt === "sandbox:fail" });
      expect(task?.size).toMatchObject({ width: size.width, height: size.height });
      expect(readTask("cgt-", task?.id ?? "")).toEqual(task);
      expect(readOperation(task?.id)).not.toBeNull();
    }),
  );
});

it("an id that was changed, was never given, or is another provider's, is not found", () => {
  fc.assert(
    fc.property(order, fc.nat(60), fc.string(), (given, place, any) => {
      const id = received(given)?.id ?? "";
      const at = "cgt-".length + place;
      const changed = id.slice(0, at) + (id[at] === "A" ? "B" : "A") + id.slice(at + 1);
      for (const other of [changed, `cgt-${any}`, any]) expect(readTask("cgt-", other)).toBeNull();
      expect(readTask("video_", id)).toBeNull();
    }),
  );
});

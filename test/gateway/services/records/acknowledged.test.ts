import * as fc from "fast-check";
import { expect, test } from "vitest";
import { seededRandom } from "../../store/fixtures.ts";
import { RecordWorld } from "./record-world.ts";

const act = fc.record({
  what: fc.nat(23),
  which: fc.nat(2),
  value: fc.nat(60),
  /** KeyedMutex of the event loop's microtasks until the next one is asked for. */
  wait: fc.oneof(fc.constant(0), fc.nat(40)),
});
/** What happens when all of these have been asked for. */
const end = fc.constantFrom("answered", "restart", "kill", "power cut");

test("whatever overlaps whatever, nothing that was acknowledged is lost or undone, also over kills and power cuts", async () => {
  const starts = fc.array(fc.record({ acts: fc.array(act, { maxLength: 25 }), end }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(starts, fc.nat(), async (rounds, seed) => {
      const random = seededRandom(seed);
      const world = new RecordWorld();
      await world.prepare();
      for (const round of rounds) {
        const requests: Promise<unknown>[] = [];
        for (const { what, which, value, wait } of round.acts) {
          requests.push(world.act(what, which, value).catch(() => undefined));
          for (let turn = 0; turn < wait; turn += 1) await Promise.resolve();
        }
        if (round.end === "kill") await world.start(world.kill());
        else if (round.end === "power cut") await world.start(world.cut(random));
        else {
          await Promise.all(requests);
          expect(await world.wrong()).toEqual([]);
          if (round.end === "restart") {
            await world.store.close();
            await world.start(world.kill());
          }
        }
        expect(await world.wrong()).toEqual([]);
      }
    }),
    { numRuns: Number(process.env["RECORD_RUNS"] ?? 150) },
  );
}, 120_000);

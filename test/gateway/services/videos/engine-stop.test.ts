import { expect, it } from "vitest";
import { until } from "../../../support/running-gateway.ts";
import { EngineWorld } from "./engine-world.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** A file that never comes. */
const never = (): Promise<boolean> => new Promise(() => {});
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A task whose provider has made it, and whose file is on its way. */
async function fetching(world: EngineWorld): Promise<string> {
  world.provider.plan = ["succeeded"];
  const { id } = await world.submit();
  await world.time.pass(10 * SECOND, turn);
  await until(() => world.repository.get(id)?.bill?.counted === true);
  expect(world.repository.get(id)?.phase).toBe("fetching");
  return id;
}

it("a stop does not wait for a file that is on its way, and nothing is asked or begun after it", async () => {
  await using world = await EngineWorld.open("ark", never);
  const id = await fetching(world);
  world.provider.plan = ["running"];
  await world.submit();
  await world.stop();
  const asked = world.questions;
  await world.time.pass(20 * MINUTE, turn);
  expect(world.questions).toBe(asked);
  expect(world.repository.get(id)?.phase).toBe("fetching");
});

it("a task whose file takes too long ends without it, as soon as the disk takes that", async () => {
  await using world = await EngineWorld.open("ark", never);
  const id = await fetching(world);
  world.fs.fault = { call: world.fs.calls, code: "ENOSPC", calls: Number.MAX_SAFE_INTEGER };
  await world.time.pass(11 * MINUTE, turn);
  expect(world.repository.get(id)?.phase).toBe("fetching");
  world.fs.fault = null;
  await until(async () => {
    await world.time.pass(5 * SECOND, turn);
    return world.repository.get(id)?.phase === "succeeded";
  });
  expect(world.repository.get(id)?.result?.saved).toBeNull();
});

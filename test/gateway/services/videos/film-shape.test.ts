import { expect, it } from "vitest";
import type { MediaView } from "../../../../gateway/contract/media.ts";
import { ManageTasks, type ManageTasksDeps } from "../../../../gateway/services/videos/manage-tasks.ts";
import { closedTask, taskOrder, taskResult } from "../../../support/tasks.ts";

const task = closedTask({ order: taskOrder({ ratio: "16:9" }), result: taskResult() });

/** What the pages are informed of the task's shape when its film has these sides; null: there is no film. */
async function shapeOf(sides: Partial<Pick<MediaView, "width" | "height">> | null): Promise<string> {
  const deps = {
    repository: { find: async () => task },
    engine: { watch: () => undefined },
    money: { getHold: () => 0 },
    connections: { get: () => undefined },
    keyRing: { get: () => undefined },
    media: { view: async (id: string) => sides && { id, ...sides } },
  };
  return (await new ManageTasks(deps as unknown as ManageTasksDeps).get(task.id)).ratio;
}

it("is that of the film, once there is one: a provider may have decided otherwise than was asked", async () => {
  expect(await shapeOf({ width: 720, height: 1280 })).toBe("9:16");
  expect(await shapeOf({ width: 1280, height: 720 })).toBe("16:9");
  expect(await shapeOf({ width: 1000, height: 300 })).toBe("10:3");
});

it("is what was asked for while nothing was measured", async () => {
  expect(await shapeOf(null)).toBe("16:9");
  expect(await shapeOf({ width: null, height: null })).toBe("16:9");
});

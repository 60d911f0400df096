import { expect, it } from "vitest";
import { Progress } from "../../../../gateway/mcp/tool/progress.ts";
import { TaskProgress } from "../../../../gateway/mcp/tools/get-video-task.ts";
import { taskRecord } from "../../../support/tasks.ts";
import { TestClock } from "../../../support/test-clock.ts";

/** @param percents what the provider says every ten seconds. */
function toldOf(...percents: readonly (number | null)[]): string {
  const clock = new TestClock();
  const reports: string[] = [];
  const progress = new TaskProgress(
    clock,
    new Progress(clock, ({ progress: figure, total }) =>
      reports.push(total === undefined ? `${figure}` : `${figure}/${total}`),
    ),
  );
  for (const percent of percents) {
    progress.tell(taskRecord({ phase: "running", progress: percent }));
    clock.advance(10_000);
  }
  return reports.join(" ");
}

it.each<readonly [string, readonly (number | null)[], string]>([
  ["seconds where the provider tells no percent", [null, null, null], "0 10 20"],
  [
    "percent where it does, a little more each time while they stay",
    [5, 40, 40, 40, 70],
    "5/100 40/100 40.01/100 40.02/100 70/100",
  ],
  ["seconds until the percent are the larger figure", [null, null, null, 15, 45], "0 10 20 30 45/100"],
  ["no fall when the provider begins anew", [60, 10, null, 80], "60/100 60.01/100 60.02/100 80/100"],
])("tells %s", (_, percents, reported) => {
  expect(toldOf(...percents)).toBe(reported);
});

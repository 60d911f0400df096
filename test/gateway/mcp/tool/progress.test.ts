import { expect, it } from "vitest";
import { Progress } from "../../../../gateway/mcp/tool/progress.ts";
import { whileWaiting } from "../../../../gateway/mcp/tool/waiting.ts";
import { TestClock } from "../../../support/test-clock.ts";

it("tells only what is larger than before, and not faster than anybody reads", () => {
  const clock = new TestClock();
  const reports: number[] = [];
  const progress = new Progress(clock, (step) => reports.push(step.progress));
  const report = (figure: number, after: number): void => {
    clock.advance(after);
    progress.report({ progress: figure, message: "" });
  };
  report(1, 0);
  report(2, 10);
  report(3, 300);
  report(3, 300);
  report(2, 300);
  report(4, 300);
  expect(reports).toEqual([1, 3, 4]);
});

it("is silent when no one asked", async () => {
  const progress = new Progress(new TestClock(), null);
  expect(progress.isRequested).toBe(false);
  progress.report({ progress: 1, message: "" });
  const noTimer = (): never => {
    throw new Error("nobody waits");
  };
  await expect(
    whileWaiting({ clock: new TestClock(), later: noTimer }, progress, "it works", Promise.resolve(7)),
  ).resolves.toBe(7);
});

it("says how long a provider has been working, and stops with it", async () => {
  const clock = new TestClock();
  const reports: string[] = [];
  let beat = (): void => {};
  let waiting = 0;
  const later = (ms: number, work: () => void) => {
    waiting += 1;
    beat = () => {
      clock.advance(ms);
      work();
    };
    return () => void (waiting -= 1);
  };
  const work = Promise.withResolvers<string>();
  const progress = new Progress(clock, (step) => reports.push(step.message));
  const waited = whileWaiting({ clock, later }, progress, "gpt-image-1 draws", work.promise);
  beat();
  beat();
  work.resolve("done");
  await expect(waited).resolves.toBe("done");
  expect(reports).toEqual(["gpt-image-1 draws: 0 s", "gpt-image-1 draws: 5 s", "gpt-image-1 draws: 10 s"]);
  expect(waiting).toBe(2);
});

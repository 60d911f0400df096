import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { dose } from "../../../support/dose.ts";
import { until } from "../../../support/running-gateway.ts";
import { PAID, PaidStage } from "./paid-stage.ts";
import { ERAS, NEW, OLD, OpenStream, begin, call, send, toolCall } from "./wire.ts";

/** Many who wait for a video, and how their waiting ends. */

let stage: PaidStage;
const warnings: string[] = [];
const onWarning = (warning: Error): void => void warnings.push(`${warning.name}: ${warning.message}`);
beforeAll(() => void process.on("warning", onWarning));
beforeEach(async () => {
  // What would hold a stop up would hold it up for longer than a test may take.
  stage = await PaidStage.open({ drainMs: 600_000 });
  stage.films.plan = ["running"];
});
afterAll(() => void process.off("warning", onWarning));

async function ordered(): Promise<string> {
  const { args, model, name } = PAID.find((tool) => tool.route === null) as (typeof PAID)[number];
  const { result } = await call(stage.gateway, NEW, name, { model, ...args });
  return (result.structuredContent?.["task"] as { id: string } | undefined)?.id ?? "";
}

/** Half of them of each era. */
const CLIENTS = dose(80, 300);

const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

it(
  "hundreds who wait and leave leave nothing behind, and the provider is not asked once for each",
  { timeout: 300_000 },
  async () => {
    const id = await ordered();
    const requestCount = stage.films.seen.length;
    const before = timers();
    const session = await begin(stage.gateway);
    const waiting = await Promise.all(
      Array.from({ length: CLIENTS }, async (_, n) => {
        const era = ERAS[n % 2] ?? NEW;
        const message = toolCall(era, "get_video_task", { id, wait_seconds: 600 }, { id: n, progressToken: n });
        return OpenStream.of((signal) =>
          send(stage.gateway, era, message, { signal, ...(era === OLD ? { session } : {}) }),
        );
      }),
    );
    await Promise.all(waiting.map((one) => one.until((text) => text.includes("notifications/progress"))));
    for (const one of waiting) one.leave();
    // Those of the older revisions wait on until they are ordered not to.
    for (let n = 0; n < CLIENTS; n += 2)
      await send(
        stage.gateway,
        OLD,
        { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: n } },
        { session },
      );
    await until(() => timers() < before + 20);
    expect(stage.films.seen.length - requestCount).toBeLessThan(30);
    expect(warnings).toEqual([]);
    await stage.close();
  },
);

it.each(ERAS)("who waits when Postern stops learns what is known, and holds nothing up: %s", async (era) => {
  const id = await ordered();
  const options = era === OLD ? { session: await begin(stage.gateway) } : {};
  const message = toolCall(era, "get_video_task", { id, wait_seconds: 600 }, { progressToken: "p" });
  const waiting = await OpenStream.of((signal) => send(stage.gateway, era, message, { ...options, signal }));
  await waiting.until((text) => text.includes("notifications/progress"));
  await stage.gateway.stop();
  await waiting.ended;
  expect(waiting.messages.at(-1)?.result?.structuredContent).toMatchObject({ id });
  await stage.close();
});

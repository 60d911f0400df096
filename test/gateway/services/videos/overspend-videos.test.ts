import { rm } from "node:fs/promises";
import { afterEach, describe, expect, it } from "vitest";
import type { BudgetView } from "../../../../gateway/contract/budgets.ts";
import type { KeyView } from "../../../../gateway/contract/key.ts";
import type { TaskPage } from "../../../../gateway/contract/tasks.ts";
import { dose } from "../../../support/dose.ts";
import { FastChild } from "../../../support/fast-child.ts";
import { errorOf, temporaryFolder, until, type TestKey } from "../../../support/running-gateway.ts";
import { VideoStage } from "../../../support/video-acts.ts";
import { orderBody } from "../../../support/video-orders.ts";
import { VideoProvider } from "../../../support/video-provider.ts";
import { seededRandom } from "../../store/fixtures.ts";

/** What a task of these costs: 5 s at $0.10. */
const TASK_NANO = 500_000_000;
/** Money for two of them and a rest. */
const LIMIT_NANO = 1_100_000_000;
const POOR = { key: "sk-test-poor-videos-key-01", name: "poor", limit_usd: LIMIT_NANO / 1e9 } as const;
const BODY = orderBody("alpha", "A lighthouse at dusk.");

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function submit(url: string): Promise<Response> {
  return fetch(`${url}/v1/videos/generations`, {
    method: "POST",
    headers: { authorization: `Bearer ${POOR.key}`, "content-type": "application/json", "user-agent": "stormer/1" },
    body: JSON.stringify(BODY),
  });
}

/** A hundred at once. @returns how many were answered by each status */
async function storm(url: string, onRefused: (count: number) => void = () => {}): Promise<Record<number, number>> {
  const responses: Record<number, number> = {};
  await Promise.all(
    Array.from({ length: 100 }, async () => {
      const response = await submit(url);
      responses[response.status] = (responses[response.status] ?? 0) + 1;
      if (response.status === 402) {
        expect((await errorOf(response)).code).toBe("insufficient_quota");
        onRefused(responses[402] ?? 0);
      } else await response.arrayBuffer();
    }),
  );
  return responses;
}

type Standing = Pick<KeyView, "held_nano" | "spent_nano">;
const BUDGET = { scope: { kind: "client", name: "stormer" }, reset: "monthly" };
const budgetOf = async (stage: VideoStage): Promise<Standing> => {
  const { data } = await stage.gateway.ask<{ data: BudgetView[] }>("GET", "/budgets");
  return data[0] as BudgetView;
};

describe("a key with money for two videos", () => {
  const keyOf = (stage: VideoStage): Promise<KeyView> => stage.gateway.keyView(POOR.name);
  const open = async (): Promise<VideoStage> => {
    const stage = await VideoStage.open({ keys: [POOR] });
    closing.push(() => stage.close());
    return stage;
  };

  it.each<[string, TestKey, (stage: VideoStage) => Promise<Standing>]>([
    ["its limit", POOR, keyOf],
    ["a budget of its client", { ...POOR, limit_usd: 1_000 }, budgetOf],
  ])(
    "lets two of 100 submissions through by %s, gives the money of one that fails back, and keeps that of the other",
    async (_what, key, standingOf) => {
      const stage = await VideoStage.open({ keys: [key] });
      closing.push(() => stage.close());
      if (key !== POOR) await stage.gateway.ask("POST", "/budgets", { ...BUDGET, limit_usd: POOR.limit_usd });
      const { provider } = stage;
      provider.plan = ["running"];
      const release = provider.hold("submit");
      const responses = await storm(stage.gateway.url, (refused) => refused === 98 && release());
      expect(responses).toEqual({ 202: 2, 402: 98 });
      expect(provider.tasks).toHaveLength(2);
      expect(await standingOf(stage)).toMatchObject({ held_nano: 2 * TASK_NANO, spent_nano: 0 });
      await stage.restart();
      expect(await standingOf(stage)).toMatchObject({ held_nano: 2 * TASK_NANO, spent_nano: 0 });
      expect(await storm(stage.gateway.url)).toEqual({ 402: 100 });
      const [first, second] = provider.tasks.map(({ id }) => id);
      provider.advance(first ?? "", "failed");
      await until(async () => (await standingOf(stage)).held_nano === TASK_NANO);
      provider.advance(second ?? "", "succeeded");
      await until(async () => (await standingOf(stage)).held_nano === 0);
      expect(await standingOf(stage)).toMatchObject({ held_nano: 0, spent_nano: TASK_NANO });
      expect(await storm(stage.gateway.url)).toEqual({ 202: 1, 402: 99 });
      provider.advance(provider.last.id, "succeeded");
      await until(async () => (await standingOf(stage)).spent_nano === 2 * TASK_NANO);
      expect(await storm(stage.gateway.url)).toEqual({ 402: 100 });
      expect(provider.tasks).toHaveLength(3);
    },
  );

  it.each(dose([11], [11, 12, 13]))(
    "never has more held and spent than its limit, while tasks fail and succeed and Postern restarts (seed %i)",
    async (seed) => {
      const random = seededRandom(seed);
      const stage = await open();
      const { provider } = stage;
      let most = 0;
      for (let wave = 0; wave < 5; wave++) {
        for (let index = 0; index < 3; index++) provider.next("running", random() < 0.3 ? "succeeded" : "failed");
        if (random() < 0.5) provider.fault("submit", { do: "answer", status: 400, body: { code: "InvalidParameter" } });
        const waves = storm(stage.gateway.url);
        const quiet = new AbortController();
        const watching = (async () => {
          while (!quiet.signal.aborted) {
            // Between a stop and the next start there is no one to ask.
            const key = await keyOf(stage).catch(() => null);
            most = Math.max(most, (key?.held_nano ?? 0) + (key?.spent_nano ?? 0));
          }
        })();
        await waves;
        if (random() < 0.5) await stage.restart();
        await until(async () => (await keyOf(stage)).held_nano === 0);
        quiet.abort();
        await watching;
      }
      const made = provider.tasks.filter(({ state }) => state === "succeeded").length;
      expect(most).toBeLessThanOrEqual(LIMIT_NANO);
      expect(await keyOf(stage)).toMatchObject({ held_nano: 0, in_flight: 0, spent_nano: made * TASK_NANO });
      expect(await stage.gateway.spentCents(POOR.key)).toBe(made * 50);
      expect(provider.complaints).toEqual([]);
    },
  );

  it("holds their money after a kill in the middle of their submission, until it is known what became of them", async () => {
    const provider = await new VideoProvider().listen();
    closing.push(() => provider.close());
    const dataDir = await temporaryFolder();
    closing.push(() => rm(dataDir, { recursive: true, force: true }));
    const since = Date.now();
    const start = async (): Promise<FastChild> => {
      const env = { ...provider.env("dashscope"), POSTERN_KEYS: JSON.stringify([POOR]), POSTERN_SANDBOX: "off" };
      const child = new FastChild({ dataDir, env, speed: 100, since, kill: null });
      closing.push(() => child.kill());
      await child.ready();
      return child;
    };
    const first = await start();
    provider.now = () => since + (Date.now() - since) * 100;
    provider.plan = ["running"];
    // The provider gets one before the kill and none of the other.
    const release = provider.hold("submit");
    provider.fault("submit", null, { do: "drop" });
    const broken = Promise.allSettled([storm(first.url, (refused) => refused === 98 && first.signal("SIGKILL"))]);
    await first.exited;
    release();
    await broken;
    await provider.when(() => provider.tasks.length === 1);
    const hiding = provider.hold("list");
    const second = await start();
    const key = async (): Promise<KeyView> => {
      const { data } = await second.control<{ data: KeyView[] }>("GET", "/keys");
      return data.find(({ name }) => name === POOR.name) as KeyView;
    };
    expect(await key()).toMatchObject({ held_nano: 2 * TASK_NANO, spent_nano: 0 });
    expect(await storm(second.url)).toEqual({ 402: 100 });
    hiding();
    // Of two tasks that were lost and are alike, one is found in the provider's list, and the other never arrived there.
    await until(async () => (await key()).held_nano === TASK_NANO, 20_000);
    expect((await second.control<TaskPage>("GET", "/tasks?status=failed")).data).toMatchObject([
      { error: { code: "not_submitted" } },
    ]);
    expect(await storm(second.url)).toEqual({ 202: 1, 402: 99 });
    for (const { id } of provider.tasks) provider.advance(id, "succeeded");
    await until(async () => (await key()).held_nano === 0);
    expect(await key()).toMatchObject({ spent_nano: 2 * TASK_NANO, in_flight: 0 });
    expect(provider.tasks).toHaveLength(2);
  });
});

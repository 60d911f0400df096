import { rm } from "node:fs/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { temporaryFolder, until } from "../../../support/running-gateway.ts";
import type { ScriptedState, ProviderSeen } from "../../../support/video-provider.ts";
import { KillStage } from "../../../support/video-kills.ts";

/** A gateway in a process of its own, whose time runs fifty times faster. */

// Each of them takes some seconds of an idle machine.
vi.setConfig({ testTimeout: 120_000 });

/** Between two questions to one account, of the gateway's time. */
const GAP_MS = 60;
/** Tasks of one account that are under way when the process stops. */
const SLEEPERS = 16;

let dataDir: string;
let stage: KillStage;
beforeEach(async () => {
  dataDir = await temporaryFolder();
  // So fast that minutes are seconds here, and so slow that the gaps between questions are more than chance.
  stage = await KillStage.open(dataDir, 50);
  await stage.start();
});
afterEach(async () => {
  await stage.close();
  await rm(dataDir, { recursive: true, force: true });
});

const working = (polls: number): ScriptedState[] => [
  ...Array.from({ length: polls }, () => "running" as const),
  "succeeded",
];

/** Lets the gateway's time pass. */
async function pass(ms: number): Promise<void> {
  const end = stage.time.monotonic() + ms;
  await until(() => stage.time.monotonic() >= end);
}

const polls = (): ProviderSeen[] => stage.provider.seen.filter(({ operation }) => operation === "poll");

it("a process that stood still for minutes asks for each task once, in its provider's pace, and calls back once", async () => {
  stage.receiver.response = (nth) => (nth === 1 ? 500 : 204);
  await stage.order("called", ["succeeded"]);
  await Promise.all(
    Array.from({ length: SLEEPERS }, (_, index) => stage.order(`slept-${index}`, working(1_000), ["xai"])),
  );
  const called = (): number => new Set(stage.receiver.received.map(({ name }) => name)).size;
  await until(() => called() === 6 && polls().length >= 40);
  stage.child.signal("SIGSTOP");
  const before = polls().length;
  // Two minutes for the gateway; what was under way in that moment arrives meanwhile.
  await pass(120_000);
  const meanwhile = polls().length;
  expect(meanwhile - before).toBeLessThanOrEqual(8);
  stage.child.signal("SIGCONT");
  await until(() => polls().length >= meanwhile + SLEEPERS);
  const first = polls().slice(meanwhile, meanwhile + SLEEPERS);
  expect(new Set(first.map(({ id }) => id)).size).toBeGreaterThanOrEqual(SLEEPERS - 1);
  const spread = ((first.at(-1)?.at ?? 0) - (first[0]?.at ?? 0)) * stage.speed;
  expect(spread).toBeGreaterThan(((SLEEPERS - 1) * GAP_MS) / 2);
  stage.receiver.response = () => 204;
  for (const { id } of stage.provider.tasks) stage.provider.advance(id, "succeeded");
  await stage.settle();
  expect(stage.broken).toEqual([]);
  for (const { name } of stage.orders.slice(0, 6)) {
    expect(stage.receiver.of(name).map(({ status }) => status)).toEqual([500, 204]);
  }
  expect(stage.receiver.received).toHaveLength(2 * 6 + SLEEPERS);
});

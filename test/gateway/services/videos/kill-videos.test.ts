import { rm } from "node:fs/promises";
import { expect, it } from "vitest";
import { dose, thin } from "../../../support/dose.ts";
import { temporaryFolder } from "../../../support/running-gateway.ts";
import { EDGES } from "../../../support/video-edges.ts";
import { KillStage, type Kill } from "../../../support/video-kills.ts";
import { seededRandom } from "../../store/fixtures.ts";
import type { ScriptedState } from "../../../support/video-provider.ts";
import type { Family } from "../../../support/video-orders.ts";

it.concurrent.each<[string, readonly Family[], readonly string[]]>([
  [
    "its submission",
    ["alpha", "ark", "xai"],
    [
      "before its record is written",
      "after its record, before its provider is asked",
      "after its provider took it, before the provider's id is recorded",
      "between two polls",
    ],
  ],
  [
    "its charge",
    ["beta", "openai"],
    [
      "after its provider's success, before its charge is recorded",
      "after its charge is recorded, before it is counted",
      "after it is counted, before that is recorded",
      "with half of its file",
    ],
  ],
  [
    "its end",
    ["ark", "openai"],
    [
      "after its sidecar, before its file is renamed",
      "after its file is renamed, before its end",
      "after its end, before its callback",
      "after its callback, before the attempt is recorded",
    ],
  ],
])(
  "a task is ordered once, billed once, saved whole and called back for under one id, killed around %s",
  async (_, families, everyEdge) => {
    const edges = thin(everyEdge, 2);
    const dataDir = await temporaryFolder();
    const stage = await KillStage.open(dataDir, 200);
    try {
      const missed: string[] = [];
      for (const edge of edges) {
        const kill = EDGES[edge];
        if (kill === undefined) throw new Error(`there is no edge "${edge}"`);
        await stage.start();
        await stage.settle();
        const killed = await stage.orderAndKill(`${stage.kills}`, kill, ["queued", "running", "succeeded"], families);
        if (!killed) missed.push(edge);
      }
      await stage.start();
      await stage.settle();
      expect(stage.broken).toEqual([]);
      expect(missed).toEqual([]);
      expect(stage.kills).toBe(edges.length);
      expect(stage.orders).toHaveLength(edges.length * families.length);
    } finally {
      await stage.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
  600_000,
);

/** A task's whole life takes so many ms of this machine at a hundred times its speed, and so many steps of the disk. */
const LIFE_MS = 900;
const LIFE_STEPS = 180;
const START_STEPS = 60;
const PLANS: readonly (readonly ScriptedState[])[] = [
  ["queued", "running", "succeeded"],
  ["succeeded"],
  ["running", "queued", "running", "succeeded"],
  ["queued", "running", "failed"],
];

it("a gateway that is killed at random moments, some of them in its start, loses and doubles no task", async () => {
  const random = seededRandom(1);
  const below = (count: number): number => Math.floor(random() * count);
  const anyStep = (count: number) => ({ in: "any", at: "any", nth: 1 + below(count) }) as const;
  const dataDir = await temporaryFolder();
  const stage = await KillStage.open(dataDir);
  try {
    for (let round = 0; round < dose(2, 20); round += 1) {
      if (await stage.start(random() < 0.7 ? anyStep(START_STEPS) : null)) await stage.killAfter(random() * LIFE_MS);
      await stage.start();
      await stage.settle();
      stage.receiver.response = (nth) => (nth <= round % 2 ? 500 : 204);
      const kill =
        round % 2 === 0 ? { how: "after", ms: random() * LIFE_MS } : { how: "point", point: anyStep(LIFE_STEPS) };
      await stage.orderAndKill(`random-${round}`, kill as Kill, PLANS[round % PLANS.length] ?? []);
    }
    await stage.start();
    await stage.settle();
    expect(stage.broken).toEqual([]);
    expect(stage.kills).toBeGreaterThan(0);
  } finally {
    await stage.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}, 300_000);

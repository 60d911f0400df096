import { rm } from "node:fs/promises";
import { expect, it } from "vitest";
import { thin } from "../../../support/dose.ts";
import { temporaryFolder } from "../../../support/running-gateway.ts";
import { EDGES } from "../../../support/video-edges.ts";
import { KillStage } from "../../../support/video-kills.ts";
import type { Family } from "../../../support/video-orders.ts";

/** By hand there is more of it: test/bench/kill-videos.ts. */
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
      "after its file is renamed, before its entry",
      "after its entry, before its end",
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
  120_000,
);

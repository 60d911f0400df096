import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { judge, median, medianFigures } from "./peers/bars.ts";
import { CONTENDERS } from "./peers/contenders.ts";
import type { ContenderName } from "./peers/contenders.ts";
import { installPeers } from "./peers/install.ts";
import { prepareMachine } from "./peers/machine.ts";
import { compile, startMocks } from "./peers/mocks.ts";
import { reportText } from "./peers/report.ts";
import { streamRound, wholeRound } from "./peers/round.ts";
import type { Bench, Figures } from "./peers/round.ts";
import { startupTimes } from "./peers/startup.ts";

/**
 * By hand: `npx node test/bench/peers.ts` (about 13 minutes on an otherwise idle machine). Postern beside other
 * gateways, nginx and a direct call; what is measured how, and what limits each figure, is in docs/benchmarks.md.
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    /** Seconds under load before anything is counted, and seconds of each measurement. */
    "warm-up": { type: "string", default: "12" },
    window: { type: "string", default: "2" },
    starts: { type: "string", default: "5" },
    only: { type: "string", default: CONTENDERS.join(",") },
    /** Of whole responses, streams and starts: which to measure. */
    parts: { type: "string", default: "whole,streams,starts" },
    out: { type: "string", default: join(import.meta.dirname, "../../out/bench/peers.json") },
  },
});
const rounds = Number(options.rounds);
const names = CONTENDERS.filter((name) => options.only.split(",").includes(name));
const parts = new Set(options.parts.split(","));

const machine = prepareMachine();
if (machine.loadBefore > 0.5) {
  console.error(`The machine is busy (load ${machine.loadBefore.toFixed(1)}): expect noise.`);
}
const projectFolder = join(import.meta.dirname, "../..");
const built = spawnSync(process.execPath, [join(projectFolder, "main/build.mjs"), "gateway", "renderer", "command"], {
  stdio: ["ignore", 2, 2],
});
if (built.status !== 0) throw new Error("Postern cannot be built.");

const folder = mkdtempSync(join(tmpdir(), "postern-bench-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
const measured = new Map<ContenderName, Figures[]>(names.map((name) => [name, []]));
console.error("Installing the peers …");
const versions = installPeers(folder);
await using mocks = await startMocks(folder);
const bench: Bench = {
  tools: { folder, sseload: compile("sseload", folder) },
  mocks,
  peers: folder,
  folder,
  pace: { warmUp: Number(options["warm-up"]), window: Number(options.window) },
};
for (let round = 1; round <= rounds; round++) {
  // Reversed every second time, so that nobody is always measured on a cooler machine.
  for (const name of round % 2 === 1 ? names : names.toReversed()) {
    console.error(`Round ${round} of ${rounds}: ${name}`);
    if (parts.has("whole")) add(name, await wholeRound(bench, name));
    // The limit is looked at when a call begins, not while it streams.
    if (parts.has("streams") && name !== "postern-no-limit") add(name, await streamRound(bench, name));
  }
}
for (const name of names) {
  if (!parts.has("starts") || name === "direct" || name === "postern-no-limit") continue;
  console.error(`Starts: ${name}`);
  add(name, { startMs: median(await startupTimes(bench, name, Number(options.starts))) });
}

function add(name: ContenderName, figures: Figures): void {
  measured.get(name)?.push(figures);
  console.error(
    `  ${Object.entries(figures)
      .map(([figure, value]) => `${figure} ${value.toFixed(1)}`)
      .join(", ")}`,
  );
}

const medians = Object.fromEntries([...measured].map(([name, figures]) => [name, medianFigures(figures)]));
const verdicts = judge(medians);
mkdirSync(dirname(options.out), { recursive: true });
const result = {
  at: new Date().toISOString(),
  machine,
  versions,
  rounds: Object.fromEntries(measured),
  medians,
  verdicts,
};
writeFileSync(options.out, `${JSON.stringify(result, null, 2)}\n`);
console.log(reportText(machine, versions, rounds, medians));
console.error(`\nAll figures of all rounds: ${options.out}`);
process.exitCode = verdicts.every((verdict) => verdict.passed) ? 0 : 1;

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { judge, median, medianFigures } from "./peers/bars.ts";
import { CONTENDERS, contender, type ContenderName } from "./peers/contenders.ts";
import { installPeer } from "./peers/install.ts";
import { prepareMachine } from "./peers/machine.ts";
import { compile, startMocks } from "./peers/mocks.ts";
import { reportText } from "./peers/report.ts";
import { streamRound, wholeRound, type Bench, type Figures } from "./peers/round.ts";
import { startupTimes } from "./peers/startup.ts";

/**
 * By hand: `npx node test/bench/peers.ts --peers FOLDER` (about 50 minutes on an otherwise idle machine). Postern next to
 * other gateways, nginx and a direct call; what is measured how, and what limits each figure, is in docs/benchmarks.md.
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    /** Seconds under load before anything is counted, and seconds of each measurement. */
    "warm-up": { type: "string", default: "12" },
    window: { type: "string", default: "2" },
    starts: { type: "string", default: "5" },
    only: { type: "string", default: CONTENDERS.join(",") },
    /** Of whole responses and streams of chat completions, both translated from Messages, and starts: which to measure. */
    parts: { type: "string", default: "whole,streams,translated,starts" },
    /** Where peers are installed and found again by the next run; without it they are removed at the end. */
    peers: { type: "string" },
    out: { type: "string", default: join(import.meta.dirname, "../../out/bench/peers.json") },
  },
});
const rounds = Number(options.rounds);
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
const peers = options.peers === undefined ? join(folder, "peers") : resolve(options.peers);
/** What could not be measured, why the last time, and how often. */
const failures = new Map<string, { readonly why: string; readonly times: number }>();
const versions: Record<string, string> = {};
const expected = CONTENDERS.filter((name) => options.only.split(",").includes(name));
const missing = new Set<string>();
for (const peer of new Set(expected.map((name) => contender(name).peer))) {
  if (peer === null) continue;
  console.error(`Installing ${peer} into ${join(peers, peer)} …`);
  const installed = installPeer(peers, peer);
  if ("versions" in installed) {
    Object.assign(versions, installed.versions);
  } else {
    missing.add(peer);
    failed(peer, installed.reason);
  }
}
const names = expected.filter((name) => !missing.has(contender(name).peer ?? ""));
const measured = new Map<ContenderName, Figures[]>(names.map((name) => [name, []]));
await using mocks = await startMocks(folder);
const bench: Bench = {
  tools: { folder, sseload: compile("sseload", folder) },
  mocks,
  peers,
  folder,
  pace: { warmUp: Number(options["warm-up"]), window: Number(options.window) },
};
for (let round = 1; round <= rounds; round++) {
  // Reversed every second time, so that no one is always measured on a cooler machine.
  for (const name of round % 2 === 1 ? names : names.toReversed()) {
    console.error(`Round ${round} of ${rounds}: ${name}`);
    const { paths } = contender(name);
    if (parts.has("whole") && paths.chat !== undefined)
      await measure(name, "chat", () => wholeRound(bench, name, "chat"));
    // The limit is looked at when a call begins, not while it streams.
    if (parts.has("streams") && paths.chat !== undefined && name !== "postern-no-limit")
      await measure(name, "chat, streamed", () => streamRound(bench, name, "chat"));
    if (!parts.has("translated") || paths.messages === undefined || name === "postern-no-limit") continue;
    await measure(name, "Messages", async () => translated(await wholeRound(bench, name, "messages")));
    await measure(name, "Messages, streamed", async () => translated(await streamRound(bench, name, "messages")));
  }
}
for (const name of names) {
  if (!parts.has("starts") || contender(name).launch === null || name === "postern-no-limit") continue;
  console.error(`Starts: ${name}`);
  await measure(name, "starts", async () => ({
    startMs: median(await startupTimes(bench, name, Number(options.starts))),
  }));
}

/** One part of one contender. When it fails, the others go on, and the next round tries it again. */
async function measure(name: ContenderName, part: string, work: () => Promise<Figures>): Promise<void> {
  let figures: Figures;
  try {
    figures = await work();
  } catch (error) {
    failed(`${contender(name).label}, ${part}`, error instanceof Error ? error.message : String(error));
    return;
  }
  measured.get(name)?.push(figures);
  if (figures["openStreams"] !== undefined) {
    failed(
      `${contender(name).label}, memory of open streams`,
      `${figures["openStreams"]} of 1,000 had their first chunk`,
    );
  }
  console.error(
    `  ${Object.entries(figures)
      .map(([figure, value]) => `${figure} ${value.toFixed(1)}`)
      .join(", ")}`,
  );
}

function failed(what: string, why: string): void {
  console.error(`  Not measured: ${what}: ${why}`);
  failures.set(what, { why, times: (failures.get(what)?.times ?? 0) + 1 });
}

/** The same figures by names of their own. */
function translated(figures: Figures): Figures {
  return Object.fromEntries(Object.entries(figures).map(([figure, value]) => [`translated.${figure}`, value]));
}

const failureLines = [...failures].map(
  ([what, { why, times }]) => `${what}: ${why}${times > 1 ? ` (${times} times)` : ""}`,
);
const medians = Object.fromEntries([...measured].map(([name, figures]) => [name, medianFigures(figures)]));
const verdicts = judge(medians);
mkdirSync(dirname(options.out), { recursive: true });
const result = {
  at: new Date().toISOString(),
  machine,
  versions,
  failures: failureLines,
  rounds: Object.fromEntries(measured),
  medians,
  verdicts,
};
writeFileSync(options.out, `${JSON.stringify(result, null, 2)}\n`);
console.log(reportText(machine, versions, rounds, medians, failureLines));
console.error(`\nAll figures of all rounds: ${options.out}`);
process.exitCode = verdicts.every((verdict) => verdict.passed) ? 0 : 1;

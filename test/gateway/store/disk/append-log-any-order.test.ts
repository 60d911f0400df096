import { env } from "node:process";
import * as fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AppendLog } from "../../../../gateway/store/disk/append-log.ts";
import type { LogEntry } from "../../../../gateway/store/disk/append-log-parts.ts";
import { frame, readLines } from "../../../../gateway/store/disk/line.ts";
import { StoreWriteError } from "../../../../gateway/store/store.ts";
import { seededRandom } from "../fixtures.ts";
import { SimFs, type Disk } from "../sim-fs.ts";

const DIR = "/data";
const EMPTY: Disk = { files: new Map(), folders: new Set([DIR]) };
const pathOf = (file: number): string => `${DIR}/log.${file}`;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => vi.useRealTimers());

/** A line of the test: its text says which one it is and which number it was written with. */
interface SentRequest {
  readonly id: number;
  readonly file: number;
  /** Number of the process that it was handed in. */
  readonly process: number;
  state: "asked" | "written" | "synced" | "refused";
}

type Step =
  | { readonly do: "line"; readonly stored: boolean }
  | { readonly do: "turns"; readonly count: number }
  | { readonly do: "time" | "sync" | "file" | "close" | "kill" }
  | { readonly do: "fail"; readonly code: string; readonly after: number; readonly calls: number };

/** What must be true of a disk that a crash has left, by what had been reported until then. */
function brokenBy(
  disk: Disk,
  requests: readonly SentRequest[],
  reports: readonly SentRequest["state"][],
  cut: "kill" | "power",
): string[] {
  const broken: string[] = [];
  const found: { id: number; index: number; file: number }[] = [];
  for (const [path, bytes] of disk.files) {
    const file = Number(path.split(".")[1]);
    for (const { value } of readLines(bytes).lines) found.push({ ...(value as { id: number; index: number }), file });
  }
  const ids = found.map(({ id }) => id);
  if (new Set(ids).size < ids.length) broken.push(`a line twice: ${ids.join()}`);
  for (const { id, file } of found) if (requests[id]?.file !== file) broken.push(`line ${id} in the wrong file`);
  for (const line of requests) {
    const state = reports[line.id];
    const must = state === "synced" || (state === "written" && cut === "kill");
    if (must && !ids.includes(line.id)) broken.push(`line ${line.id} is lost after it was ${state}`);
  }
  return broken;
}

/**
 * Runs the steps, and looks after each call to the disk at what a crash would leave.
 * @param mixed some lines are refused and others kept, as in the journal; then no one is notified that a line is written
 */
async function run(steps: readonly Step[], seed: number, mixed: boolean): Promise<string[]> {
  const random = seededRandom(seed);
  const broken: string[] = [];
  const requests: SentRequest[] = [];
  let fs = new SimFs(EMPTY);
  let file = 0;
  const watch = (): void => {
    fs.onStep = () => {
      const reports = requests.map(({ state }) => state);
      broken.push(...brokenBy(fs.afterKill(), requests, reports, "kill"));
      for (const disk of fs.afterPowerCut(3, random)) broken.push(...brokenBy(disk, requests, reports, "power"));
    };
  };
  watch();
  let log = new AppendLog({ fs, name: "log" });
  let process = 0;
  const line = (stored: boolean): void => {
    const one: SentRequest = { id: requests.length, file, process, state: "asked" };
    const entry: LogEntry = {
      awaited: !stored,
      path: () => pathOf(one.file),
      line: (index) => frame(JSON.stringify({ id: one.id, index, process: one.process, text: "é".repeat(one.id % 7) })),
      noteSync: () => {
        if (one.process !== process) return;
        if (one.state === "refused" || one.state === "synced") broken.push(`line ${one.id} was ${one.state} before`);
        one.state = "synced";
      },
      ...(stored
        ? {}
        : {
            refused: (error: unknown) => {
              if (one.process !== process) return;
              if (one.state === "synced") broken.push(`line ${one.id} was synced before it was refused`);
              if (!(error instanceof StoreWriteError)) broken.push(`line ${one.id} was refused with ${String(error)}`);
              one.state = "refused";
            },
          }),
    };
    requests.push(one);
    try {
      log.append(entry);
      if (mixed) return;
      void log.written().then(() => {
        // While the disk refuses, it is only kept.
        if (one.process === process && log.healthy && one.state === "asked") one.state = "written";
        return undefined;
      });
    } catch {
      requests.pop();
    }
  };
  const settle = async (): Promise<void> => {
    fs.fault = null;
    for (let tries = 0; tries < 3; tries += 1) {
      for (let turns = 0; turns < 30; turns += 1) await turn();
      await vi.advanceTimersByTimeAsync(500);
    }
  };
  for (const step of steps) {
    if (step.do === "line") line(step.stored || !mixed);
    else if (step.do === "turns") for (let count = 0; count < step.count; count += 1) await turn();
    else if (step.do === "time") await vi.advanceTimersByTimeAsync(500);
    else if (step.do === "sync") void log.sync().catch(() => undefined);
    else if (step.do === "file") file += 1;
    else if (step.do === "fail") fs.fault = { call: fs.calls + step.after, code: step.code, calls: step.calls };
    else {
      if (step.do === "close") {
        fs.fault = null;
        await log.close();
        const left = requests.filter(
          (one) => one.process === process && (one.state === "asked" || one.state === "written"),
        );
        if (left.length > 0) broken.push(`closed with ${left.length} lines that were neither synced nor refused`);
      }
      // The process is gone, and another goes on with the same kernel; what no one was notified of may be there or not.
      const there = new Set([...fs.afterKill().files.values()].flatMap((bytes) => readLines(bytes).lines.map(idOf)));
      for (const one of requests) {
        // A disk that does not even let go of what it refused may still have it.
        const unknown = one.state === "asked" || (one.state === "refused" && one.process === process && !log.healthy);
        if (unknown) one.state = there.has(one.id) ? "written" : "refused";
      }
      fs = fs.killed();
      process += 1;
      watch();
      log = new AppendLog({ fs, name: "log" });
      // A file that is gone on with is never an older one.
      file = Math.max(file, ...[...fs.afterKill().files.keys()].map((path) => Number(path.split(".")[1])));
    }
    if (broken.length > 0) return broken;
  }
  await settle();
  await log.close();
  const { files } = fs.afterKill();
  broken.push(...endOf(files, requests, process));
  return broken;
}

const idOf = ({ value }: { value: unknown }): number => (value as { id: number }).id;

/** At rest: what was refused is nowhere, everything else is there in its order, and the last process has counted right. */
function endOf(files: ReadonlyMap<string, Buffer>, requests: readonly SentRequest[], process: number): string[] {
  const names = [...files.keys()].toSorted((a, b) => Number(a.split(".")[1]) - Number(b.split(".")[1]));
  const lines = names.flatMap((name) => readLines(files.get(name) ?? Buffer.alloc(0)).lines);
  const ids = lines.map(idOf);
  const numbers = lines.map(({ value }) => value as { process: number; index: number });
  const last = numbers.filter((one) => one.process === process).map(({ index }) => index);
  if (last.some((index, place) => index !== place)) return [`the lines of the last process are counted ${last.join()}`];
  const expected = requests.filter(({ state }) => state !== "refused").map(({ id }) => id);
  return ids.join() === expected.join() ? [] : [`at rest the log has ${ids.join()} and not ${expected.join()}`];
}

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant("line" as const), stored: fc.boolean() }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("turns" as const), count: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("time" as const, "sync" as const, "file" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("close" as const, "kill" as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("fail" as const),
      code: fc.constantFrom("ENOSPC", "EIO"),
      after: fc.integer({ min: 0, max: 6 }),
      calls: fc.integer({ min: 1, max: 4 }),
    }),
  },
);

/** More of them by hand: LOG_RUNS=100000 vitest run test/gateway/store/disk/append-log-any-order.test.ts */
test("whatever happens in whatever order: nothing reported is lost, nothing refused comes back, no line is twice or damaged", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyStep, { minLength: 5, maxLength: 40 }),
      fc.nat(),
      fc.boolean(),
      async (steps, seed, mixed) => {
        expect(await run(steps, seed, mixed)).toEqual([]);
      },
    ),
    { numRuns: Number(env["LOG_RUNS"] ?? 150) },
  );
}, 3_600_000);

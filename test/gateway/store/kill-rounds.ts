import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { systemClock } from "../../../gateway/lib/clock.ts";
import { fileSealer } from "../../../gateway/store/data-key.ts";
import { openStore, type OpenedStore } from "../../../gateway/store/open-store.ts";
import { bundled } from "../../run/bundled.ts";

const CHILD = await bundled("test/gateway/store/kill-child.ts");

/** What all killed processes together were reported. */
interface Reported {
  readonly keys: Set<string>;
  readonly dropped: Set<string>;
  readonly uncertain: Set<string>;
  readonly receipts: Set<string>;
}

export interface KillReport {
  readonly broken: string[];
  readonly keys: number;
  readonly receipts: number;
}

/** Starts, loads and kills a process on one folder, `rounds` times, and looks after each kill whether all is there. */
export async function killRounds(dir: string, rounds: number, random: () => number): Promise<KillReport> {
  const reported: Reported = { keys: new Set(), dropped: new Set(), uncertain: new Set(), receipts: new Set() };
  const report: KillReport & { keys: number; receipts: number } = { broken: [], keys: 0, receipts: 0 };
  for (let round = 0; round < rounds; round += 1) {
    // Every fifth one dies while it is starting or opening.
    const early = round % 5 === 4;
    await runAndKill(dir, round, early ? "starting" : "working", random() * (early ? 250 : 120), reported);
    const store = await openStore({ dir, sealer: fileSealer(), clock: systemClock, log: () => undefined });
    report.broken.push(...(await lost(store, reported)).map((sentence) => `round ${round}: ${sentence}`));
    await store.close();
  }
  report.keys = reported.keys.size + reported.dropped.size;
  report.receipts = reported.receipts.size;
  return report;
}

async function runAndKill(
  dir: string,
  round: number,
  from: "starting" | "working",
  life: number,
  reported: Reported,
): Promise<void> {
  const child = spawn(process.execPath, [CHILD, dir, String(round)], { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  const ready = Promise.withResolvers<void>();
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    if (text.startsWith("ready ")) ready.resolve();
  });
  const closed = once(child, "close");
  if (from === "working") await Promise.race([ready.promise, closed]);
  await delay(life);
  child.kill("SIGKILL");
  await closed;
  if (from === "working" && !text.startsWith("ready ")) throw new Error("the process to be killed did not start");
  // The last line may have been cut off by the kill; the others were written whole.
  for (const line of text.split("\n").slice(0, -1)) note(line, reported);
}

function note(line: string, reported: Reported): void {
  const [what = "", id = ""] = line.split(" ");
  if (what === "put") reported.keys.add(id);
  else if (what === "settled") reported.receipts.add(id);
  else if (what === "?") {
    reported.keys.delete(id);
    reported.uncertain.add(id);
  } else if (what === "dropped") {
    reported.uncertain.delete(id);
    reported.dropped.add(id);
  }
}

async function lost(store: OpenedStore, reported: Reported): Promise<string[]> {
  const broken: string[] = [];
  for (const id of reported.keys) if (!store.document.keys.has(id)) broken.push(`key ${id} is lost`);
  for (const id of reported.dropped) if (store.document.keys.has(id)) broken.push(`revoked key ${id} is back`);
  const counts = new Map<string, number>();
  let sum = 0;
  for (let before: string | null | undefined; before !== null;) {
    const page = await store.usage.list({ limit: 5_000, ...(before === undefined ? {} : { before }) });
    for (const found of page.data) {
      counts.set(found.id, (counts.get(found.id) ?? 0) + 1);
      sum += found.nano ?? 0;
    }
    before = page.cursor;
  }
  for (const id of reported.receipts)
    if (counts.get(id) !== 1) broken.push(`receipt ${id} is there ${counts.get(id) ?? 0} times`);
  for (const [id, count] of counts) if (count > 1) broken.push(`receipt ${id} is doubled`);
  const counted = store.document.spend.get("*")?.total_nano ?? 0;
  if (counted !== sum) broken.push(`the spend is ${counted} and the receipts are ${sum}`);
  for (const call of store.unfinished) if (counts.has(call.id)) broken.push(`${call.id} is settled and open`);
  return broken;
}

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { AppendLog } from "../../../../gateway/store/disk/append-log.ts";
import type { LogEntry } from "../../../../gateway/store/disk/append-log-parts.ts";
import { frame } from "../../../../gateway/store/disk/line.ts";
import { StoreWriteError } from "../../../../gateway/store/store.ts";
import { SimFs, type Disk } from "../sim-fs.ts";

const DIR = "/data";
const EMPTY: Disk = { files: new Map(), folders: new Set([DIR]) };
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => vi.useRealTimers());

describe("a log", () => {
  const entry = (path: string, text: string, reports: string[] = []): LogEntry => ({
    awaited: true,
    path: () => path,
    line: () => frame(JSON.stringify(text)),
    noteSync: () => reports.push(`${text} synced`),
    refused: () => reports.push(`${text} refused`),
  });
  const textOf = (fs: SimFs, path: string): string => fs.afterKill().files.get(path)?.toString() ?? "";

  test("goes on after what it finds in a file, and ends a line that a crash has left unended", async () => {
    const whole = frame("1");
    const fs = new SimFs({ files: new Map([["/data/log", Buffer.from(`${whole}torn`)]]), folders: new Set([DIR]) });
    const log = new AppendLog({ fs, name: "log" });
    log.append(entry("/data/log", "a"));
    await log.sync();
    expect(textOf(fs, "/data/log")).toBe(`${whole}torn\n${frame('"a"')}`);
    await log.close();
  });

  test("puts a file's name on the disk before its first line is reported, regardless of who made the file", async () => {
    const before = new SimFs(EMPTY);
    // Made by a process that was killed before it could sync the folder.
    await before.open("/data/log", "append");
    const fs = before.killed();
    const log = new AppendLog({ fs, name: "log" });
    const reports: string[] = [];
    log.append(entry("/data/log", "a", reports));
    await log.sync();
    expect(reports).toEqual(["a synced"]);
    for (const disk of fs.afterPowerCut(10, () => 0))
      expect(disk.files.get("/data/log")?.toString()).toBe(frame('"a"'));
    await log.close();
  });

  test("takes out what was refused before it says so", async () => {
    const fs = new SimFs(EMPTY);
    const log = new AppendLog({ fs, name: "log" });
    log.append(entry("/data/log", "a"));
    await log.sync();
    const seen: string[] = [];
    log.append({ ...entry("/data/log", "b"), refused: () => seen.push(textOf(fs, "/data/log")) });
    // Its write goes well, its sync does not.
    fs.fault = { call: fs.calls + 1, code: "EIO" };
    await expect(log.sync()).rejects.toThrow(StoreWriteError);
    await turn();
    expect(seen).toEqual([frame('"a"')]);
    await log.close();
  });

  test("cuts nothing off that another program has written", async () => {
    const fs = new SimFs(EMPTY);
    const log = new AppendLog({ fs, name: "log" });
    log.append(entry("/data/log", "a"));
    await log.sync();
    const foreign = Buffer.from(frame('"a line of another program"').repeat(9));
    await (await fs.open("/data/log", "append")).write(foreign, frame('"a"').length);
    fs.fault = { call: fs.calls, code: "ENOSPC" };
    const reports: string[] = [];
    log.append(entry("/data/log", "b", reports));
    await expect(log.sync()).rejects.toThrow(StoreWriteError);
    await log.close().catch(() => undefined);
    expect(reports).toEqual(["b refused"]);
    expect(textOf(fs, "/data/log").length).toBe(frame('"a"').length + foreign.length);
  });

  test("lets syncs rest when someone waits, but not when he is in a hurry", async () => {
    const fs = new SimFs(EMPTY);
    const log = new AppendLog({ fs, name: "log", restMs: 1_000_000 });
    let syncs = 0;
    fs.hold = (call) => {
      if (call === "sync") syncs += 1;
      return null;
    };
    log.append(entry("/data/log", "a"));
    await log.waitUntilCovered();
    log.append(entry("/data/log", "b"));
    const covered = log.waitUntilCovered();
    for (let turns = 0; turns < 10; turns += 1) await turn();
    expect(syncs).toBe(1);
    await log.sync();
    await covered;
    expect(syncs).toBe(2);
    await log.close();
  });

  test("takes nothing after its end", async () => {
    const fs = new SimFs(EMPTY);
    const log = new AppendLog({ fs, name: "log" });
    log.append(entry("/data/log", "a"));
    const closed = log.close();
    expect(() => log.append(entry("/data/log", "b"))).toThrow(StoreWriteError);
    await closed;
    expect(textOf(fs, "/data/log")).toBe(frame('"a"'));
  });
});

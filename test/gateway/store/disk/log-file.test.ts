import { appendFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { logFile, openLogFile, readLogBefore } from "../../../../gateway/store/disk/log-file.ts";

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "postern-log-"));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const line = (time: number, more = ""): string =>
  `${JSON.stringify({ time, level: "info", event: `e${time}`, more })}\n`;
const times = async (before: number): Promise<unknown[]> =>
  (await readLogBefore(logFile(dataDir), before)).map(({ time }) => time);

it("goes on where an earlier start stopped, and gives back what was before this one", async () => {
  openLogFile(logFile(dataDir))(line(1) + line(2));
  await appendFile(logFile(dataDir), '{"time":3,"lev');
  await appendFile(logFile(dataDir), "\nnull\n7\n");
  openLogFile(logFile(dataDir))(line(4));
  expect(await times(4)).toEqual([1, 2]);
  expect(await times(5)).toEqual([1, 2, 4]);
});

it("starts over when it is full, and keeps the one before it", async () => {
  const write = openLogFile(logFile(dataDir));
  const megabyte = "x".repeat(1_024 * 1_024);
  for (let time = 1; time <= 6; time++) write(line(time, megabyte));
  expect((await stat(logFile(dataDir))).size).toBeLessThanOrEqual(2 * 1_024 * 1_024);
  expect(await times(9)).toEqual([5, 6]);
});

it("is readable by its owner alone, and costs nothing but lines where it cannot be written", async () => {
  openLogFile(logFile(dataDir))(line(1));
  if (process.platform !== "win32") expect((await stat(logFile(dataDir))).mode & 0o077).toBe(0);
  const received = join(dataDir, "taken");
  await mkdir(join(received, "desktop"), { recursive: true });
  await writeFile(dirname(logFile(received)), "");
  expect(() => openLogFile(logFile(received))(line(1))).not.toThrow();
  expect(await readFile(dirname(logFile(received)), "utf8")).toBe("");
});

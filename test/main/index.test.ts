import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { publishInstance } from "../../gateway/store/disk/instance.ts";
import * as electron from "./fakes/electron.ts";

// The same fake for every evaluation of the entry module, which brings its own modules each time.
vi.mock("electron", () => electron);
const startDesktop = vi.hoisted(() => vi.fn<(options: Record<string, unknown>, folder: string) => Promise<void>>());
vi.mock("../../main/start-desktop.ts", () => ({ startDesktop }));
const runHeadless = vi.hoisted(() => vi.fn<(argv: readonly string[]) => Promise<void>>());
vi.mock("../../gateway/headless.ts", () => ({ runHeadless }));

/** The entry module, evaluated again for each start; what comes after Electron is ready is another test's matter. */
let folder = "";
let stdout = "";
let stderr = "";
const argvBefore = process.argv;

async function evaluate(...own: string[]): Promise<void> {
  process.argv = ["electron", "out/main/index.mjs", "--remote-debugging-port=0", ...own];
  await import("../../main/index.ts");
}

beforeEach(async () => {
  vi.stubEnv("POSTERN_COMMAND", undefined);
  vi.resetModules();
  electron.resetElectron();
  startDesktop.mockReset().mockResolvedValue();
  runHeadless.mockReset().mockResolvedValue();
  folder = await mkdtemp(join(tmpdir(), "postern-index-"));
  stdout = stderr = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => ((stdout += String(text)), true));
  vi.spyOn(process.stderr, "write").mockImplementation((text) => ((stderr += String(text)), true));
  vi.spyOn(process, "on").mockReturnValue(process);
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  process.argv = argvBefore;
  await rm(folder, { recursive: true, force: true });
});

it("sets everything up before Electron is ready, in the language of the pages, and starts when it is", async () => {
  await mkdir(join(folder, "desktop"));
  const memory = { window: null, toldAboutTray: false, appearance: { language: "zh", theme: "dark" } };
  await writeFile(join(folder, "desktop", "desktop.json"), JSON.stringify(memory));
  await evaluate("--data-dir", folder, "--port", "0");
  expect(electron.app.calls).toStrictEqual([
    "setName",
    "setAppUserModelId",
    "setPath userData",
    "enableSandbox",
    "requestSingleInstanceLock",
  ]);
  expect(electron.app.paths.get("userData")).toBe(join(folder, "desktop"));
  expect(electron.app.switches).toContain("lang=zh");
  expect(startDesktop).not.toHaveBeenCalled();
  electron.app.ready.resolve();
  await expect.poll(() => startDesktop).toHaveBeenCalledOnce();
  expect(startDesktop.mock.calls[0]?.[0]).toMatchObject({
    host: null,
    port: 0,
    dataDir: folder,
    json: false,
    own: ["--data-dir", folder, "--port", "0"],
    hidden: false,
  });
  expect(startDesktop.mock.calls[0]?.[1]).toBe(join(folder, "desktop"));
});

it("hands no long link on: it starts again with a short one, which is refused", async () => {
  await evaluate("--data-dir", folder, "--", `postern://key?name=${"a".repeat(40_000)}`);
  expect(electron.app.calls).not.toContain("requestSingleInstanceLock");
  const relaunch = electron.app.calls.find((call) => call.startsWith("relaunch ")) ?? "";
  const { args } = JSON.parse(relaunch.slice("relaunch ".length)) as { args: string[] };
  expect(args.slice(0, -1)).toStrictEqual(process.argv.slice(1, -1));
  expect(args.at(-1)).toMatch(/^postern:\/\/key\?name=a{2000,2100}$/);
  expect(electron.app.exitCode).toBe(0);
});

it("starts nothing with a command line that is long by itself", async () => {
  await evaluate("--data-dir", `/${"a".repeat(20_000)}`);
  expect(electron.app.calls).not.toContain("requestSingleInstanceLock");
  expect(stderr).toContain("16 KiB");
});

it("opens no window when the session starts it", async () => {
  await evaluate("--hidden", "--data-dir", folder);
  electron.app.ready.resolve();
  await expect.poll(() => startDesktop).toHaveBeenCalledOnce();
  expect(startDesktop.mock.calls[0]?.[0]).toMatchObject({ hidden: true, dataDir: folder });
});

it("leaves the folder to the first of two and says where it is", async () => {
  const url = "http://127.0.0.1:6199";
  await publishInstance(folder, { url, pid: 1, startedAt: 0 });
  electron.app.hasLock = false;
  await evaluate("--data-dir", folder, "--json");
  expect(JSON.parse(stdout)).toMatchObject({ event: "already-running", url });
  expect(electron.app.exitCode).toBe(0);
  electron.app.ready.resolve();
  await electron.app.ready.promise;
  expect(startDesktop).not.toHaveBeenCalled();
});

it("ends with 2 and a sentence at a wrong argument, before it touches anything", async () => {
  await evaluate("--data-dir", folder, "--port", "seventy");
  expect(stderr).toContain('"seventy" is not a port');
  expect(electron.app.calls).toStrictEqual(["exit 2"]);
  expect(electron.dialog.questions).toHaveLength(0);
});

it("shows an installed app's failure in a box, which Electron can once it is ready", async () => {
  electron.app.isPackaged = true;
  await evaluate("--port", "-1");
  expect(electron.app.exitCode).toBeNull();
  electron.app.ready.resolve();
  await expect.poll(() => electron.app.exitCode).toBe(2);
  expect(electron.dialog.questions.map((box) => box.message)).toStrictEqual([
    "Postern was started with a wrong argument",
  ]);
});

it("shows a box where the one that runs already cannot be asked to show its window", async () => {
  await publishInstance(folder, { url: "http://127.0.0.1:9", pid: process.pid, startedAt: 0 });
  electron.app.hasLock = false;
  await evaluate("--data-dir", folder);
  expect(stdout).toContain("already running");
  electron.app.ready.resolve();
  await expect.poll(() => electron.app.exitCode).toBe(0);
  expect(electron.dialog.questions.map((box) => box.message)).toStrictEqual(["Postern is already running"]);
});

it("says at once that the folder cannot be written, where Chromium is refused its lock for that", async () => {
  electron.app.hasLock = false;
  const file = join(folder, "file");
  await writeFile(file, "");
  await evaluate("--data-dir", file, "--json");
  expect([electron.app.exitCode, stdout]).toStrictEqual([1, ""]);
  expect(stderr).toContain(file);
});

it("starts on another port, and again, at its owner's word", async () => {
  const { StartError } = await import("../../gateway/start-error.ts");
  const received = { by: null, port: 6174, freePort: 6176 };
  startDesktop.mockRejectedValueOnce(new StartError("port", "It is taken.", null, null, received));
  startDesktop.mockRejectedValueOnce(new StartError("store", "It cannot be written."));
  await evaluate("--data-dir", folder, "--port", "6174");
  electron.app.ready.resolve();
  await expect.poll(() => startDesktop.mock.calls.map(([options]) => options["port"])).toEqual([6174, 6176, 6174]);
  expect([electron.app.exitCode, stderr]).toEqual([null, "It is taken.\nIt cannot be written.\n"]);
});

it("only says why the one before it stopped, where that is asked for", async () => {
  vi.stubEnv("POSTERN_STOPPED", "a bug");
  await evaluate("--data-dir", folder);
  electron.app.ready.resolve();
  await expect.poll(() => electron.app.exitCode).toBe(1);
  expect(electron.app.calls).not.toContain("requestSingleInstanceLock");
  expect(startDesktop).not.toHaveBeenCalled();
});

it("runs headless in Electron too when it is asked to, with Postern's own arguments only", async () => {
  await evaluate("--headless", "--data-dir", folder);
  expect(runHeadless).toHaveBeenCalledWith(["--headless", "--data-dir", folder], process.env);
  expect(electron.app.calls).toStrictEqual(["setPath userData"]);
});

it("goes on to open a data folder that it cannot make its own folder in, so that opening says why", async () => {
  const file = join(folder, "file");
  await writeFile(file, "");
  await evaluate("--data-dir", file);
  expect(electron.app.paths.has("userData")).toBe(false);
  electron.app.ready.resolve();
  await expect.poll(() => startDesktop).toHaveBeenCalledOnce();
});

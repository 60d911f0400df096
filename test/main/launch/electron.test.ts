import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished, test, vi } from "vitest";
import { runDesktop, superviseProgram, superviseRestarts } from "../../../main/launch/desktop.mjs";
import { findElectron, missingForWindow } from "../../../main/launch/electron.mjs";
import { downloadOrigin, fetchElectron, isReachable } from "../../../main/launch/fetch-electron.mjs";
import { needs } from "../../support/needs.ts";

async function folderWith(files: readonly string[], mode = 0o755): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "postern-electron-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const file of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), "");
    await chmod(join(folder, file), mode);
  }
  return folder;
}

describe("finding Electron", () => {
  test.each<[NodeJS.Platform, string]>([
    ["linux", "electron"],
    ["win32", "electron.exe"],
    ["darwin", "Electron.app/Contents/MacOS/Electron"],
  ])("on %s", async (platform, name) => {
    const folder = await folderWith([`node_modules/electron/dist/${name}`]);
    expect(findElectron(folder, {}, platform)).toBe(join(folder, "node_modules/electron/dist", name));
  });

  it("takes the name that its installer wrote down", async () => {
    const folder = await folderWith(["node_modules/electron/dist/other"]);
    await writeFile(join(folder, "node_modules/electron/path.txt"), "other");
    expect(findElectron(folder, {}, "linux")).toBe(join(folder, "node_modules/electron/dist/other"));
  });

  it("takes a distribution from elsewhere", async () => {
    const elsewhere = await folderWith(["electron"]);
    const found = findElectron(await folderWith([]), { ELECTRON_OVERRIDE_DIST_PATH: elsewhere }, "linux");
    expect(found).toBe(join(elsewhere, "electron"));
  });

  it("finds none where none exists, and none that cannot be run", async () => {
    expect(findElectron(await folderWith([]), {}, "linux")).toBeNull();
    expect(findElectron(await folderWith(["node_modules/electron/dist/electron"], 0o644), {}, "linux")).toBeNull();
  });
});

describe("what a window needs", () => {
  test.each<[string, NodeJS.ProcessEnv, NodeJS.Platform, number | undefined]>([
    ["X11", { DISPLAY: ":0" }, "linux", 1000],
    ["Wayland", { WAYLAND_DISPLAY: "wayland-0" }, "linux", 1000],
    ["nothing on macOS", {}, "darwin", 501],
    ["nothing on Windows", {}, "win32", undefined],
  ])("is there with %s", (_, environment, platform, user) => {
    expect(missingForWindow(environment, platform, user)).toBeNull();
  });

  it("is a display on Linux, and a user other than root", () => {
    expect(missingForWindow({}, "linux", 1000)).toContain("There is no display");
    expect(missingForWindow({ DISPLAY: ":0" }, "linux", 0)).toContain("does not run as root");
  });

  it.skipIf(process.platform !== "linux")(
    "is reported together with what else is missing",
    needs("Linux"),
    async () => {
      const build = vi.fn<() => Promise<void>>();
      const end = await runDesktop(await folderWith([]), [], {}, build);
      expect(build).not.toHaveBeenCalled();
      expect(end).toEqual({
        reason:
          "There is no display (neither DISPLAY nor WAYLAND_DISPLAY is set), and Electron's binary is not installed",
      });
    },
  );
});

describe("fetching Electron", () => {
  test.each([
    [{}, "https://github.com/"],
    [{ HTTPS_PROXY: "http://proxy.example:8080" }, "http://proxy.example:8080/"],
    [{ ELECTRON_MIRROR: "https://mirror.example/electron/" }, "https://mirror.example/electron/"],
    [{ ELECTRON_MIRROR: "not a URL" }, "https://github.com/"],
  ])("goes by %j", (environment, origin) => {
    expect(downloadOrigin(environment).href).toBe(origin);
  });

  it("is not tried in CI", async () => {
    expect(await fetchElectron(await folderWith([]), { CI: "true" })).toBe("it is not fetched in CI");
  });

  it("is not tried where nothing answers", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const origin = new URL(`http://127.0.0.1:${port}/`);
    expect(await isReachable(origin)).toBe(true);
    await new Promise((resolve) => server.close(resolve));
    expect(await isReachable(origin)).toBe(false);
    const failure = await fetchElectron(await folderWith([]), { ELECTRON_MIRROR: origin.href });
    expect(failure).toBe(`127.0.0.1:${port} cannot be reached to fetch it`);
  });
});

describe("a supervised program", () => {
  it("hands back its exit code", async () => {
    expect(await superviseProgram(process.execPath, ["-e", "process.exit(3)"])).toEqual({ code: 3 });
  });

  it("is distinguished from one that could not start", async () => {
    expect(await superviseProgram(process.execPath, ["-e", "process.exit(127)"])).toEqual({
      reason: "libraries that it needs are missing",
    });
    expect(await superviseProgram(join(await folderWith([]), "nothing"), [])).toEqual({
      reason: expect.stringContaining("ENOENT"),
    });
  });
});

/** Says what it was started with, and asks for two more starts. */
const RESTARTING = `
  const { appendFileSync, readFileSync } = require("node:fs");
  const starts = __dirname + "/starts";
  const words = process.argv.slice(2);
  appendFileSync(starts, JSON.stringify({ words, supervised: process.env.POSTERN_SUPERVISED }) + "\\n");
  process.exit(readFileSync(starts, "utf8").trim().split("\\n").length < 3 ? 86 : 4);
`;

it("a supervised program is started again when it asks for it, and its last exit code is handed back", async () => {
  const folder = await folderWith(["again.cjs"]);
  await writeFile(join(folder, "again.cjs"), RESTARTING);
  const words = ["--port", "0", "--hidden", "--", "postern://settings"];
  const end = await superviseRestarts(process.execPath, join(folder, "again.cjs"), words, process.env);
  expect(end).toEqual({ code: 4 });
  const starts = (await readFile(join(folder, "starts"), "utf8")).trim().split("\n");
  expect(starts.map((line) => JSON.parse(line) as unknown)).toEqual([
    { words, supervised: "1" },
    { words: ["--port", "0"], supervised: "1" },
    { words: ["--port", "0"], supervised: "1" },
  ]);
});

/** Says that it is ready where it is ordered to, and dies as its words say: one at each start. */
const CRASHING = `
  const { appendFileSync, readFileSync } = require("node:fs");
  appendFileSync(__dirname + "/starts", "start\\n");
  const starts = readFileSync(__dirname + "/starts", "utf8").trim().split("\\n").length;
  const [ready, how] = (process.argv[2 + Math.min(starts, process.argv.length - 2) - 1]).split(" ");
  const die = () => (how.startsWith("SIG") ? process.kill(process.pid, how) : process.exit(Number(how)));
  if (ready === "ready") process.send("ready", die);
  else if (ready === "waits") process.send("ready", () => process.kill(process.ppid, how));
  else die();
  setInterval(() => {}, 1000);
  process.on("SIGTERM", () => process.kill(process.pid, "SIGABRT"));
`;

describe.skipIf(process.platform === "win32")("a supervised program that crashes", needs("POSIX signals"), () => {
  it.each<[string, string[], object, number]>([
    ["before it was ready is one that did not start", ["unready SIGTRAP"], { reason: "SIGTRAP" }, 1],
    ["after it was ready is started again", ["ready SIGTRAP", "ready SIGSEGV", "ready 5"], { code: 5 }, 3],
    ["again and again is given up", ["ready SIGABRT"], { code: 1 }, 4],
    ["by SIGKILL was ended by somebody", ["ready SIGKILL"], { code: 1 }, 1],
  ])("%s", async (_name, words, end, starts) => {
    const folder = await folderWith(["crashing.cjs"]);
    await writeFile(join(folder, "crashing.cjs"), CRASHING);
    expect(await superviseRestarts(process.execPath, join(folder, "crashing.cjs"), words, process.env)).toEqual(end);
    expect((await readFile(join(folder, "starts"), "utf8")).trim().split("\n")).toHaveLength(starts);
  });

  it("after a signal that was handed on to it is at its end", async () => {
    const folder = await folderWith(["crashing.cjs", "supervisor.mjs"]);
    await writeFile(join(folder, "crashing.cjs"), CRASHING);
    const launcher = pathToFileURL(join(import.meta.dirname, "../../../main/launch/desktop.mjs")).href;
    const script = JSON.stringify(join(folder, "crashing.cjs"));
    await writeFile(
      join(folder, "supervisor.mjs"),
      `const { superviseRestarts } = await import("${launcher}");
       const end = await superviseRestarts(process.execPath, ${script}, ["waits SIGTERM"], process.env);
       console.log(JSON.stringify(end));`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, "supervisor.mjs")]);
    expect(JSON.parse(stdout)).toEqual({ code: 1 });
    expect((await readFile(join(folder, "starts"), "utf8")).trim()).toBe("start");
  });
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { makeProject, type Project } from "./project.ts";
import { needs } from "../../support/needs.ts";

/** A gateway that says how it was started and ends, or stays until it is stopped. */
const echo = `
  export async function runHeadless(argv: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
    if (argv.includes("--stay")) {
      const alive = setInterval(() => {}, 1_000);
      process.once("SIGTERM", () => { console.log("stopped"); clearInterval(alive); });
    }
    console.log(JSON.stringify({ argv, mark: environment["MARK"] }));
  }`;

describe("npm start", () => {
  it("builds once, then starts the gateway in its own process with the arguments as they are", async () => {
    await using project = await makeProject({ "gateway/headless.ts": echo });
    const argv = ["--headless", "--port", "0"];
    const first = await project.run("main/start.mjs", argv, { MARK: "yes" });
    expect(first.code).toBe(0);
    expect(JSON.parse(first.out)).toEqual({ argv, mark: "yes" });
    expect(first.error).toMatch(/^Built out\/gateway/);
    const second = await project.run("main/start.mjs", argv);
    expect(second).toMatchObject({ code: 0, error: "" });
  });

  it("builds again when a source changed", async () => {
    await using project = await makeProject({ "gateway/headless.ts": echo });
    await project.run("main/start.mjs", ["--headless"]);
    await project.write("gateway/headless.ts", echo.replace("argv,", 'argv, version: "changed",'));
    const { out } = await project.run("main/start.mjs", ["--headless"]);
    expect(JSON.parse(out)).toMatchObject({ version: "changed" });
  });

  it("starts before the pages are built, and builds them when the gateway wants them", async () => {
    const asking = `
      import { existsSync } from "node:fs";
      export async function runHeadless(_argv: unknown, _env: unknown, pagesBuilt: () => Promise<void>): Promise<void> {
        const page = import.meta.dirname + "/../renderer/index.html";
        const before = existsSync(page);
        await pagesBuilt();
        console.log(JSON.stringify([before, existsSync(page)]));
      }`;
    await using project = await makeProject({
      "gateway/headless.ts": asking,
      "renderer/vite.config.ts": "export default {};",
      "renderer/index.html": "<p>page</p>",
      "docs/guide/README.md": "# Start",
      "docs/errors.md": "# Errors",
      "docs/webhooks.md": "# Webhooks",
    });
    const first = await project.run("main/start.mjs", ["--headless"]);
    expect(JSON.parse(first.out)).toEqual([false, true]);
    expect(first.error).toMatch(/^Built out\/gateway.*\nBuilt out\/renderer/);
    await project.write("renderer/index.html", "<p>another page</p>");
    const second = await project.run("main/start.mjs", ["--headless"]);
    expect(second.error).toMatch(/^Built out\/renderer[^\n]*\n$/);
    expect(await project.read("out/renderer/index.html")).toContain("another page");
    await project.write("renderer/index.html", '<script type="module" src="./missing.ts"></script>');
    const third = await project.run("main/start.mjs", ["--headless"]);
    expect(third.code).toBe(0);
    expect(third.error).toContain("out/renderer could not be built");
  });

  it("does not start on sources that do not build", async () => {
    await using project = await makeProject({ "gateway/headless.ts": "export const = ;" });
    const ended = await project.run("main/start.mjs", ["--headless"]);
    expect(ended).toMatchObject({ code: 1, out: "" });
    expect(ended.error).toContain("out/gateway could not be built");
  });

  it.skipIf(process.platform !== "linux")(
    "without a display says so in one line and continues headless",
    needs("Linux"),
    async () => {
      await using project = await makeProject({ "gateway/headless.ts": echo });
      await project.run("main/start.mjs", ["--headless"]);
      const { code, out, error } = await project.run("main/start.mjs", ["--port", "0"]);
      expect(code).toBe(0);
      expect(error).toMatch(/^There is no display .*; continuing headless: the same pages open in a browser\.\n$/);
      expect(JSON.parse(out)).toMatchObject({ argv: ["--port", "0"] });
    },
  );

  it("is the gateway's own process: a signal reaches it", async () => {
    await using project = await makeProject({ "gateway/headless.ts": echo });
    await project.run("main/start.mjs", ["--headless"]);
    const child = spawn(process.execPath, [join(project.folder, "main/start.mjs"), "--headless", "--stay"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const lines = createInterface({ input: child.stdout });
    const ended = once(child, "exit");
    await once(lines, "line");
    child.kill("SIGTERM");
    const [stopped] = await once(lines, "line");
    expect(stopped).toBe("stopped");
    expect(await ended).toEqual([0, null]);
  });

  describe.skipIf(process.platform !== "linux")("under an older Node", needs("Linux"), () => {
    // The first process alone takes itself for older, and for no one's root.
    const older = `data:text/javascript,${encodeURIComponent(
      `if (process.env.OLDER === "yes") {
        Object.assign(process.env, { OLDER: "no" });
        Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });
        process.getuid = () => 1000;
      }`,
    )}`;
    /** An Electron that says who started what started it. */
    const withElectron = async (project: Project): Promise<NodeJS.ProcessEnv> => {
      await project.write("dist/electron", "#!/bin/sh\ncut -d' ' -f4 /proc/$PPID/stat\nexit 7\n");
      await chmod(join(project.folder, "dist/electron"), 0o755);
      return { ...environment, ELECTRON_OVERRIDE_DIST_PATH: join(project.folder, "dist") };
    };
    const environment = { NODE_OPTIONS: `--import=${older}`, OLDER: "yes" };

    it("opens the window without another Node in between", async () => {
      await using project = await makeProject({ "gateway/headless.ts": echo });
      await project.run("main/start.mjs", ["--headless"]);
      const { code, out } = await project.run("main/start.mjs", [], {
        ...(await withElectron(project)),
        DISPLAY: ":1",
      });
      expect(code).toBe(7);
      expect(Number(out)).toBe(process.pid);
    });

    it("runs the gateway, and builds it, under the project's own", async () => {
      await using project = await makeProject({ "gateway/headless.ts": echo });
      const headless = await project.run("main/start.mjs", ["--headless", "--port", "0"], environment);
      expect(headless.error).toMatch(/^Built out\/gateway/);
      expect(JSON.parse(headless.out)).toMatchObject({ argv: ["--headless", "--port", "0"] });
      const missing = await project.run("main/start.mjs", ["--port", "0"], environment);
      expect(missing.error).toContain("continuing headless");
      expect(JSON.parse(missing.out)).toMatchObject({ argv: ["--port", "0"] });
      const { error, out } = await project.run("main/start.mjs", ["--port", "0"], await withElectron(project));
      expect(error).toContain("There is no display");
      expect(JSON.parse(out)).toMatchObject({ argv: ["--port", "0", "--headless"] });
    });
  });
});

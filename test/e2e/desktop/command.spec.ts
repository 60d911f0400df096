import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needs } from "../../support/needs.ts";
import { missing } from "./desktop-app.ts";
import { installApp, type InstalledApp } from "./installed-app.ts";

const unable = missing ?? (process.platform === "linux" ? null : "Linux");
let app: InstalledApp;
let dataDir: string;

/** The variables of a terminal on a machine without a display. */
function terminal(): NodeJS.ProcessEnv {
  const { DISPLAY: _, WAYLAND_DISPLAY: __, POSTERN_COMMAND: ___, ...rest } = process.env;
  return { ...rest, ...app.env, POSTERN_SANDBOX: "on", POSTERN_DATA_DIR: dataDir };
}

async function postern(...words: readonly string[]) {
  const child = spawn(app.executable, words, { env: terminal(), stdio: ["ignore", "pipe", "pipe"] });
  const [out, error, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { out, error, code: code as number | null };
}

describe.skipIf(unable !== null)("the command of an installed app, without a display", needs(unable), () => {
  beforeAll(async () => {
    app = await installApp("http://127.0.0.1:9");
    dataDir = join(app.folder, "data");
  });
  afterAll(() => app.remove());

  it("prints its help", async () => {
    const { out, code } = await postern("--help");
    expect(code).toBe(0);
    expect(out).toContain("keys create");
  });

  it("refuses a word that is no command", async () => {
    const { error, code } = await postern("kees");
    expect(code).toBe(2);
    expect(error).toMatch(/There is no command/);
  });

  it("talks to the gateway that the same program serves", async () => {
    const words = ["--headless", "--port", "0", "--json"];
    const server = spawn(app.executable, words, { env: terminal(), stdio: ["ignore", "pipe", "ignore"] });
    const ended = once(server, "exit");
    try {
      const [line] = (await once(createInterface({ input: server.stdout }), "line")) as [string];
      const { url } = JSON.parse(line) as { url: string };
      const { out, code } = await postern("keys", "list", "--json");
      expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ data: expect.any(Array) })]);
      const page = await (await fetch(url)).text();
      expect(page).toContain(`content="postern open --data-dir ${dataDir}"`);
    } finally {
      server.kill("SIGTERM");
    }
    expect((await ended)[0]).toBe(0);
  });

  it("starts the gateway for a run, and ends it", async () => {
    const ask = `fetch(process.env.OPENAI_BASE_URL + "/models", { headers: { authorization: "Bearer " + process.env.OPENAI_API_KEY } })
      .then(({ status }) => { console.log(status); process.exit(); })`;
    const { out, code } = await postern("run", process.execPath, "--", "-e", ask);
    expect([code, out]).toEqual([0, "200\n"]);
    expect((await postern("keys", "list")).error).toMatch(/No Postern is running|has ended/);
  });
});

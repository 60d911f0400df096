import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createControlClient, type ControlClient } from "../../../main/launch/control-client.ts";
import { findInstance } from "../../../main/launch/instance.ts";
import { evaluateInPage } from "./debug-port.ts";
import { isPackaged, missing, type Ready } from "./desktop-app.ts";
import { needs } from "../../support/needs.ts";

const reason = missing ?? (isPackaged ? "npm start (an installed app has none)" : null);
if (reason !== null) console.log(`\nskipped: ${reason}\n`);

const projectFolder = join(import.meta.dirname, "../../..");
const SOON = { timeout: 20_000, interval: 100 };

let dataDir: string;
let terminal: ChildProcess;
/** Each start's line. */
let ready: Ready[] = [];
let ended: Promise<number | null>;

const control = (): ControlClient => createControlClient(() => findInstance(dataDir));
const heading = (): Promise<unknown> =>
  evaluateInPage(dataDir, "document.querySelector('h1')?.textContent").catch(() => null);

/** Asks for a restart, as the pages do. */
const restart = async (): Promise<void> => {
  // A page that is being loaded may close a connection before it has heard anything.
  const ask = () => evaluateInPage(dataDir, "void desktop.restart()").then(() => "", String);
  await expect.poll(ask, SOON).not.toBe("Error: The page does not respond.");
};

/** Processes that have the data folder on their command line: Postern, and Chromium's for it. */
async function processes(): Promise<readonly number[]> {
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "")));
  return ids.filter((_, index) => lines[index]?.includes(dataDir));
}

describe.skipIf(reason !== null || process.platform !== "linux")(
  "npm start, whose pages ask for a restart",
  needs(reason ?? "Linux"),
  () => {
    beforeEach(async () => {
      dataDir = await mkdtemp(join(tmpdir(), "postern-restart-"));
      ready = [];
      const own = ["--port", "0", "--data-dir", dataDir, "--json", "--remote-debugging-port=0"];
      terminal = spawn(process.execPath, [join(projectFolder, "main/start.mjs"), ...own], {
        stdio: ["ignore", "pipe", "ignore"],
        env: { ...process.env, POSTERN_SANDBOX: "on" },
      });
      ended = once(terminal, "exit").then(([code]) => code as number | null);
      createInterface({ input: terminal.stdout! }).on("line", (line) => ready.push(JSON.parse(line) as Ready));
      await expect.poll(() => ready.length, SOON).toBe(1);
      await expect.poll(heading, SOON).toBe("Overview");
    });
    afterEach(async () => {
      terminal.kill();
      await ended;
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    });

    it("goes on in the same terminal, on the same data, with its window", async () => {
      const { key: stored } = await control().call("createKey", { name: "Kept" });
      for (const starts of [2, 3]) {
        await restart();
        await expect.poll(() => ready.length, SOON).toBe(starts);
        await expect.poll(heading, SOON).toBe("Overview");
        expect(terminal.exitCode).toBeNull();
        expect((await control().call("listKeys")).data.map((key) => key.id)).toContain(stored.id);
        const { url, pid } = ready.at(-1)!;
        expect((await control().instance()).url).toBe(url);
        expect(await processes()).toContain(pid);
      }
      terminal.kill("SIGTERM");
      expect(await ended).toBe(0);
      await expect.poll(processes, SOON).toEqual([]);
    });

    it("finishes a response that has started", async () => {
      const [{ url, apiKey }] = ready as [Ready];
      const response = await fetch(`${url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${apiKey ?? ""}`, "content-type": "application/json" },
        body: JSON.stringify({
          model: "gpt-4o-mini",
          stream: true,
          messages: [{ role: "user", content: "Count to twenty. sandbox:slow=1500" }],
        }),
      });
      await restart();
      expect(await response.text()).toContain("data: [DONE]");
      await expect.poll(() => ready.length, SOON).toBe(2);
      await expect.poll(heading, SOON).toBe("Overview");
    });

    it("ends with its terminal, on Ctrl+C", async () => {
      await restart();
      await expect.poll(() => ready.length, SOON).toBe(2);
      terminal.kill("SIGINT");
      expect(await ended).toBe(0);
      await expect.poll(processes, SOON).toEqual([]);
    });
  },
);

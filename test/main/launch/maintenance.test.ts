import { spawnSync } from "node:child_process";
import { readdir, readFile, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { State } from "../../../gateway/contract/control.ts";
import type { BackupsView } from "../../../gateway/contract/maintenance.ts";
import { runWith, startFakeControl } from "./fake-control.ts";
import { postern as run, type Ended } from "./run.ts";
import { SmallDisk } from "../../support/small-disk.ts";
import { dataFolder, startReady } from "./running.ts";

/** What looks after a Postern, on a real one in its own process; what only a desktop answers, on a fake. */

const command = join(import.meta.dirname, "../../../main/postern.mjs");

/** Commands of one data folder: their text, and what they print as JSON. */
function commandsOf(folder: string) {
  const text = (...argv: string[]): Promise<Ended> => run([...argv, "--data-dir", folder]);
  const json = async <T>(...argv: string[]): Promise<T> => {
    const { code, out, error } = await text(...argv, "--json");
    if (code !== 0) throw new Error(`postern ${argv.join(" ")}: ${error}`);
    return JSON.parse(out) as T;
  };
  return { text, json };
}

const chat = (url: string, key: string): Promise<Response> =>
  fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "gpt-4o-mini", messages: [{ role: "user", content: "Hello" }] }),
  });

describe("pause and resume", () => {
  it("send clients away and take them back, and say so", async () => {
    await using folder = await dataFolder();
    await using postern = await startReady(folder.path);
    const { url, apiKey = "" } = postern.ready;
    const { text, json } = commandsOf(folder.path);
    expect(await text("pause")).toMatchObject({ code: 0, out: expect.stringContaining("postern resume") });
    const refused = await chat(url, apiKey);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "30"]);
    expect(await json<State>("pause")).toMatchObject({ status: "paused" });
    expect(await text("resume")).toMatchObject({ code: 0, out: `Postern takes calls at ${url}/v1.` });
    expect((await chat(url, apiKey)).status).toBe(200);
  });
});

describe("backups, restore and backups remove", () => {
  it("list what there is, bring the data of then back at once, and delete one", async () => {
    await using folder = await dataFolder();
    await using postern = await startReady(folder.path);
    const { text, json } = commandsOf(folder.path);
    expect(await text("backups")).toMatchObject({ code: 0, out: 'There is none. "postern backup" makes one.' });
    await text("keys", "create", "--name", "of then");
    expect((await text("backup", "--without-key")).out).toMatch(/^Backed up to .+ \([\d.]+ KiB\)\.$/);
    await text("keys", "create", "--name", "made since");
    const [backup] = (await json<BackupsView>("backups")).data;
    expect((await text("backups")).out).toMatch(/^ID +WHY +SIZE +SECRETS\n\S+Z +manual +[\d.]+ KiB$/);

    const restored = await text("restore", backup?.name ?? "");
    expect(restored).toMatchObject({ code: 0, out: expect.stringContaining("Postern starts again with it now.") });
    // The ready line of the next one.
    expect(JSON.parse((await postern.running.line()) ?? "")).toMatchObject({ event: "ready", url: postern.ready.url });
    expect((await text("keys", "list")).out).toContain("of then");
    expect((await text("keys", "list")).out).not.toContain("made since");
    const { data } = await json<BackupsView>("backups");
    expect(data.map(({ kind }) => kind)).toEqual(["before-restore", "manual"]);

    const gone = await text("backups", "remove", backup?.name ?? "");
    expect(gone).toMatchObject({ code: 0, out: `The backup ${backup?.name} is deleted.` });
    expect(await readdir(join(folder.path, "backups"))).toEqual([data[0]?.name]);
  });

  it("backup says what to do on a disk that is full, and leaves nothing there", async ({ skip }) => {
    const mounted = await SmallDisk.mount(40);
    if (mounted === null) return skip("mounting a small disk needs root");
    await using disk = mounted;
    await using postern = await startReady(disk.path);
    const { text } = commandsOf(postern.ready.dataDir);
    await disk.fill(30);
    expect(await text("backup")).toMatchObject({
      code: 1,
      out: "",
      error: expect.stringMatching(
        /The backup was not made: it needs 1 MiB, .* Make room on that disk, or delete backups\./,
      ),
    });
    expect(await readdir(disk.path)).not.toContain("backups");
    return;
  });

  it.each([["restore"], ["backups remove"]])("%s refuses one that is not there", async (name) => {
    await using folder = await dataFolder();
    await using postern = await startReady(folder.path);
    const { text } = commandsOf(postern.ready.dataDir);
    const ended = await text(...name.split(" "), "../secret.key");
    expect(ended).toMatchObject({ code: 1, out: "", error: expect.stringContaining("not in the data folder") });
  });

  it("restore leaves the start to the owner where Postern cannot start itself again", async () => {
    const view: BackupsView = { data: [], pending: "2026-11-20T120000-000Z" };
    await using control = await startFakeControl({
      "POST /control/backups/restore": { body: view },
      "GET /control/address": { body: desktopAddress },
    });
    const { out } = await control.run(["restore", "2026-11-20T120000-000Z"]);
    expect(out).toContain("Stop Postern and start it again to finish.");
    expect(control.calls.map(({ address }) => address)).not.toContain("/control/restart");
  });
});

const desktopAddress = {
  url: "http://127.0.0.1:6174",
  host: "127.0.0.1",
  port: 6_174,
  others: [],
  fixed: { host: false, port: false },
  next: { host: "127.0.0.1", port: 6_174 },
  restart_needed: false,
  can_restart: false,
};

describe("restart", () => {
  it("refuses in the desktop app, which starts itself again in its own way", async () => {
    const ended = await runWith({ "GET /control/address": { body: desktopAddress } }, ["restart"]);
    expect(ended).toEqual({ code: 1, out: "", error: "The desktop app starts itself again: quit it and open it." });
  });
});

describe("diagnostics", () => {
  it("saves a ZIP where it is run, without the keys of the folder", async () => {
    await using folder = await dataFolder();
    await using here = await dataFolder();
    await using postern = await startReady(folder.path);
    const argv = [command, "diagnostics", "--json", "--data-dir", folder.path];
    const { status, stdout } = spawnSync(process.execPath, argv, { cwd: here.path, encoding: "utf8" });
    const { path } = JSON.parse(stdout) as { path: string };
    expect(status).toBe(0);
    expect(dirname(path)).toBe(await realpath(here.path));
    expect(basename(path)).toMatch(/^postern-diagnostics-\d{4}-\d\d-\d\d\.zip$/);
    const zip = await readFile(path);
    expect(zip.subarray(0, 4).toString("latin1")).toBe("PK\u0003\u0004");
    // Its parts are stored as they are, so a key in them would be seen.
    expect(zip.includes("postern.json")).toBe(true);
    expect(zip.includes(postern.ready.apiKey ?? "no key")).toBe(false);
  });
});

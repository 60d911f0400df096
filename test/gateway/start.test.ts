import { spawnSync } from "node:child_process";
import { readFile, readdir, rm, stat } from "node:fs/promises";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { createGateway } from "../../gateway/index.ts";
import { listenOnBothLoopbacks } from "../../gateway/start.ts";
import { systemClock } from "../../gateway/lib/clock.ts";
import { silentLog } from "../../gateway/lib/log.ts";
import { fileSealer } from "../../gateway/store/data-key.ts";
import { LOCK_FILE } from "../../gateway/store/disk/lock.ts";
import { needs } from "../support/needs.ts";
import { ChildGateway } from "../support/child-gateway.ts";
import { CHAT, KEY, startGateway, temporaryFolder, until } from "../support/running-gateway.ts";

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

const hasIpv6 = Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === "::1"));

async function folder(): Promise<string> {
  const dir = await temporaryFolder();
  cleanups.push(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

function child(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildGateway {
  const started = new ChildGateway(args, env);
  cleanups.push(() => {
    started.kill("SIGKILL");
    return started.exited;
  });
  return started;
}

const embed = (dataDir: string, port: number) =>
  createGateway({
    dataDir,
    host: "127.0.0.1",
    port,
    env: {},
    sealer: fileSealer(),
    assetsDir: null,
    version: "0",
    clock: systemClock,
    log: silentLog,
  });

it("says which port is taken, by whom, and how to choose another; takes no other by itself; leaves folder and first key", async () => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => new Promise((resolve) => holder.close(resolve)));
  const { port } = holder.address() as AddressInfo;
  const dir = await folder();
  await expect(embed(dir, port)).rejects.toMatchObject({
    name: "StartError",
    kind: "port",
    message: expect.stringMatching(new RegExp(`Port ${port}.*--port`)) as string,
    portConflict: {
      port,
      by: expect.stringContaining(`(pid ${process.pid})`) as string,
      freePort: expect.any(Number) as number,
    },
  });
  const started = child(["--port", String(port), "--data-dir", dir]);
  expect(await started.exited).toBe(1);
  expect(started.stderr).toContain(String(port));
  expect(started.stderr).toContain(`pid ${process.pid}`);
  expect(started.lines).toEqual([]);
  const gateway = await embed(dir, 0);
  expect(gateway.firstKey).toMatch(/^sk-/);
  await gateway.close();
});

it.skipIf(process.platform !== "linux")(
  "names another Postern that has the port, with its data folder",
  needs("Linux"),
  async () => {
    const [first, second] = [await folder(), await folder()];
    const gateway = await embed(first, 0);
    cleanups.push(() => gateway.close());
    await expect(embed(second, Number(new URL(gateway.url).port))).rejects.toMatchObject({
      kind: "port",
      message: expect.stringContaining(`another Postern (pid ${process.pid}, data folder ${first})`) as string,
    });
  },
);

it.skipIf(!hasIpv6).each(["127.0.0.1", "0.0.0.0", "localhost"])(
  "on %s it serves both loopback addresses, and ends both",
  needs("IPv6"),
  async (host) => {
    const gateway = await startGateway({ host });
    const open = connect(gateway.port, "::1");
    await once(open, "connect");
    const ended = once(open.resume(), "close");
    for (const name of ["127.0.0.1", "[::1]", "localhost"]) {
      const answered = await fetch(`http://${name}:${gateway.port}/v1/models`, {
        headers: { authorization: `Bearer ${KEY}` },
      });
      expect([name, answered.status]).toEqual([name, 200]);
    }
    expect((await fetch(`http://[::1]:${gateway.port}/`, { method: "HEAD" })).status).toBe(200);
    expect(gateway.gateway.state().notices.filter(({ message }) => message.includes("::1"))).toEqual([]);
    await gateway.close();
    await ended;
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(gateway.port, "::1", resolve));
    await new Promise((resolve) => holder.close(resolve));
  },
);

it.skipIf(!hasIpv6)("starts where another program has the port on ::1, and says so", needs("IPv6"), async () => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, "::1", resolve));
  cleanups.push(() => new Promise((resolve) => holder.close(resolve)));
  const { port } = holder.address() as AddressInfo;
  const started = child(["--port", String(port), "--data-dir", await folder(), "--json"]);
  const { url, ui } = await started.ready();
  expect((await fetch(`${url}/health`)).status).toBe(200);
  const token = ui.slice(ui.indexOf("=") + 1);
  const session = await fetch(`${url}/control/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token }),
  });
  const { bearer } = (await session.json()) as { bearer: string };
  const state = await fetch(`${url}/control/state`, { headers: { authorization: `Bearer ${bearer}` } });
  const { notices } = (await state.json()) as { notices: { level: string; message: string }[] };
  const received = new RegExp(
    `^Port ${port} on \\[::1\\] is taken by .*pid ${process.pid}.*: apps that call localhost`,
  );
  expect(notices).toContainEqual(
    expect.objectContaining({ level: "warning", message: expect.stringMatching(received) }),
  );
});

it("starts on a machine without the other loopback address, and says so", async () => {
  const texts: string[] = [];
  const server = { address: () => ({ address: "::1" }) } as never;
  // No machine has this port of 127.0.0.1 for a plain user, as none without IPv6 has ::1.
  const twin = await listenOnBothLoopbacks(server, "localhost", 70_000, {
    add: (level, message) => texts.push(`${level} ${message}`) as never,
  }).catch(String);
  expect([twin, texts]).toEqual([null, [expect.stringMatching(/^info Postern cannot listen on 127\.0\.0\.1/)]]);
});

it("a second start in the same folder says where the first one is, and exits 0", async () => {
  const first = await startGateway();
  cleanups.push(() => first.close());
  await expect(embed(first.dataDir, 0)).rejects.toMatchObject({ name: "StartError", kind: "running", url: first.url });
  const plain = child(["--port", "0", "--data-dir", first.dataDir]);
  const json = child(["--port", "0", "--data-dir", first.dataDir, "--json"]);
  expect([await plain.exited, await json.exited]).toEqual([0, 0]);
  expect(plain.lines.join("\n")).toContain(first.url);
  expect(JSON.parse(json.lines[0] ?? "")).toMatchObject({ event: "already-running", url: first.url });
  expect((await fetch(`${first.url}/health`)).status).toBe(200);
});

it("a second start in another network namespace says where the first one is, and writes nothing", async (context) => {
  if (spawnSync("unshare", ["-n", "true"]).status !== 0) {
    context.skip("this machine does not let us make a network namespace (unshare -n)");
  }
  const first = await startGateway();
  cleanups.push(() => first.close());
  const second = new ChildGateway(["--port", "0", "--data-dir", first.dataDir, "--json"], {}, undefined, [
    "unshare",
    "-n",
  ]);
  cleanups.push(() => {
    second.kill("SIGKILL");
    return second.exited;
  });
  expect(await second.exited).toBe(0);
  expect(JSON.parse(second.lines[0] ?? "")).toMatchObject({ event: "already-running", url: first.url });
  await first.ask("POST", "/keys", { name: "still written" });
});

it("prints the ready line once, the pages' address, and on the very first start a key that works", async () => {
  const dir = await folder();
  const started = child(["--port", "0", "--data-dir", dir, "--json"]);
  const ready = await started.ready();
  expect(Object.keys(ready).toSorted()).toEqual(["apiKey", "dataDir", "event", "mcp", "pid", "ui", "url"]);
  expect(ready).toMatchObject({ event: "ready", dataDir: dir, pid: started.child.pid, mcp: `${ready.url}/mcp` });
  expect(ready.ui).toMatch(new RegExp(`^${ready.url}/#token=[\\w-]{20,}$`));
  const response = await fetch(`${ready.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${ready.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify(CHAT),
  });
  expect(response.status).toBe(200);
  expect(response.headers.get("x-postern-provider")).toBe("sandbox");
  started.kill("SIGTERM");
  expect(await started.exited).toBe(0);
  expect(started.lines).toHaveLength(1);
  for (const line of started.stderr.trim().split("\n")) expect(JSON.parse(line)).toHaveProperty("event");
  expect(started.stderr).not.toContain(ready.apiKey);

  const again = child(["--port", "0", "--data-dir", dir]);
  await until(() => again.lines.length === 2);
  expect(again.lines[0]).toMatch(/^Postern is ready at http:\/\/127\.0\.0\.1:\d+$/);
  expect(again.lines[1]).toContain("#token=");
});

it("keeps secrets from others on the machine, and from the disk", async () => {
  const postern = await startGateway({
    env: { POSTERN_OPENAI_API_KEY: "sk-provider-secret-0001", POSTERN_OPENAI_BASE_URL: "http://127.0.0.1:1" },
  });
  cleanups.push(() => postern.close());
  const { secret } = await postern.ask<{ secret: string }>("POST", "/keys", { name: "kept" });
  await postern.ask("POST", "/connections", {
    provider: "openai-compatible",
    name: "X",
    base_url: "http://127.0.0.1:1",
    keys: ["stored-provider-secret-0002"],
  });
  await postern.ask("POST", "/backup");
  for (const name of await readdir(postern.dataDir, { recursive: true })) {
    const path = join(postern.dataDir, name);
    const info = await stat(path);
    expect(`${name} ${(info.mode & 0o077).toString(8)}`).toBe(`${name} 0`);
    // Opening it in this process takes the lock away.
    if (!info.isFile() || name === LOCK_FILE) continue;
    const text = (await readFile(path)).toString("latin1");
    for (const value of [secret, KEY, "sk-provider-secret-0001", "stored-provider-secret-0002"])
      expect(text.includes(value)).toBe(false);
  }
});

it.each([
  [["--port", "70000"], 2, /not a port/],
  [["--port", "x"], 2, /not a port/],
  [["--surprise"], 2, /surprise/],
  [["--data-dir", "/dev/null/folder", "--port", "0"], 1, /data folder/],
] as const)("answers %j with a sentence and exit code %i", async (args, code, sentence) => {
  const started = child(args);
  expect(await started.exited).toBe(code);
  expect(started.stderr).toMatch(sentence);
  expect(started.stderr).not.toMatch(/\n +at /);
  expect(started.lines).toEqual([]);
});

it("obeys the environment, and the command line before it", async () => {
  const dir = await folder();
  const env = {
    POSTERN_PORT: "1",
    POSTERN_DATA_DIR: dir,
    POSTERN_API_KEY: "sk-from-the-environment",
    POSTERN_KEYS: "not json",
    OPENAI_BASE_URL: "http://127.0.0.1:1/v1",
    OPENAI_API_KEY: "sk-never-read",
  };
  const started = child(["--port", "0", "--json"], env);
  const ready = await started.ready();
  expect(ready.dataDir).toBe(dir);
  const models = await fetch(`${ready.url}/v1/models`, {
    headers: { authorization: "Bearer sk-from-the-environment" },
  });
  expect(models.status).toBe(200);
  expect(
    ((await models.json()) as { data: { provider: string }[] }).data.every(({ provider }) => provider === "sandbox"),
  ).toBe(true);
});

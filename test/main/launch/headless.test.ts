import { createServer, type AddressInfo } from "node:net";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { controlToken } from "../../../gateway/store/disk/instance.ts";
import { startProvider } from "../../support/mock-provider.ts";
import { dataFolder, start, startReady, type Ready } from "./running.ts";

/** docs/specification.md#start-and-stop, on the real thing: the bundle, its own process, real signals. */

const top = join(import.meta.dirname, "../../..");

function chat(url: string, key: string, content: string, stream = false): Promise<Response> {
  return fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "gpt-4o-mini", stream, messages: [{ role: "user", content }] }),
  });
}

describe("a first start", () => {
  it("prints where it is, the pages, and the first key; the next start prints no key", async () => {
    await using folder = await dataFolder();
    {
      await using first = start(["--port", "0", "--data-dir", folder.path]);
      const [ready, pages, key] = [await first.line(), await first.line(), await first.line()];
      expect(ready).toMatch(/^Postern is ready at http:\/\/127\.0\.0\.1:\d+$/);
      const url = ready?.replace("Postern is ready at ", "") ?? "";
      expect(pages).toContain(`${url}/#token=`);
      expect(key).toMatch(/sk-[0-9A-Za-z]{48}$/);
      expect((await fetch(`${url}/health`)).status).toBe(200);
      first.signal("SIGTERM");
      expect(await first.ended).toBe(0);
    }
    await using second = start(["--port", "0", "--data-dir", folder.path]);
    const lines = [await second.line(), await second.line()];
    second.signal("SIGTERM");
    expect(await second.line()).toBeNull();
    expect(lines.join("\n")).not.toContain("sk-");
  });

  it("with --json prints one line, and its key chats with the sandbox", async () => {
    await using folder = await dataFolder();
    await using postern = await startReady(folder.path);
    const { ready, running } = postern;
    expect(ready).toMatchObject({ event: "ready", dataDir: folder.path, pid: running.pid });
    const response = await chat(ready.url, ready.apiKey ?? "", "Hello");
    expect(response.status).toBe(200);
    expect(response.headers.get("x-postern-provider")).toBe("sandbox");
    expect((await fetch(`${ready.url}/health`)).status).toBe(200);
    expect((await fetch(`${ready.url}/`)).headers.get("content-type")).toContain("text/html");
    running.signal("SIGINT");
    expect(await running.ended).toBe(0);
    expect(running.out).toHaveLength(1);
  });
});

describe("what is in the way of a start", () => {
  it("is named when it is the port, with another to choose", async () => {
    await using folder = await dataFolder();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    await using postern = start(["--port", String(port), "--data-dir", folder.path]);
    expect(await postern.line()).toBeNull();
    expect(await postern.ended).toBe(1);
    server.close();
    const said = postern.errors.join("\n");
    expect(said).toContain(String(port));
    expect(said).toContain("--port");
  });

  it("is no failure when the folder is served already", async () => {
    await using folder = await dataFolder();
    await using first = await startReady(folder.path);
    await using second = start(["--port", "0", "--data-dir", folder.path]);
    expect(await second.line()).toContain(first.ready.url);
    expect(await second.ended).toBe(0);
  });

  it.each([
    [["--port", "many"], "many"],
    [["--port", "70000"], "70000"],
    [["--allowed-hosts", "nas,http://nas"], "http://nas"],
    [["--allowed-origins", "*"], "app://obsidian.md"],
    [["--colour"], "--colour"],
  ])("is said when it is the argument %j", async (argv, words) => {
    await using folder = await dataFolder();
    await using postern = start(["--data-dir", folder.path, ...argv]);
    expect(await postern.line()).toBeNull();
    expect(await postern.ended).toBe(2);
    expect(postern.errors.join("\n")).toContain(words);
  });
});

describe("a stop", () => {
  it("lets a call that is under way end", async () => {
    await using folder = await dataFolder();
    await using postern = await startReady(folder.path);
    const { ready, running } = postern;
    const response = await chat(ready.url, ready.apiKey ?? "", "sandbox:slow=700 Hello", true);
    running.signal("SIGTERM");
    const text = await response.text();
    expect(text.trimEnd().endsWith("data: [DONE]")).toBe(true);
    expect(await running.ended).toBe(0);
    await expect(fetch(`${ready.url}/health`)).rejects.toThrow("fetch failed");
  });
});

describe("a restart", () => {
  it("comes back in the same process on the new port, says where, and Ctrl+C still ends it", async () => {
    await using folder = await dataFolder();
    const [before, after] = [await freePort(), await freePort()];
    {
      await using first = await startReady(folder.path);
      await control(first.ready, folder.path, "PATCH", "settings", { port: before });
      first.running.signal("SIGTERM");
      await first.running.ended;
    }
    await using running = start(["--data-dir", folder.path, "--json"]);
    const first = JSON.parse((await running.line()) ?? "") as Ready;
    expect(new URL(first.url).port).toBe(String(before));
    await control(first, folder.path, "PATCH", "settings", { port: after });
    await control(first, folder.path, "POST", "restart", {});
    const second = JSON.parse((await running.line()) ?? "") as Ready;
    expect(second).toMatchObject({ event: "ready", pid: first.pid, url: `http://127.0.0.1:${after}` });
    expect(second.apiKey).toBeUndefined();
    expect((await fetch(`${second.url}/health`)).status).toBe(200);
    await expect(fetch(`${first.url}/health`)).rejects.toThrow("fetch failed");
    running.signal("SIGINT");
    expect(await running.ended).toBe(0);
    await expect(fetch(`${second.url}/health`)).rejects.toThrow("fetch failed");
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A control operation with the token of the folder, as the command has it. */
async function control(at: Ready, folder: string, method: string, path: string, body: object): Promise<void> {
  const response = await fetch(`${at.url}/control/${path}`, {
    method,
    headers: { authorization: `Bearer ${await controlToken(folder)}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
}

describe("the environment", () => {
  it("makes sure of a key, and never shows it", async () => {
    await using folder = await dataFolder();
    const key = "sk-from-the-environment-0123456789";
    await using postern = await startReady(folder.path, [], { POSTERN_API_KEY: key });
    expect((await chat(postern.ready.url, key, "Hello")).status).toBe(200);
    expect(JSON.stringify([postern.running.out, postern.running.errors])).not.toContain(key);
  });

  it("says where to keep data and where to listen; options go first", async () => {
    await using named = await dataFolder();
    await using given = await dataFolder();
    const environment = { POSTERN_DATA_DIR: named.path, POSTERN_PORT: "not a port" };
    await using postern = await startReady(given.path, [], environment);
    expect(postern.ready.dataDir).toBe(given.path);
  });
});

describe("a gateway that no one uses much", () => {
  it("does without V8's slowest compiler, which stays in memory once it was needed", async () => {
    await using folder = await dataFolder();
    const provider = await startProvider();
    onTestFinished(() => provider.close());
    const key = "sk-of-a-test-that-looks-at-compilers";
    const environment = {
      POSTERN_KEYS: JSON.stringify([{ key, name: "limited", limit_usd: 1 }]),
      POSTERN_OPENAI_BASE_URL: provider.baseUrl,
      POSTERN_OPENAI_API_KEY: "sk-upstream",
    };
    await using postern = start(["--port", "0", "--data-dir", folder.path], environment, ["--trace-opt"]);
    let url: string | undefined;
    while (url === undefined) {
      const line = await postern.line();
      if (line === null) throw new Error(`Postern did not start: ${postern.errors.join("\n")}`);
      url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    }
    for (const content of ["Hello", "Hello again"]) expect((await chat(url, key, content)).status).toBe(200);
    expect((await fetch(`${url}/`)).status).toBe(200);
    postern.signal("SIGTERM");
    while ((await postern.line()) !== null);
    const compiled = postern.out.filter((line) => line.includes("compiling method"));
    expect(compiled).not.toEqual([]);
    expect(compiled.filter((line) => line.includes("TURBOFAN"))).toEqual([]);
    // What V8 says of an option that this version of it does not have.
    expect([...postern.out, ...postern.errors].join("\n")).not.toContain("unrecognized flag");
  });
});

describe("the postern command", () => {
  it("finds the running one by its folder, and what it makes works at once", async () => {
    await using folder = await dataFolder();
    await using postern = await startReady(folder.path);
    const run = (...argv: string[]) => {
      const command = [join(top, "main/postern.mjs"), ...argv, "--json", "--data-dir", folder.path];
      const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: "utf8" });
      return { status, stderr, json: JSON.parse(stdout === "" ? "null" : stdout) as never };
    };
    const made = run("keys", "create", "--name", "made here", "--models", "gpt-4o-mini") as {
      json: { secret: string; key: { id: string } };
    };
    expect((await chat(postern.ready.url, made.json.secret, "Hello")).status).toBe(200);
    expect(run("usage", "--by", "key")).toMatchObject({ status: 0, json: { total: { sandbox_requests: 1 } } });
    expect(run("models")).toMatchObject({ status: 0 });
    expect(run("backup")).toMatchObject({ status: 0, json: { path: expect.stringContaining("backups") } });
    expect(run("open")).toMatchObject({ status: 0, json: { url: expect.stringContaining("/#token=") } });
    expect(run("doctor")).toMatchObject({ status: 0, json: { ok: true } });
    expect(run("keys", "revoke", made.json.key.id)).toMatchObject({ status: 0 });
    expect((await chat(postern.ready.url, made.json.secret, "Hello")).status).toBe(401);
    expect(run("connections", "test", "nobody")).toMatchObject({ status: 1 });
  });
});

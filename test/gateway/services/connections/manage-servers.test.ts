import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ConnectionView } from "../../../../gateway/contract/connection.ts";
import type { State } from "../../../../gateway/contract/control.ts";
import type { LocalServerView } from "../../../../gateway/contract/local-servers.ts";
import { LOCAL_SERVERS } from "../../../../gateway/services/connections/local-servers.ts";
import { systemClock } from "../../../../gateway/lib/clock.ts";
import { silentLog } from "../../../../gateway/lib/log.ts";
import { openFolder } from "../../../../gateway/start.ts";
import { fileSealer } from "../../../../gateway/store/data-key.ts";
import { respond, completion, failure } from "../../../support/acts.ts";
import { MockProvider, modelList, startProvider } from "../../../support/mock-provider.ts";
import { CHAT, KEY, errorOf, startGateway, temporaryFolder, until } from "../../../support/running-gateway.ts";
import type { TestGateway, TestOptions } from "../../../support/running-gateway.ts";
import { readFirstOutput } from "../../../support/first-output.ts";
import { needs } from "../../../support/needs.ts";
import { OTHER_USER, findSharedNode } from "../../../support/other-user.ts";

const CLAIMED = ["gpt-5.4-mini", "claude-sonnet-5-5", "openai/gpt-4.1", "llama3.2:latest", "gpt-4o:latest"];

/** A program that says it is Ollama and lists models of other providers next to one of its own. */
let ollama: MockProvider;
let postern: TestGateway;
let folder: string;
/** Where it is looked for. */
let port: number;
beforeEach(async () => {
  ollama = await startProvider();
  ollama.also.set("/api/tags", respond(200, '{"models":[]}'));
  ollama.list = modelList(CLAIMED);
  folder = await temporaryFolder();
  port = ollama.port;
});
afterEach(async () => {
  await postern.close();
  await ollama.close();
});

const id = (): string => `local_ollama_${port}`;
const servers = async (): Promise<readonly LocalServerView[]> =>
  (await postern.ask<{ data: LocalServerView[] }>("GET", "/local-servers")).data;
const connections = async (): Promise<readonly ConnectionView[]> =>
  (await postern.ask<{ data: ConnectionView[] }>("GET", "/connections")).data;
const models = async (): Promise<readonly string[]> => {
  const response = await fetch(`${postern.url}/v1/models`, { headers: { authorization: `Bearer ${KEY}` } });
  return ((await response.json()) as { data: { id: string }[] }).data.map((model) => model.id);
};
const ask = (model: string): Promise<Response> => postern.chat({ ...CHAT, model });

async function start(options: TestOptions = {}): Promise<void> {
  const [server] = LOCAL_SERVERS.filter((each) => each.id === "ollama");
  if (server === undefined) throw new Error("Ollama is not looked for");
  postern = await startGateway({ dataDir: folder, localServers: [{ ...server, ports: [port] }], ...options });
}
/** A look at all sockets of the machine takes longer than the usual step, and those that are asked for meanwhile queue up. */
const LOOK_MS = 50;

/** Looks again, until what is found is so. */
async function found(met: (all: readonly LocalServerView[]) => boolean): Promise<void> {
  await until(
    async () => {
      postern.gateway.onResume();
      return met(await servers());
    },
    undefined,
    LOOK_MS,
  );
}
const offered = (): Promise<void> => found((all) => all.some(({ present }) => present));
async function use(): Promise<void> {
  await offered();
  await postern.ask("POST", `/local-servers/${id()}/use`, {});
  await until(async () => (await connections()).some(({ models: { count } }) => count > 0));
}

describe("a program that was found", () => {
  it("is offered, and nothing else changes", async () => {
    await start({ env: { POSTERN_SANDBOX: "auto" } });
    await offered();
    expect(await servers()).toMatchObject([
      { id: id(), kind: "ollama", name: "Ollama", state: "offered", present: true, user: { other: false } },
    ]);
    expect(await connections()).toEqual([]);
    expect(await postern.ask<State>("GET", "/state")).toMatchObject({ connections: 0, sandbox: { active: true } });
    const subscription = await fetch(`${postern.url}/v1/dashboard/billing/subscription`, {
      headers: { authorization: `Bearer ${KEY}` },
    });
    expect(await subscription.json()).toMatchObject({ has_payment_method: false });
    expect((await ask("gpt-5.4-mini")).status).toBe(200);
    expect(await models()).not.toContain("llama3.2:latest");
    expect([ollama.chats.length, ollama.lists]).toEqual([0, 0]);
  });

  it("is used once its owner says so, under its own name where a model of the catalog is called the same", async () => {
    await start();
    await use();
    expect(await servers()).toMatchObject([{ state: "used", present: true }]);
    expect((await models()).toSorted()).toEqual([
      "llama3.2:latest",
      "ollama/claude-sonnet-5-5",
      "ollama/gpt-4o:latest",
      "ollama/gpt-5.4-mini",
      "ollama/openai/gpt-4.1",
    ]);
    for (const name of ["gpt-5.4-mini", "claude-sonnet-5-5", "openai/gpt-4.1", "gpt-4.1", "gpt-4o", "gpt-5.4-mini:x"]) {
      const response = await ask(name);
      expect([name, response.status]).toEqual([name, 404]);
    }
    expect(ollama.chats).toHaveLength(0);
    expect((await ask("ollama/gpt-5.4-mini")).status).toBe(200);
    expect(ollama.lastBody["model"]).toBe("gpt-5.4-mini");
    expect((await ask("llama3.2")).status).toBe(200);
    expect(ollama.lastBody["model"]).toBe("llama3.2:latest");
  });

  it("never stands in for a provider that fails", async () => {
    const provider = await startProvider();
    provider.list = modelList(["llama3.2:latest"]);
    provider.usual = failure(503);
    try {
      await start({ provider });
      await use();
      for (const name of ["gpt-5.4-mini", "llama3.2:latest"]) {
        const response = await ask(name);
        expect([name, response.status]).toEqual([name, 503]);
      }
      expect(ollama.chats).toHaveLength(0);
    } finally {
      await provider.close();
    }
  });

  it("that is used comes and goes with its program, also over a restart, without being asked about again", async () => {
    await start();
    await use();
    await postern.stop();
    await ollama.close();
    await start();
    expect(await connections()).toMatchObject([{ id: id(), present: false }]);
    expect((await ask("llama3.2")).status).toBe(404);
    ollama = new MockProvider();
    ollama.also.set("/api/tags", respond(200, '{"models":[]}'));
    ollama.list = modelList(["llama3.2:latest"]);
    await ollama.listen(port);
    await offered();
    expect((await ask("llama3.2")).status).toBe(200);
    expect(await connections()).toMatchObject([{ id: id(), present: true, origin: "local" }]);
  });

  it("can be disabled, renamed and forgotten like any connection, but stays where it was found", async () => {
    await start();
    await use();
    await postern.ask("PATCH", `/connections/${id()}`, { enabled: false, name: "Mine" });
    expect((await ask("llama3.2")).status).toBe(404);
    await postern.ask("PATCH", `/connections/${id()}`, { enabled: true });
    expect((await ask("mine/llama3.2:latest")).status).toBe(200);
    const moved = await postern.control("PATCH", `/connections/${id()}`, { base_url: "https://elsewhere.example/v1" });
    expect(moved.status).toBe(409);
    await postern.ask("DELETE", `/connections/${id()}`);
    expect(await servers()).toMatchObject([{ state: "offered" }]);
    expect((await ask("llama3.2")).status).toBe(404);
  });

  it("can be refused, which is remembered until it is forgotten", async () => {
    await start();
    await offered();
    await postern.ask("POST", `/local-servers/${id()}/refuse`);
    await postern.stop();
    await start();
    await offered();
    expect(await servers()).toMatchObject([{ state: "refused" }]);
    expect(await connections()).toEqual([]);
    await postern.ask("DELETE", `/local-servers/${id()}`);
    expect(await servers()).toMatchObject([{ state: "offered" }]);
  });

  it("is not offered where its owner has connected it by hand", async () => {
    await start();
    await offered();
    const by = { provider: "openai-compatible", name: "By hand", base_url: `http://localhost:${ollama.port}/v1` };
    await postern.ask("POST", "/connections", by);
    expect(await servers()).toEqual([]);
  });

  it.each(["use", "refuse"])("that does not run is not there to %s", async (what) => {
    await start();
    const response = await postern.control("POST", `/local-servers/local_ollama_1/${what}`, {});
    expect([response.status, (await errorOf(response)).code]).toEqual([404, "not_found"]);
  });
});

it("earlier versions' unasked use is reported once", async () => {
  await start();
  await use();
  // What an earlier version left of it: the list of its models, and no connection.
  await postern.stop();
  const opened = await openFolder({
    dataDir: folder,
    sealer: fileSealer(),
    clock: systemClock,
    log: silentLog,
    version: "0",
  });
  await opened.store.commit([{ op: "delete", in: "connections", id: id() }]);
  await opened.store.close();
  opened.lock.release();
  await start();
  const reported = async (): Promise<number> =>
    (await postern.ask<State>("GET", "/state")).notices.filter(({ message }) => message.includes("Ollama")).length;
  expect(await reported()).toBe(1);
  await offered();
  expect(await servers()).toMatchObject([{ state: "offered" }]);
  await postern.stop();
  await start();
  expect(await reported()).toBe(0);
});

/** A program of another user on a free port that says it is Ollama. Only root can start one. */
async function stranger(at = 0): Promise<{ readonly port: number; readonly child: ChildProcess }> {
  const source = `
    const server = require("node:http").createServer((asked, reply) => {
      const body = asked.url === "/api/tags" ? { models: [] } : { object: "list", data: [{ id: "theirs" }] };
      if (asked.url.includes("chat")) console.log("PROMPT");
      reply.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
    server.listen(${at}, "127.0.0.1", () => console.log(server.address().port));`;
  const child = spawn(sharedNode?.path ?? "", ["-e", source], {
    uid: OTHER_USER,
    gid: OTHER_USER,
    cwd: "/",
    stdio: ["ignore", "pipe", "inherit"],
  });
  return { port: Number(await readFirstOutput(child)), child };
}

const sharedNode = await findSharedNode();

describe.skipIf(sharedNode === null)("a program of another user", needs("root, and a Node that others may run"), () => {
  afterAll(() => sharedNode?.remove());
  let child: ChildProcess | null = null;
  afterEach(async () => {
    if (child === null) return;
    child.kill();
    await once(child, "exit");
    child = null;
  });

  it("is said to be another user's, and used only where its owner says that this is known", async () => {
    const other = await stranger();
    child = other.child;
    port = other.port;
    await start();
    await offered();
    expect(await servers()).toMatchObject([{ state: "offered", user: { uid: 65_534, other: true } }]);
    const path = `/local-servers/${id()}/use`;
    const refused = await postern.control("POST", path, {});
    expect([refused.status, (await errorOf(refused)).param]).toEqual([409, "other_user"]);
    expect(await connections()).toEqual([]);
    await postern.ask("POST", path, { other_user: true });
    expect(await connections()).toMatchObject([{ origin: "local", present: true }]);
  });

  it("does not get what was meant for the one whose port it took", async () => {
    await start();
    await use();
    await ollama.close();
    const other = await stranger(port);
    child = other.child;
    const events: string[] = [];
    other.child.stdout?.on("data", (data: Buffer) => events.push(String(data)));
    // Before anybody has looked again: the connection itself is looked at.
    const response = await ask("llama3.2:latest");
    expect(response.status).toBe(503);
    expect((await errorOf(response)).message).toContain("another user's");
    await found((all) => all.some(({ state, user }) => state === "offered" && user?.other === true));
    expect(await connections()).toMatchObject([{ present: false }]);
    expect((await ask("llama3.2:latest")).status).toBe(404);
    expect(events.join("")).not.toContain("PROMPT");
  });
});

it("a provider that answers is asked as ever while programs come and go", async () => {
  const provider = await startProvider();
  provider.usual = completion();
  try {
    await start({ provider });
    await use();
    expect((await ask("gpt-4.1")).status).toBe(200);
    expect([provider.chats.length, ollama.chats.length]).toEqual([1, 0]);
  } finally {
    await provider.close();
  }
});

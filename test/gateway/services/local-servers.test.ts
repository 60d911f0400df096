import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { makeConnection } from "../../../gateway/services/connections/connection.ts";
import { Connections } from "../../../gateway/services/connections/connections.ts";
import type { Discovery } from "../../../gateway/services/models/discovery.ts";
import { LOCAL_SERVERS, LocalServers } from "../../../gateway/services/connections/local-servers.ts";
import { Door } from "../../../gateway/upstream/door.ts";
import { vendors } from "../../../gateway/vendors/registry.ts";
import { TestClock } from "../../support/test-clock.ts";

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** A program on a free port that answers one route. */
async function program(
  path: string,
  body: unknown,
  status = 200,
): Promise<{ port: number; close: () => Promise<void> }> {
  const server = createServer((incoming, outgoing) => {
    const known = incoming.url === path;
    outgoing
      .writeHead(known ? status : 404, { "content-type": "application/json" })
      .end(known ? JSON.stringify(body) : "{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  cleanups.push(close);
  return { port: (server.address() as AddressInfo).port, close };
}

/** The real programs' tell-tale routes, at ports of the test's own. */
function looking(ports: Readonly<Record<string, number>>, ownPort = 0) {
  const door = new Door();
  cleanups.push(() => door.close());
  const connections = new Connections();
  const tested: string[] = [];
  const discovery = {
    test: (connection: { id: string }) => Promise.resolve(void tested.push(connection.id)),
  } as unknown as Discovery;
  const servers = LOCAL_SERVERS.flatMap((server) =>
    ports[server.id] === undefined ? [] : [{ ...server, ports: [ports[server.id] ?? 0] }],
  );
  const local = new LocalServers(
    { connections, discovery, door, clock: new TestClock(), instanceId: "test", ownPort: () => ownPort },
    servers,
  );
  return { local, connections, tested };
}

/** Answers as upstreams reference 9 has them. */
const KINDS: readonly (readonly [string, string, string, unknown])[] = [
  ["ollama", "Ollama", "/api/tags", { models: [{ name: "llama3.2:latest" }] }],
  [
    "lm-studio",
    "LM Studio",
    "/api/v0/models",
    { object: "list", data: [{ id: "qwen", object: "model", state: "loaded" }] },
  ],
  [
    "llama-cpp",
    "llama.cpp",
    "/v1/models",
    { object: "list", data: [{ id: "m", object: "model", owned_by: "llamacpp", meta: null }] },
  ],
];

it.each(KINDS)(
  "finds %s, connects it once without a key, and lets it go when it stops",
  async (id, name, path, body) => {
    const { port, close } = await program(path, body);
    const { local, connections, tested } = looking({ [id]: port });
    await local.look();
    await local.look();
    expect(connections.all().map((connection) => [connection.name, connection.baseUrl, connection.from])).toEqual([
      [name, `http://127.0.0.1:${port}/v1`, "local"],
    ]);
    expect(connections.all()[0]?.credentials.map(({ secret }) => secret)).toEqual([null]);
    expect(tested).toHaveLength(1);
    await close();
    await local.look();
    expect(connections.all()).toEqual([]);
  },
);

it.each([
  ["another program at Ollama's port", "ollama", "/api/tags", { tags: [] }, 200],
  ["a web server at llama.cpp's port", "llama-cpp", "/v1/models", { data: [{ id: "x", owned_by: "somebody" }] }, 200],
  ["a program that wants a key", "lm-studio", "/api/v0/models", { object: "list", data: [] }, 401],
  ["nonsense", "llama-cpp", "/v1/models", { data: [null, 5] }, 200],
] as const)("does not take %s for it", async (_name, id, path, body, status) => {
  const { port } = await program(path, body, status);
  const { local, connections } = looking({ [id]: port });
  await local.look();
  expect(connections.all()).toEqual([]);
});

it("looks neither at itself nor twice at what the owner has connected", async () => {
  const { port } = await program("/api/tags", { models: [] });
  const own = looking({ ollama: port }, port);
  await own.local.look();
  expect(own.connections.all()).toEqual([]);

  const taken = looking({ ollama: port });
  taken.connections.put(
    makeConnection({
      id: "mine",
      vendor: vendors["openai-compatible"],
      name: "Mine",
      baseUrl: `http://localhost:${port}/v1`,
      priority: 1,
      enabled: true,
      from: "created",
      createdAt: 0,
      credentials: [],
    }),
  );
  await taken.local.look();
  expect(taken.connections.all().map(({ id }) => id)).toEqual(["mine"]);
});

it("looks at the ports that these programs really use", () => {
  expect(LOCAL_SERVERS.map(({ id, ports }) => [id, ports])).toEqual([
    ["ollama", [11_434]],
    ["lm-studio", [1_234]],
    ["llama-cpp", [8_080, 9_931]],
  ]);
});

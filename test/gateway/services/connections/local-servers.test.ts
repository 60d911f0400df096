import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { FoundServers } from "../../../../gateway/services/connections/found-servers.ts";
import { LOCAL_SERVERS, LocalServers } from "../../../../gateway/services/connections/local-servers.ts";
import { portUser } from "../../../../gateway/store/disk/port-holder.ts";
import { ProviderClient } from "../../../../gateway/upstream/provider-client.ts";

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
  const providerClient = new ProviderClient();
  cleanups.push(() => providerClient.close());
  const found = new FoundServers();
  const servers = LOCAL_SERVERS.flatMap((server) =>
    ports[server.id] === undefined ? [] : [{ ...server, ports: [ports[server.id] ?? 0] }],
  );
  const ending = new AbortController();
  const local = new LocalServers(
    { found, providerClient, instanceId: "test", stopping: ending.signal, ownPort: () => ownPort, portUser },
    servers,
  );
  return { local, found, providerClient, ending };
}

/** What these programs answer at their tell-tale routes. */
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

it.each(KINDS)("finds %s while it runs, and whose it is", async (kind, name, path, body) => {
  const { port, close } = await program(path, body);
  const { local, found } = looking({ [kind]: port });
  let changes = 0;
  found.onChange(() => (changes += 1));
  await local.check();
  await local.check();
  const uid = process.platform === "linux" ? { uid: process.getuid?.() } : null;
  expect(found.all()).toMatchObject([{ id: `local_${kind}_${port}`, kind, name, port, user: uid }]);
  expect(changes).toBe(1);
  await close();
  await local.check();
  expect(found.all()).toEqual([]);
});

it.each([
  ["another program at Ollama's port", "ollama", "/api/tags", { tags: [] }, 200],
  ["a web server at llama.cpp's port", "llama-cpp", "/v1/models", { data: [{ id: "x", owned_by: "somebody" }] }, 200],
  ["a program that wants a key", "lm-studio", "/api/v0/models", { object: "list", data: [] }, 401],
  ["nonsense", "llama-cpp", "/v1/models", { data: [null, 5] }, 200],
] as const)("does not take %s for it", async (_name, id, path, body, status) => {
  const { port } = await program(path, body, status);
  const { local, found } = looking({ [id]: port });
  await local.check();
  expect(found.all()).toEqual([]);
});

it("does not look at itself", async () => {
  const { port } = await program("/api/tags", { models: [] });
  const own = looking({ ollama: port }, port);
  await own.local.check();
  expect(own.found.all()).toEqual([]);
});

it("looks at the ports that these programs really use", () => {
  expect(LOCAL_SERVERS.map(({ id, ports }) => [id, ports])).toEqual([
    ["ollama", [11_434]],
    ["lm-studio", [1_234]],
    ["llama-cpp", [8_080, 9_931]],
  ]);
});

it("takes no server for gone because Postern stops", async () => {
  const { port } = await program("/api/tags", { models: [] });
  const { local, found, providerClient, ending } = looking({ ollama: port });
  await local.check();
  const before = found.all();
  expect(before).toHaveLength(1);
  ending.abort();
  const looked = local.check();
  await providerClient.close();
  await looked;
  expect(found.all()).toEqual(before);
});

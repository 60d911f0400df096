import { hostname, networkInterfaces } from "node:os";
import { expect, it } from "vitest";
import { isAllowedOrigin, isServedHost, createNamesOfMachine } from "../../../gateway/http/address.ts";
import { request, sendRaw } from "../../support/raw-http.ts";
import { KEY, startGateway } from "../../support/running-gateway.ts";
import { useGateway } from "../../support/use-gateway.ts";

const postern = useGateway(() => ({ env: { POSTERN_ALLOWED_HOSTS: "*.Example.ts.net,nas:8080,postern" } }));

/** The status of `METHOD /path` under a `Host` of which P is the port, and the code of its error. */
async function ask(route: string, host: string, port = postern.port) {
  const [method, path] = route.split(" ");
  const headers = [`Host: ${host.replace(/P$/, String(port))}`, `Authorization: Bearer ${KEY}`, "Connection: close"];
  const { status, body } = await sendRaw(port, request(`${method} ${path} HTTP/1.1`, headers));
  return { status, code: /"code":"(\w+)"/.exec(body)?.[1], message: body };
}

const addresses = Object.values(networkInterfaces()).flatMap((list) =>
  (list ?? []).flatMap(({ internal, family, address }) => (internal || family === "IPv6" ? [] : [`${address}:P`])),
);

it.each([
  "host.docker.internal:P",
  "HOST.Docker.Internal:P",
  "host.docker.internal",
  "gateway.docker.internal:P",
  "host.containers.internal:P",
  "host.lima.internal:P",
  "mypc.example.ts.net",
  "a.b.example.ts.net:443",
  "nas:8080",
  "postern:P",
  ...createNamesOfMachine(hostname()).map((name) => `${name}:P`),
  ...addresses,
])("%s serves what a key protects, and nothing else", async (host) => {
  expect(await ask("GET /v1/models", host)).toMatchObject({ status: 200 });
  expect(await ask("GET /mcp", host)).not.toMatchObject({ status: 403 });
  expect(await ask("GET /health", host)).toMatchObject({ status: 200 });
  expect(await ask("HEAD /", host)).toMatchObject({ status: 200 });
  expect(await ask("GET /media/med_1?expires=1&signature=x", host)).not.toMatchObject({
    status: 403,
    code: "forbidden_host",
  });
  expect(await ask("GET /metrics", host)).not.toMatchObject({ status: 403, code: "forbidden_host" });
  const own = ["GET /", "GET /assets/x.js", "GET /control/state", "POST /control/session", "GET /media/export/x"];
  for (const route of own) expect(await ask(route, host), route).toMatchObject({ status: 403, code: "forbidden_host" });
});

it.each([
  "evil.example:P",
  "example.ts.net:P",
  "evilexample.ts.net:P",
  "mypc.example.ts.net.:P",
  "mypc.example.ts.net.evil.example:P",
  "evil@mypc.example.ts.net:P",
  "mypc.example.ts.net:P:80",
  ".example.ts.net:P",
  "nas:P",
  "nas",
  "192.168.255.254:P",
  "[fd00::1]:P",
  "[::ffff:127.0.0.1]:P",
])("%s is refused, and the refusal says where to allow it", async (host) => {
  const { status, code, message } = await ask("GET /v1/models", host);
  expect([status, code]).toEqual([403, "forbidden_host"]);
  expect(message).toContain(host.replace(/P$/, String(postern.port)));
  expect(message).toContain("POSTERN_ALLOWED_HOSTS");
});

it.each(["localhost", "LOCALHOST", "127.0.0.1", "[::1]"])("%s works without a port", async (host) => {
  expect(await ask("GET /v1/models", host)).toMatchObject({ status: 200 });
  expect(await ask("GET /control/state", host)).toMatchObject({ status: 401 });
});

it("a name that the owner allows is served from then on, and no longer than that", async () => {
  const gateway = await startGateway();
  try {
    const status = async () => (await ask("GET /v1/models", "nas.lan:P", gateway.port)).status;
    const seen = [await status()];
    await gateway.ask("PATCH", "/settings", { allowed_hosts: ["NAS.lan"] });
    seen.push(await status());
    await gateway.ask("PATCH", "/settings", { allowed_hosts: [] });
    expect([...seen, await status()]).toEqual([403, 200, 403]);
  } finally {
    await gateway.close();
  }
});

it.each([
  ["allowed_hosts", ["*", "*.", "http://nas", "nas/", "a b", "a@b", "nas:", "-nas", "nas.", "", "[nas]"]],
  [
    "allowed_origins",
    ["*", "*://*", "http://*", "HTTPS://*", "https://*:80", "obsidian", "app://a/b", "app://a b", ""],
  ],
])("%s takes no %j", async (name, entries) => {
  for (const entry of entries) {
    const response = await postern.control("PATCH", "/settings", { [name]: [entry] });
    expect([response.status, await response.json()], entry).toMatchObject([400, { error: { param: `${name}[0]` } }]);
  }
});

it("an entry of the environment with a mistake is reported and allows nothing", async () => {
  const gateway = await startGateway({ env: { POSTERN_ALLOWED_HOSTS: "nas,http://evil" } });
  try {
    expect(await ask("GET /v1/models", "nas:P", gateway.port)).toMatchObject({ status: 403 });
    expect(
      gateway.gateway
        .state()
        .notices.map(({ message }) => message)
        .join(),
    ).toContain("POSTERN_ALLOWED_HOSTS");
  } finally {
    await gateway.close();
  }
});

it.each([
  ["[fd00::7]:80", ["[fd00::7]:80"], true],
  ["[fd00::7]", ["[FD00::7]:80"], true],
  ["[fd00::7]:81", ["[fd00::7]:80"], false],
  ["my_service:6174", ["my_service"], true],
  ["a..b:6174", ["*.b"], false],
])("%s by %j is served: %s", (host, allowed, isServed) => {
  expect(isServedHost(host, 6174, allowed)).toBe(isServed);
});

it.each([
  ["app://obsidian.md", ["app://obsidian.md"], true],
  ["app://obsidian.md", ["App://Obsidian.md/"], true],
  ["app://obsidian.md.evil", ["app://obsidian.md"], false],
  ["null", ["file://"], true],
  ["file://", ["file:///"], true],
  ["file://", ["null"], true],
  ["null", ["app://*"], false],
  ["vscode-webview://1abc", ["vscode-webview://*"], true],
  ["vscode-webview://1abc/evil", ["vscode-webview://*"], false],
  ["http://localhost:3000", ["http://localhost:*"], true],
  ["http://localhost.evil.example:3000", ["http://localhost:*"], false],
  ["https://a.example.com", ["https://*.example.com"], true],
  ["https://aexample.com", ["https://*.example.com"], false],
  ["http://tauri.localhost", ["http://tauri.localhost"], true],
  ["https://tauri.localhost", ["http://tauri.localhost"], false],
  ["", ["app://*"], false],
  ["anything", [], false],
])("the origin %s by %j is allowed: %s", (origin, allowed, isAllowed) => {
  expect(isAllowedOrigin(origin, allowed)).toBe(isAllowed);
});

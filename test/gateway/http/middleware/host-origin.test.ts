import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CONTROL_EVENTS_PATH } from "../../../../gateway/contract/control-paths.ts";
import { controlOperations } from "../../../../gateway/contract/control.ts";
import { getAddress, createNamesOfMachine } from "../../../../gateway/http/address.ts";
import { KEY, startGateway, type TestGateway } from "../../../support/running-gateway.ts";
import { open, request, sendRaw } from "../../../support/raw-http.ts";

let postern: TestGateway;
beforeAll(async () => {
  postern = await startGateway();
});
afterAll(() => postern.close());

/** Every route that the gateway has. */
const ROUTES: readonly string[] = [
  "POST /v1/chat/completions",
  "GET /v1/models",
  "GET /v1/models/gpt-4.1",
  "GET /v1/dashboard/billing/subscription",
  "GET /v1/dashboard/billing/usage",
  "GET /v1/nothing",
  "GET /health",
  "GET /",
  "HEAD /",
  "GET /assets/none.js",
  "GET /nothing",
  ...Object.values(controlOperations).map(({ method, path }) => `${method} ${path.replace(":id", "some-id")}`),
  `GET ${CONTROL_EVENTS_PATH}`,
];

interface Attack {
  readonly name: string;
  /** Headers instead of the right Host; `P` is the port. */
  readonly headers: readonly string[];
  readonly absolute?: boolean;
  readonly code: string;
}

const HOST = "Host: 127.0.0.1:P";
const ATTACKS: readonly Attack[] = [
  { name: "no Host", headers: [], code: "forbidden_host" },
  { name: "an empty Host", headers: ["Host:"], code: "forbidden_host" },
  { name: "two Hosts", headers: [HOST, "Host: localhost:P"], code: "forbidden_host" },
  { name: "the same Host twice", headers: [HOST, HOST], code: "forbidden_host" },
  { name: "a foreign Host", headers: ["Host: evil.example"], code: "forbidden_host" },
  { name: "a foreign Host with our port", headers: ["Host: evil.example:P"], code: "forbidden_host" },
  { name: "0.0.0.0", headers: ["Host: 0.0.0.0:P"], code: "forbidden_host" },
  { name: "another loopback address", headers: ["Host: 127.0.0.2:P"], code: "forbidden_host" },
  { name: "a name below localhost", headers: ["Host: localhost.evil.example:P"], code: "forbidden_host" },
  { name: "a name above localhost", headers: ["Host: evil.localhost:P"], code: "forbidden_host" },
  { name: "localhost with a final dot", headers: ["Host: localhost.:P"], code: "forbidden_host" },
  { name: "user information", headers: ["Host: evil@127.0.0.1:P"], code: "forbidden_host" },
  { name: "our name as user information", headers: ["Host: 127.0.0.1:P@evil.example"], code: "forbidden_host" },
  { name: "another machine's address", headers: ["Host: 10.255.255.254:P"], code: "forbidden_host" },
  { name: "an attacker's name for 127.0.0.1", headers: ["Host: 127.0.0.1.nip.io:P"], code: "forbidden_host" },
  { name: "a name below a container's", headers: ["Host: evil.host.docker.internal:P"], code: "forbidden_host" },
  {
    name: "a name that begins as a container's",
    headers: ["Host: host.docker.internal.evil.example:P"],
    code: "forbidden_host",
  },
  { name: "a container's name with a final dot", headers: ["Host: host.docker.internal.:P"], code: "forbidden_host" },
  {
    name: "a container's name with user information",
    headers: ["Host: a@host.docker.internal:P"],
    code: "forbidden_host",
  },
  { name: "a container's name with another port", headers: ["Host: host.docker.internal:1"], code: "forbidden_host" },
  { name: "a container's name and ours", headers: ["Host: host.docker.internal:P", HOST], code: "forbidden_host" },
  { name: "two ports", headers: ["Host: 127.0.0.1:P:80"], code: "forbidden_host" },
  { name: "the wrong port", headers: ["Host: 127.0.0.1:1"], code: "forbidden_host" },
  { name: "a decimal address", headers: ["Host: 2130706433:P"], code: "forbidden_host" },
  { name: "a list", headers: ["Host: 127.0.0.1:P, evil.example"], code: "forbidden_host" },
  { name: "the absolute form", headers: [HOST], absolute: true, code: "forbidden_host" },
  { name: "a foreign Origin", headers: [HOST, "Origin: https://evil.example"], code: "forbidden_origin" },
  { name: "the null Origin", headers: [HOST, "Origin: null"], code: "forbidden_origin" },
  { name: "an empty Origin", headers: [HOST, "Origin:"], code: "forbidden_origin" },
  { name: "our Origin over https", headers: [HOST, "Origin: https://127.0.0.1:P"], code: "forbidden_origin" },
  { name: "our Origin without a port", headers: [HOST, "Origin: http://127.0.0.1"], code: "forbidden_origin" },
  { name: "a neighbour's Origin", headers: [HOST, "Origin: http://localhost:3000"], code: "forbidden_origin" },
  {
    name: "a good and a foreign Origin",
    headers: [HOST, "Origin: http://127.0.0.1:P", "Origin: https://evil.example"],
    code: "forbidden_origin",
  },
  { name: "an app's Origin", headers: [HOST, "Origin: app://obsidian.md"], code: "forbidden_origin" },
  { name: "a file's Origin", headers: [HOST, "Origin: file://"], code: "forbidden_origin" },
  { name: "a cross-site fetch", headers: [HOST, "Sec-Fetch-Site: cross-site"], code: "forbidden_origin" },
  { name: "a same-site fetch", headers: [HOST, "Sec-Fetch-Site: same-site"], code: "forbidden_origin" },
  {
    name: "a cross-site image",
    headers: [HOST, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"],
    code: "forbidden_origin",
  },
];

describe.each(ATTACKS)("$name", ({ headers, absolute, code }) => {
  it("is refused on every route before the body is read", async () => {
    const port = postern.port;
    const given = headers.map((header) => header.replaceAll(":P", `:${port}`));
    const responses = await Promise.all(
      ROUTES.map(async (route) => {
        const [method = "", path = ""] = route.split(" ");
        const target = absolute === true ? `http://127.0.0.1:${port}${path}` : path;
        // The declared body never comes: a response shows that no one waited for it.
        const body =
          method === "POST" || method === "PATCH"
            ? ["Content-Length: 1000", "Content-Type: application/json"]
            : ["Connection: close"];
        const response = await sendRaw(
          port,
          request(`${method} ${target} HTTP/1.1`, [...given, `Authorization: Bearer ${KEY}`, ...body]),
        );
        const found =
          method === "HEAD" ? code : (JSON.parse(response.body || "{}") as { error?: { code: string } }).error?.code;
        return `${route} ${response.status} ${found} ${response.headers["x-request-id"] === undefined ? "without id" : ""}`;
      }),
    );
    expect(responses).toEqual(ROUTES.map((route) => `${route} 403 ${code} `));
  });
});

const GOOD: readonly (readonly [string, readonly string[]])[] = [
  ["the address", [HOST]],
  ["localhost", ["Host: localhost:P"]],
  ["localhost in upper case", ["Host: LOCALHOST:P"]],
  ["the IPv6 loopback", ["Host: [::1]:P"]],
  ["our own Origin", [HOST, "Origin: http://127.0.0.1:P"]],
  ["our own Origin in upper case", [HOST, "Origin: HTTP://LocalHost:P"]],
  ["the pages' own fetch", [HOST, "Origin: http://127.0.0.1:P", "Sec-Fetch-Site: same-origin"]],
  [
    "a request with headers as long as those that are looked at",
    [HOST, "From: a@b.example", "Cookie: a=1", "Accept-Charset: utf-8", "Cache-Control: no-cache"],
  ],
  ["an address typed by hand", [HOST, "Sec-Fetch-Site: none", "Sec-Fetch-Mode: navigate"]],
];

it.each(GOOD)("%s is served", async (_name, headers) => {
  const given = headers.map((header) => header.replaceAll(":P", `:${postern.port}`));
  const response = await sendRaw(
    postern.port,
    request("GET /v1/models HTTP/1.1", [...given, `Authorization: Bearer ${KEY}`]),
  );
  expect(response.status).toBe(200);
});

it("another site may link to the pages, but not to anything else", async () => {
  const headers = [`Host: 127.0.0.1:${postern.port}`, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"];
  expect((await sendRaw(postern.port, request("GET / HTTP/1.1", headers))).status).toBe(404);
  expect((await sendRaw(postern.port, request("GET /health HTTP/1.1", headers))).status).toBe(403);
  expect((await sendRaw(postern.port, request("POST / HTTP/1.1", headers))).status).toBe(403);
});

it("allows no page of another site to read anything: no CORS headers, preflights refused", async () => {
  const body = await fetch(`${postern.url}/v1/chat/completions`, {
    method: "OPTIONS",
    headers: { origin: "https://evil.example", "access-control-request-method": "POST" },
  });
  expect(body.status).toBe(403);
  const good = await fetch(`${postern.url}/health`);
  for (const response of [body, good]) {
    expect([...response.headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
  }
});

it("is not misled by hop headers that name another host", async () => {
  const headers = [
    HOST.replace("P", String(postern.port)),
    "X-Forwarded-Host: evil.example",
    "Forwarded: host=evil.example",
  ];
  expect((await sendRaw(postern.port, request("GET /health HTTP/1.1", headers))).status).toBe(200);
  const foreign = ["Host: evil.example", `X-Forwarded-Host: 127.0.0.1:${postern.port}`];
  expect((await sendRaw(postern.port, request("GET /health HTTP/1.1", foreign))).status).toBe(403);
});

it("keeps a refused connection usable", async () => {
  const socket = await open(postern.port);
  const good = request("GET /health HTTP/1.1", [`Host: 127.0.0.1:${postern.port}`, "Connection: close"]);
  socket.write(request("GET /health HTTP/1.1", ["Host: evil.example"]) + good);
  let text = "";
  for await (const chunk of socket) text += String(chunk);
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 403", "HTTP/1.1 200"]);
});

it("knows the names that a server may be addressed by", () => {
  const loopback = ["127.0.0.1", "localhost", "[::1]"];
  const { hosts, origins } = getAddress("127.0.0.1", 6174);
  expect([...hosts]).toEqual([...loopback.map((name) => `${name}:6174`), ...loopback]);
  expect([...origins]).toEqual(loopback.map((name) => `http://${name}:6174`));
  expect(getAddress("192.168.7.5", 80).hosts.has("192.168.7.5")).toBe(true);
  expect(getAddress("fd00::7", 6174).hosts.has("[fd00::7]:6174")).toBe(true);
  expect(getAddress("0.0.0.0", 6174).hosts.has("0.0.0.0:6174")).toBe(false);
});

it.each([
  ["studio", ["studio", "studio.local"]],
  ["Annas-MacBook.local", ["annas-macbook.local"]],
  ["nas.home.arpa", ["nas.home.arpa", "nas.local"]],
  ["ip-10-0-0-1.ec2.internal.", ["ip-10-0-0-1.ec2.internal", "ip-10-0-0-1.local"]],
  ["box_1", []],
  ["", []],
  ["192.168.1.5", []],
  ["-evil", []],
  ["a b", []],
  ["a:80", []],
  ["x@y", []],
])("a machine that is called %j is known as %j", (own, names) => {
  expect(createNamesOfMachine(own)).toEqual(names);
});

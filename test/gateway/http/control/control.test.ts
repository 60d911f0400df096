import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { CONTROL_EVENTS_PATH } from "../../../../gateway/contract/control-paths.ts";
import { controlOperations } from "../../../../gateway/contract/control.ts";
import { gatewayEventSchema } from "../../../../gateway/contract/events.ts";
import { instanceProof, tokenDigest } from "../../../../gateway/store/disk/instance.ts";
import { KEY, errorOf } from "../../../support/running-gateway.ts";
import { useGateway, useProvider } from "../../../support/use-gateway.ts";

const provider = useProvider();
let bearer: string;
const postern = useGateway(() => ({ provider }));
beforeAll(async () => {
  bearer = await postern.signIn();
});

const OPERATIONS = Object.entries(controlOperations).map(([name, { method, path }]) => ({
  name,
  method,
  path: path.replace(":id", "some-id"),
}));
const GUARDED = [
  ...OPERATIONS.filter(({ name }) => name !== "openSession"),
  { name: "events", method: "GET", path: CONTROL_EVENTS_PATH },
];

it.each(GUARDED)("$name refuses local keys and strangers", async ({ method, path }) => {
  for (const authorization of [undefined, `Bearer ${KEY}`, "Bearer ", "Basic abc"]) {
    const response = await fetch(postern.url + path, {
      method,
      ...(authorization === undefined ? {} : { headers: { authorization } }),
    });
    expect(response.status).toBe(401);
    expect((await errorOf(response)).code).toBe("invalid_control_token");
  }
});

it("takes a page token once", async () => {
  const token = new URL(postern.gateway.ui).hash.replace("#token=", "");
  const exchange = () =>
    fetch(`${postern.url}/control/session`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token }),
    });
  const first = await exchange();
  expect(first.status).toBe(200);
  expect(first.headers.get("set-cookie")).toBeNull();
  expect((await exchange()).status).toBe(401);
  const { bearer: mine } = (await first.json()) as { bearer: string };
  const state = await fetch(`${postern.url}/control/state`, { headers: { authorization: `Bearer ${mine}` } });
  expect(state.status).toBe(200);
  expect(state.headers.get("cache-control")).toBe("no-store");
});

it("takes no page token of another gateway, no bearer in the query, and no bearer on /v1", async () => {
  expect((await fetch(`${postern.url}/control/state?token=${bearer}`)).status).toBe(401);
  expect((await fetch(`${postern.url}/v1/models`, { headers: { authorization: `Bearer ${bearer}` } })).status).toBe(
    401,
  );
});

it("takes the token of the folder, which only its owner can read", async () => {
  const files = await readFile(join(postern.dataDir, "control.token"), "utf8");
  const response = await fetch(`${postern.url}/control/state`, {
    headers: { authorization: `Bearer ${files.trim()}` },
  });
  expect(response.status).toBe(200);
});

it("proves that it holds the folder's token to regardless of who asks, for a nonce of theirs", async () => {
  const token = (await readFile(join(postern.dataDir, "control.token"), "utf8")).trim();
  const nonce = "nonce-of-sixteen-or-more";
  const ask = (query: string): Promise<Response> => fetch(`${postern.url}/control/proof${query}`);
  const response = await ask(`?nonce=${nonce}`);
  expect(await response.json()).toEqual({ proof: instanceProof(tokenDigest(token), postern.url, nonce) });
  expect(response.headers.get("cache-control")).toBe("no-store");
  for (const query of [
    "",
    "?nonce=short",
    `?nonce=${"x".repeat(201)}`,
    "?nonce=with%20blanks%20in%20it",
    `?nonce=${nonce}&nonce=${nonce}`,
  ])
    expect((await ask(query)).status).toBe(400);
});

const post = (path: string, body: string, type: string | null): Promise<Response> =>
  fetch(postern.url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${bearer}`, ...(type === null ? {} : { "content-type": type }) },
    body: new TextEncoder().encode(body),
  });

it.each([["text/plain"], ["application/x-www-form-urlencoded"], ["multipart/form-data; boundary=x"], [null]])(
  "refuses a body of type %s, which a web form could send",
  async (type) => {
    const response = await post("/control/keys", '{"name":"forged"}', type);
    expect(response.status).toBe(415);
    expect((await errorOf(response)).code).toBe("unsupported_media_type");
  },
);

it("refuses bodies above 1 MB, broken ones, and unknown or wrong fields", async () => {
  const json = "application/json";
  const cases: readonly (readonly [string, number, string | null])[] = [
    [JSON.stringify({ name: "x".repeat(1_100_000) }), 413, "request_too_large"],
    ["{", 400, "invalid_json"],
    ['"text"', 400, "invalid_json"],
    ["{}", 400, null],
    ['{"name":"a","surprise":1}', 400, null],
    ['{"name":"a","limit_usd":-1}', 400, null],
    ['{"name":"a","limit_usd":1e300}', 400, null],
    ['{"name":"a","limit_usd":9000001}', 400, null],
    ['{"name":"a","reset":"hourly"}', 400, null],
    ['{"name":"a","models":"gpt-4.1"}', 400, null],
    ['{"name":"a","rpm":0.5}', 400, null],
    ['{"name":""}', 400, null],
    ['{"name":"a","__proto__":{"polluted":true}}', 400, null],
  ];
  for (const [body, status, code] of cases) {
    const response = await post("/control/keys", body, json);
    expect(`${body.slice(0, 40)} ${response.status}`).toBe(`${body.slice(0, 40)} ${status}`);
    const error = await errorOf(response);
    if (code !== null) expect(error.code).toBe(code);
  }
  expect((await postern.ask<{ data: unknown[] }>("GET", "/keys")).data).toHaveLength(2);
});

it("knows no other paths and no other methods", async () => {
  for (const [method, path] of [
    ["GET", "/none"],
    ["PUT", "/keys"],
    ["GET", ""],
    ["POST", "/state"],
  ] as const) {
    expect((await postern.control(method, path)).status).toBe(404);
  }
  for (const path of ["/keys/none", "/connections/none"]) {
    expect((await postern.control("DELETE", path)).status).toBe(404);
    expect((await postern.control("PATCH", path, {})).status).toBe(404);
  }
});

it("makes, limits, changes and revokes a key, and shows the secret once", async () => {
  const made = await postern.ask<{ key: { id: string; hint: string }; secret: string }>("POST", "/keys", {
    name: "editor",
    models: ["gpt-*"],
    limit_usd: 2,
    reset: "daily",
    rpm: 60,
    concurrency: 4,
    hosted_tools: true,
  });
  expect(made.secret).toMatch(/^sk-[0-9A-Za-z]{48}$/);
  expect(JSON.stringify(made.key)).not.toContain(made.secret);
  const changed = await postern.ask<{ limit_usd: number; rpm: null }>("PATCH", `/keys/${made.key.id}`, {
    limit_usd: 0.5,
    rpm: null,
    stored_objects: false,
  });
  expect(changed).toMatchObject({
    name: "editor",
    limit_usd: 0.5,
    rpm: null,
    concurrency: 4,
    hosted_tools: true,
    stored_objects: false,
    reset: "daily",
    state: "active",
  });
  await postern.ask("DELETE", `/keys/${made.key.id}`);
  expect((await postern.chat({ model: "gpt-4.1", messages: [] }, made.secret)).status).toBe(401);
});

it("never shows a provider key again, and names no connection twice", async () => {
  const input = {
    provider: "openai-compatible",
    name: "Mine",
    base_url: provider.baseUrl,
    keys: ["very-secret-provider-key"],
  };
  const connection = await postern.ask<{ id: string }>("POST", "/connections", input);
  const everything = await (await postern.control("GET", "/connections")).text();
  expect(everything).toContain("Mine");
  expect(everything).not.toContain("very-secret-provider-key");
  expect(everything).not.toContain("sk-provider-key-0001");
  expect((await postern.control("POST", "/connections", { ...input, name: "mine" })).status).toBe(409);
  for (const base_url of [
    "ftp://x",
    "http://169.254.169.254/v1",
    "http://user:pw@host/v1",
    "http://host/v1?x=1",
    "nonsense://",
    "http://[fe80::1]/",
  ]) {
    expect((await postern.control("POST", "/connections", { ...input, name: base_url, base_url })).status).toBe(400);
  }
  await postern.ask("DELETE", `/connections/${connection.id}`);
  expect((await postern.control("DELETE", "/connections/env_openai")).status).toBe(409);
});

it("tells a page what happens while it happens", async () => {
  const leaving = new AbortController();
  const response = await fetch(`${postern.url}${CONTROL_EVENTS_PATH}`, {
    headers: { authorization: `Bearer ${bearer}` },
    signal: leaving.signal,
  });
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  let text = "";
  const settled = (async () => {
    for await (const part of response.body ?? []) {
      text += Buffer.from(part as Uint8Array).toString("utf8");
      if (text.includes("request.settled")) return;
    }
  })();
  await (await postern.chat()).arrayBuffer();
  await settled;
  leaving.abort();
  const frames = text.split("\n\n").filter((frame) => frame.startsWith("data: "));
  for (const frame of frames) gatewayEventSchema.parse(JSON.parse(frame.slice("data: ".length)));
});

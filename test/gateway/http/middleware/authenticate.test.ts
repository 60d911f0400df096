import { afterAll, beforeAll, expect, it } from "vitest";
import { contentFrame, endlessStream } from "../../../support/acts.ts";
import { startProvider, type MockProvider } from "../../../support/mock-provider.ts";
import { CHAT, KEY, errorOf, startGateway, until, type TestGateway } from "../../../support/running-gateway.ts";
import { TestClock } from "../../../support/test-clock.ts";

const OTHER = "sk-test-other-key-of-00002";
const EXPIRED = "sk-test-expired-key-0003";
const clock = new TestClock();
const logged: string[] = [];
let provider: MockProvider;
let postern: TestGateway;

beforeAll(async () => {
  provider = await startProvider();
  postern = await startGateway({
    provider,
    clock,
    logged,
    keys: [
      { key: OTHER, name: "other" },
      { key: EXPIRED, name: "expired", expires_at: Date.now() - 1_000 },
    ],
  });
});
afterAll(async () => {
  await postern.close();
  await provider.close();
});

const MODELS = "/v1/models";
const CHATS = "/v1/chat/completions";

const table: readonly (readonly [string, string, Record<string, string>, number, string | null])[] = [
  ["a bearer", MODELS, { authorization: `Bearer ${KEY}` }, 200, null],
  ["a bearer in lower case", MODELS, { authorization: `bearer ${KEY}` }, 200, null],
  ["a bearer in upper case with two spaces", MODELS, { authorization: `BEARER  ${KEY}` }, 200, null],
  ...[`"${KEY}"`, `Bearer ${KEY}`, `${KEY}\u00A0`, `\u00E2\u0080\u008B${KEY}`, `\u00EF\u00BB\u00BF'${KEY}'`].map(
    (given): (typeof table)[number] => [
      `${JSON.stringify(given)} as a bearer`,
      CHATS,
      { authorization: `Bearer ${given}` },
      200,
      null,
    ],
  ),
  [
    "quotes in x-api-key, next to a bearer",
    MODELS,
    { authorization: `Bearer ${KEY}`, "x-api-key": `"${KEY}"` },
    200,
    null,
  ],
  ["x-api-key on the model list", MODELS, { "x-api-key": KEY }, 200, null],
  ["x-api-key on one model", `${MODELS}/gpt-4.1`, { "x-api-key": KEY }, 200, null],
  ["both, the same", MODELS, { authorization: `Bearer ${KEY}`, "x-api-key": KEY }, 200, null],
  ["a query that holds no key", `${MODELS}?beta=true&limit=3`, { authorization: `Bearer ${KEY}` }, 200, null],
  [
    "both, two good keys",
    MODELS,
    { authorization: `Bearer ${KEY}`, "x-api-key": OTHER },
    400,
    "conflicting_credentials",
  ],
  [
    "both, one of them wrong",
    CHATS,
    { authorization: `Bearer ${KEY}`, "x-api-key": "sk-no" },
    400,
    "conflicting_credentials",
  ],
  ["nothing", MODELS, {}, 401, "invalid_api_key"],
  ["an unknown key", MODELS, { authorization: "Bearer sk-unknown" }, 401, "invalid_api_key"],
  ["the scheme alone", MODELS, { authorization: "Bearer" }, 401, "invalid_api_key"],
  ["an empty key", MODELS, { authorization: "Bearer  " }, 401, "invalid_api_key"],
  [
    "another scheme",
    MODELS,
    { authorization: `Basic ${Buffer.from(`:${KEY}`).toString("base64")}` },
    401,
    "invalid_api_key",
  ],
  ["the key without a scheme", MODELS, { authorization: KEY }, 401, "invalid_api_key"],
  ["x-api-key where only a bearer is taken", CHATS, { "x-api-key": KEY }, 401, "invalid_api_key"],
  [
    "a key that is longer than any",
    MODELS,
    { authorization: `Bearer ${"sk-".padEnd(8_000, "x")}` },
    401,
    "invalid_api_key",
  ],
  ["the digest instead of the key", MODELS, { authorization: `Bearer ${"a".repeat(64)}` }, 401, "invalid_api_key"],
  ["an expired key", MODELS, { authorization: `Bearer ${EXPIRED}` }, 401, "key_expired"],
  ["a key in the query alone", `${MODELS}?key=${KEY}`, {}, 401, "invalid_api_key"],
  ...["key", "api_key", "apikey", "api-key", "token", "access_token"].map((name): (typeof table)[number] => [
    `the parameter ${name} beside a good header`,
    `${MODELS}?${name}=x`,
    { authorization: `Bearer ${KEY}` },
    401,
    "invalid_api_key",
  ]),
  [
    "something like a key in any parameter",
    `${MODELS}?x=sk-abc`,
    { authorization: `Bearer ${KEY}` },
    401,
    "invalid_api_key",
  ],
  [
    "a key in a parameter that is given twice",
    `${MODELS}?x=1&x=${KEY}`,
    { authorization: `Bearer ${KEY}` },
    401,
    "invalid_api_key",
  ],
  ["an encoded key parameter", `${MODELS}?%6bey=1`, { authorization: `Bearer ${KEY}` }, 401, "invalid_api_key"],
];

it.each(table)("%s", async (_name, path, headers, status, code) => {
  const post = path === CHATS;
  const response = await fetch(postern.url + path, {
    method: post ? "POST" : "GET",
    headers: { ...headers, ...(post ? { "content-type": "application/json" } : {}) },
    ...(post ? { body: JSON.stringify(CHAT) } : {}),
  });
  expect(response.status).toBe(status);
  expect(response.headers.get("x-request-id")).toMatch(/^req_/);
  expect(response.headers.get("www-authenticate")).toBe(status === 401 ? "Bearer" : null);
  if (code !== null) expect((await errorOf(response)).code).toBe(code);
});

it("asks for a key on every route of /v1, known or not, with any method", async () => {
  const routes = [
    MODELS,
    `${MODELS}/x`,
    "/v1",
    "/v1/",
    "/v1/nothing",
    "/v1/dashboard/billing/usage",
    "/v1/dashboard/billing/subscription",
    CHATS,
  ];
  for (const route of routes) {
    for (const method of ["GET", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "HEAD"]) {
      const response = await fetch(postern.url + route, { method });
      expect(`${method} ${route} ${response.status}`).toBe(`${method} ${route} 401`);
      await response.arrayBuffer();
    }
  }
});

it("refuses a key before it looks at the body", async () => {
  const response = await postern.chat("{ not json", "sk-unknown");
  expect(response.status).toBe(401);
});

it("refuses a key from the moment on at which it expires", async () => {
  const { secret } = await postern.ask<{ secret: string }>("POST", "/keys", {
    name: "short",
    expires_at: clock.now() + 60_000,
  });
  expect((await postern.chat(CHAT, secret)).status).toBe(200);
  clock.advance(60_001);
  expect((await errorOf(await postern.chat(CHAT, secret))).code).toBe("key_expired");
});

it("tells neither the key nor its digest in any response or log line", async () => {
  const { secret } = await postern.ask<{ secret: string }>("POST", "/keys", { name: "logged" });
  const responses = [
    await (await postern.chat(CHAT, secret)).text(),
    await (await postern.chat(CHAT, `${secret}x`)).text(),
    await (await fetch(`${postern.url}/v1/models?key=${secret}`)).text(),
    await (await postern.chat({ ...CHAT, model: secret }, secret)).text(),
    await (await postern.control("GET", "/keys")).text(),
  ];
  expect(responses.join("\n")).not.toContain(secret);
  await until(() => logged.join("\n").includes('"event":"request"'));
  expect(logged.join("\n")).not.toContain(secret);
});

it("does not let one client's wrong keys fill the log or lock it out", async () => {
  logged.length = 0;
  for (let i = 0; i < 60; i++) await (await postern.chat(CHAT, "sk-unknown")).arrayBuffer();
  expect((await postern.chat()).status).toBe(200);
  await until(() => logged.some((line) => line.includes('"status":200')));
  expect(logged.filter((line) => line.includes('"status":401')).length).toBeLessThanOrEqual(20);
});

it.each([
  ["revoked", "invalid_api_key"],
  ["disabled", "key_disabled"],
  ["expired", "key_expired"],
])("ends the running stream of a key that is %s in-band", async (how, code) => {
  const { secret, key } = await postern.ask<{ secret: string; key: { id: string } }>("POST", "/keys", { name: how });
  provider.next(endlessStream(contentFrame("word "), 5));
  const response = await postern.chat({ ...CHAT, stream: true }, secret);
  const read = response.text();
  const { aborted } = provider.last;
  if (how === "revoked") await postern.ask("DELETE", `/keys/${key.id}`);
  else
    await postern.ask(
      "PATCH",
      `/keys/${key.id}`,
      how === "disabled" ? { disabled: true } : { expires_at: clock.now() },
    );
  // The provider's stream has no end.
  const text = await read;
  expect(await aborted).toBeGreaterThan(0);
  expect(text).not.toContain("[DONE]");
  const last = text.trimEnd().split("\n\n").at(-1) ?? "";
  expect((JSON.parse(last.slice("data: ".length)) as { error: { code: string } }).error.code).toBe(code);
  const receipt = await postern.receipt();
  expect(receipt).toMatchObject({ outcome: "interrupted", code, estimated: true });
  expect(receipt.nano).toBeGreaterThan(0);
  expect((await errorOf(await postern.chat(CHAT, secret))).code).toBe(code);
});

it("logs what clients ask for and what fails, not what the pages read", async () => {
  logged.length = 0;
  await (await postern.control("GET", "/state")).arrayBuffer();
  await (await fetch(`${postern.url}/assets/gone-00000000.js`)).arrayBuffer();
  await postern.ask("POST", "/keys", { name: "written" });
  const lines = () =>
    logged.flatMap((line) => /"method":"(\w+)","path":"([^"]+)"/.exec(line)?.slice(1).join(" ") ?? []);
  await until(() => lines().includes("POST /control/keys"));
  expect(lines()).toContain("GET /assets/gone-00000000.js");
  expect(lines()).not.toContain("GET /control/state");
});

import { describe, expect, it, vi } from "vitest";
import { controlOperations } from "../../../gateway/contract/control.ts";
import { ControlError, createControlClient, getRequest, UnreachableError } from "../../../renderer/api/client.ts";

interface Sent {
  readonly path: unknown;
  readonly init: RequestInit;
}

function clientAnswering(response: () => Response | Promise<Response>, bearer: string | null = "bearer-1") {
  const sent: Sent[] = [];
  const onUnauthorized = vi.fn<() => void>();
  const client = createControlClient({
    bearer: () => bearer,
    onUnauthorized,
    fetch: async (path, init) => {
      sent.push({ path, init: init ?? {} });
      return response();
    },
  });
  return { client, sent, onUnauthorized };
}

const json = (body: unknown, status = 200): Response => new Response(JSON.stringify(body), { status });
const refusal = (status: number, message: string, param: string | null = null): Response =>
  json({ error: { message, type: "invalid_request_error", param, code: "invalid_value" } }, status);

describe("where an operation goes", () => {
  it.each([
    ["state", {}, undefined, "/control/state", { method: "GET" }],
    ["usage", { by: "model", since: undefined }, undefined, "/control/usage?by=model", { method: "GET" }],
    ["listRequests", { limit: 50, key: "a b" }, undefined, "/control/requests?limit=50&key=a+b", { method: "GET" }],
    ["revokeKey", {}, "a/b", "/control/keys/a%2Fb", { method: "DELETE" }],
    ["updateKey", { disabled: true }, "k1", "/control/keys/k1", { method: "PATCH", body: '{"disabled":true}' }],
    ["testConnection", {}, "c1", "/control/connections/c1/test", { method: "POST", body: "{}" }],
  ] as const)("%s", (name, input, id, path, init) => {
    expect(getRequest(name, controlOperations[name], input, id)).toEqual({ path, init });
  });

  it("is refused without the id that it needs", () => {
    expect(() => getRequest("revokeKey", controlOperations.revokeKey, {})).toThrow(TypeError);
  });
});

it("sends the bearer and reads the response by its schema", async () => {
  const { client, sent } = clientAnswering(() => json({ data: [] }));
  expect(await client.call("listKeys")).toEqual({ data: [] });
  expect(sent[0]?.init.headers).toMatchObject({ authorization: "Bearer bearer-1" });
  expect(sent[0]?.init.cache).toBe("no-store");
});

it("sends no bearer before there is one", async () => {
  const { client, sent } = clientAnswering(() => json({ bearer: "b" }), null);
  await client.call("openSession", { token: "t" });
  expect(sent[0]?.init.headers).not.toHaveProperty("authorization");
});

it("says what the gateway said, with the field at fault", async () => {
  const { client } = clientAnswering(() => refusal(400, "The name is too long.", "name"));
  await expect(client.call("createKey", { name: "x" })).rejects.toMatchObject({
    name: "ControlError",
    message: "The name is too long.",
    status: 400,
    param: "name",
  });
});

it("reports a refused bearer once, and a wrong token not as one", async () => {
  const refused = clientAnswering(() => refusal(401, "The session has ended."));
  await expect(refused.client.call("state")).rejects.toThrow("The session has ended.");
  expect(refused.onUnauthorized).toHaveBeenCalledOnce();
  const wrongToken = clientAnswering(() => refusal(401, "The token was used."), null);
  await expect(wrongToken.client.call("openSession", { token: "t" })).rejects.toThrow(ControlError);
  expect(wrongToken.onUnauthorized).not.toHaveBeenCalled();
});

it.each([
  ["HTML", () => new Response("<h1>502</h1>", { status: 502 })],
  ["nothing", () => new Response(null, { status: 503 })],
])("makes a sentence of an error that is %s", async (_what, response) => {
  const { client } = clientAnswering(response);
  await expect(client.call("state")).rejects.toThrow(/Postern answered with status 50/);
});

it("does not pass on a response that is not what was promised", async () => {
  const { client } = clientAnswering(() => json({ data: [{ id: 7 }] }));
  await expect(client.call("listKeys")).rejects.toMatchObject({ code: "unexpected_answer" });
});

it("tells silence from refusal", async () => {
  const { client } = clientAnswering(() => Promise.reject(new TypeError("Failed to fetch")));
  await expect(client.call("state")).rejects.toThrow(UnreachableError);
});

it("gives a request up with the signal of who waits for it", async () => {
  const { client, sent } = clientAnswering(() => json({ data: [] }));
  const { signal } = new AbortController();
  await client.call("listKeys", {}, undefined, signal);
  expect(sent[0]?.init.signal).toBe(signal);
});

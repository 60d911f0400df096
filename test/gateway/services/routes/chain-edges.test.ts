import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { KeyView } from "../../../../gateway/contract/key.ts";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";
import type { SetRoute } from "../../../../gateway/contract/routes.ts";
import { KEY, until, providersAt } from "../../../support/running-gateway.ts";
import { TestClock } from "../../../support/test-clock.ts";
import { reply, replyEvents, type WireAct } from "../../../support/wire-provider.ts";
import { completionBody } from "../../../support/acts.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

/** What happens to a call while it is on its way along a chain. */
const clock = new TestClock();
const anthropic = useWire();
const house = useWire();

const HOUSE = ["house-1", "house-2", "house-3"];
const modelOf = ({ json }: { readonly json: unknown }): string => (json as { model: string }).model;
const requests = (): readonly string[] => [...anthropic.seen, ...house.seen].map(modelOf);
const says: WireAct = (seen, outgoing) => reply(200, completionBody(`I am ${modelOf(seen)}`))(seen, outgoing);
const breaksOff: WireAct = (_seen, outgoing) => void outgoing.destroy();
const fails: WireAct = reply(503, { error: { message: "down", type: "server_error", code: null } });
/** The house fails at these models. */
const failing =
  (...models: readonly string[]): WireAct =>
  (seen, outgoing) =>
    (models.includes(modelOf(seen)) ? fails : says)(seen, outgoing);
const houseDoes = (...acts: readonly WireAct[]): unknown => house.on("POST /v1/chat/completions", ...acts);

const setRoute = (route: Partial<SetRoute>): Promise<unknown> =>
  postern.ask("POST", "/routes", { name: "work", order: "listed", sticky: false, rules: [], models: HOUSE, ...route });
const messages = [{ role: "user", content: "Say who you are." }];
async function ask(more: object = {}, key = KEY, headers: Record<string, string> = {}): Promise<string> {
  return (await postern.post("/chat/completions", { model: "work", messages, ...more }, key, headers)).text();
}
const passed = ({ route }: Receipt): readonly string[] =>
  route?.passed.map(({ model, reason }) => `${model} ${reason}`) ?? [];

beforeAll(() => {
  const data = HOUSE.map((id) => ({ id, object: "model" }));
  house.on("GET /v1/models", reply(200, { object: "list", data }));
});
const postern = useGateway(() => ({
  clock,
  env: {
    ...providersAt({ ANTHROPIC: anthropic.origin }),
    POSTERN_COMPATIBLE_BASE_URL: `${house.origin}/v1`,
    POSTERN_SANDBOX: "on",
  },
}));
beforeEach(() => {
  for (const provider of [anthropic, house]) provider.seen.length = 0;
  houseDoes(says);
});
afterEach(() => clock.advance(10 * 60_000));

it("does not blame a model for the time that others took to fail", async () => {
  await setRoute({ order: "fastest", models: ["house-1", "house-2"] });
  houseDoes((seen, outgoing) => {
    clock.advance(modelOf(seen) === "house-1" ? 30_000 : 1_000);
    return failing("house-1")(seen, outgoing);
  });
  expect(await ask()).toContain("house-2");
  const receipt = await postern.receipt();
  expect(receipt.attempts).toBe(2);
  expect(receipt.wait_ms).toBeGreaterThanOrEqual(30_000);
  clock.advance(10 * 60_000);
  houseDoes((seen, outgoing) => {
    clock.advance(10_000);
    return says(seen, outgoing);
  });
  expect(await ask()).toContain("house-1");
  expect(await ask()).toContain("house-2");
});

it("counts for the month what a provider may bill, though the sandbox responded", async () => {
  anthropic.on("POST /v1/messages", breaksOff);
  await setRoute({ models: ["claude-sonnet-5-5", "gpt-4.1"] });
  // The sandbox starts with the first call to it.
  await ask({ model: "gpt-4.1" });
  const before = postern.gateway.state().month.nano;
  await ask();
  const receipt = await postern.receipt();
  expect(receipt).toMatchObject({ model: "gpt-4.1", provider: "sandbox", outcome: "completed" });
  expect(receipt.route?.passed[0]?.nano).toBeGreaterThan(0);
  expect(postern.gateway.state().month.nano - before).toBeGreaterThanOrEqual(receipt.route?.passed[0]?.nano ?? 0);
});

it("returns a session to its model when that is healthy again, although a rule takes some of its requests elsewhere", async () => {
  const rule = { when: { input_tokens_above: 1_000 }, models: ["house-3", "house-2"], enabled: true };
  await setRoute({ sticky: true, models: ["house-1", "house-2", "house-3"], rules: [rule] });
  const session = { "x-claude-code-session-id": "11111111-2222-4333-8444-555555555555" };
  const long = { messages: [{ role: "user", content: "several words of it ".repeat(1_000) }] };
  houseDoes(failing("house-1"));
  expect(await ask({}, KEY, session)).toContain("house-2");
  clock.advance(10 * 60_000);
  houseDoes(says);
  expect(await ask(long, KEY, session)).toContain("house-3");
  expect(await ask({}, KEY, session)).toContain("house-1");
  expect(await ask(long, KEY, session)).toContain("house-3");
});

it("takes an unpriced server on this machine as free where the cheapest is asked", async () => {
  await setRoute({ order: "cheapest", models: ["claude-haiku-4-5", "house-1"] });
  expect(await ask()).toContain("house-1");
});

it("asks a model once that is in a chain by several names", async () => {
  await setRoute({ models: ["house-1", "the-house", "house-2"] });
  // When the route was made, no one knew what that would be.
  await postern.ask("POST", "/models/alias", { name: "the-house", model: "house-1" });
  houseDoes(failing("house-1"));
  expect(await ask()).toContain("house-2");
  expect(requests()).toEqual(["house-1", "house-2"]);
  expect(passed(await postern.receipt())).toEqual(["house-1 failed"]);
});

it("sends no other request for a key that was revoked meanwhile", async () => {
  await setRoute({});
  const { secret, key } = await postern.ask<{ secret: string; key: KeyView }>("POST", "/keys", { name: "brief" });
  houseDoes(async (seen, outgoing) => {
    await (await postern.control("DELETE", `/keys/${key.id}`)).text();
    return fails(seen, outgoing);
  });
  expect(await ask({}, secret)).toContain("revoked");
  expect(requests()).toEqual(["house-1"]);
  expect(await postern.receipt()).toMatchObject({ status: 401, outcome: "failed" });
});

describe.each([
  ["/chat/completions", { messages }, '"error"'],
  ["/messages", { messages, max_tokens: 100 }, "event: error"],
  ["/responses", { input: "Say who you are." }, "event: error"],
] as const)("%s, whose status was sent while a model was silent", (path, body, mark) => {
  /** What the house does after that. */
  let later: readonly WireAct[] = [];
  /** Its response once the first model has been silent for a while; `go` lets that fail. */
  async function silent(): Promise<{ readonly response: Response; readonly go: () => void }> {
    await setRoute({});
    const gate = Promise.withResolvers<undefined>();
    const rest = house.seen.length;
    houseDoes(
      async (seen, outgoing) => {
        await gate.promise;
        return fails(seen, outgoing);
      },
      ...later,
    );
    const response = postern.post(path, { model: "work", stream: true, ...body });
    await until(() => house.seen.length > rest);
    clock.advance(16_000);
    return { response: await response, go: () => gate.resolve(undefined) };
  }
  it("streams what the next one says", async () => {
    const chunk = { id: "c", object: "chat.completion.chunk", created: 1, model: "house-2" };
    const event = (delta: object, finish: string | null): string =>
      `data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
    later = [replyEvents(event({ role: "assistant", content: "second" }, null), event({}, "stop"), "data: [DONE]\n\n")];
    const { response, go } = await silent();
    expect(response.status).toBe(200);
    go();
    const text = await response.text();
    expect(text).toContain("second");
    expect(text).not.toContain(mark);
    expect(await postern.receipt()).toMatchObject({ model: "house-2", outcome: "completed", attempts: 2 });
  });

  it("tells the failure of all in the stream", async () => {
    // One says it with a status, the last in its first event.
    later = [fails, replyEvents(`data: ${JSON.stringify({ error: { message: "all is lost", code: 503 } })}\n\n`)];
    const { response, go } = await silent();
    go();
    const text = await response.text();
    expect(text).toContain(mark);
    expect(text).toContain("all is lost");
    expect(text).not.toContain("[DONE]");
    // The last is asked again, as a model without a route is.
    expect([...new Set(requests())]).toEqual(HOUSE);
    expect(passed(await postern.receipt())).toEqual(HOUSE.map((model) => `${model} failed`));
    expect(postern.gateway.state().in_flight).toBe(0);
  });
});

describe("a count of tokens", () => {
  const COUNT = "POST /v1/messages/count_tokens";
  const count = (model: string): Promise<Response> => postern.post("/messages/count_tokens", { model, messages });

  it.each<[string, WireAct]>([
    ["fails", fails],
    ["breaks off", breaksOff],
    ["refuses its key", reply(401, { type: "error", error: { type: "authentication_error", message: "x" } })],
    ["responds with something else", reply(200, {})],
  ])("is made here where the first model of a route %s", async (_how, act) => {
    await setRoute({ models: ["claude-sonnet-5-5", "house-1"] });
    anthropic.on(COUNT, act);
    const response = await count("work");
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ input_tokens: expect.any(Number) });
    expect(anthropic.seen).toHaveLength(1);
  });

  it("tells what is wrong with the request, and what fails without a route", async () => {
    await setRoute({ models: ["claude-sonnet-5-5", "house-1"] });
    const wrong = { type: "error", error: { type: "invalid_request_error", message: "roles must alternate" } };
    anthropic.on(COUNT, reply(400, wrong), fails);
    expect((await count("work")).status).toBe(400);
    expect((await count("claude-sonnet-5-5")).status).toBe(503);
  });
});

it("sends no other request for a client that has left", async () => {
  await setRoute({});
  houseDoes(() => undefined);
  const leaving = new AbortController();
  const response = postern.chat({ model: "work", messages }, KEY, { signal: leaving.signal });
  await until(() => house.seen.length === 1);
  leaving.abort();
  await expect(response).rejects.toThrow("aborted");
  await until(() => postern.gateway.state().in_flight === 0);
  expect(requests()).toEqual(["house-1"]);
  expect(await postern.receipt()).toMatchObject({ outcome: "cancelled", status: 499, model: "house-1" });
});

it("tries a model that may have recovered with one of fifty calls", async () => {
  await setRoute({});
  houseDoes(failing("house-1"));
  for (let i = 0; i < 5; i++) await ask();
  clock.advance(10 * 60_000);
  house.seen.length = 0;
  const texts = await Promise.all(Array.from({ length: 50 }, () => ask()));
  expect(texts.filter((text) => text.includes("house-2"))).toHaveLength(50);
  expect(requests().filter((model) => model === "house-1")).toHaveLength(1);
});

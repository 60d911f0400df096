import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ConnectionView } from "../../../../gateway/contract/connection.ts";
import type { RequestPage } from "../../../../gateway/contract/requests.ts";
import { later, type Later } from "../../../../gateway/lib/later.ts";
import { respond, failure, reset, stream, streamThenCut, completion, hang, when } from "../../../support/acts.ts";
import { startProvider, type Act } from "../../../support/mock-provider.ts";
import { CHAT, errorOf, until } from "../../../support/running-gateway.ts";
import { TestClock } from "../../../support/test-clock.ts";
import { useGateway, useProvider } from "../../../support/use-gateway.ts";

const clock = new TestClock();
/** How long was to be waited before calls were tried again. */
const waits: number[] = [];
const backoff: Later = (ms, work) => {
  waits.push(ms);
  return later(0, work);
};
const FIRST = "sk-provider-first-key";
const SECOND = "sk-provider-second-key";
const provider = useProvider();
const spare = useProvider();
let spareId: string;
/** Two keys of one connection; a second connection that a test may switch on. */
const postern = useGateway(() => ({
  clock,
  backoff,
  provider,
  env: { POSTERN_OPENAI_API_KEY: `${FIRST}, ${SECOND}` },
}));
beforeAll(async () => {
  const created = await postern.ask<ConnectionView>("POST", "/connections", {
    provider: "openai",
    name: "Spare",
    base_url: spare.baseUrl,
    keys: ["sk-spare-key-0001"],
    priority: 900,
  });
  spareId = created.id;
});
const setSpare = (enabled: boolean): Promise<unknown> => postern.ask("PATCH", `/connections/${spareId}`, { enabled });
beforeEach(async () => {
  provider.reset();
  spare.reset();
  await setSpare(false);
  await postern.ask("POST", "/connections/env_openai/test");
});
afterEach(() => clock.advance(10 * 60_000));

const keysUsed = (): string[] => provider.chats.map(({ key }) => key);
const healths = async (): Promise<string[]> => {
  const { data } = await postern.ask<{ data: ConnectionView[] }>("GET", "/connections");
  return data.flatMap(({ id, credentials }) => (id === "env_openai" ? credentials.map(({ state }) => state) : []));
};

describe("the next key is asked", () => {
  it.each([
    ["refuses the key", failure(401, { code: "invalid_api_key" }), "refused"],
    ["forbids the key", failure(403, { code: "unsupported_country_region_territory" }), "refused"],
    [
      "says that the account is empty",
      failure(429, { code: "insufficient_quota", type: "insufficient_quota" }),
      "out_of_credit",
    ],
    ["wants to be paid", failure(402), "out_of_credit"],
    ["is asked too fast", failure(429, { code: "rate_limit_exceeded" }, { "retry-after": "20" }), "cooling"],
    ["fails", failure(500), "ready"],
    ["is overloaded", failure(503, { code: "slow_down" }), "ready"],
  ])("when the provider %s", async (_name, act, state) => {
    provider.next(act);
    const response = await postern.chat();
    expect(response.status).toBe(200);
    expect(keysUsed()).toEqual([FIRST, SECOND]);
    expect(await healths()).toEqual([state, "ready"]);
    const receipts = await postern.receipts(1);
    expect(receipts[0]).toMatchObject({ outcome: "completed", status: 200, code: null });
  });

  it("and the first one is left alone until it may have recovered", async () => {
    provider.next(failure(401, { code: "invalid_api_key" }));
    for (let i = 0; i < 3; i++) await (await postern.chat()).text();
    expect(keysUsed()).toEqual([FIRST, SECOND, SECOND, SECOND]);
    clock.advance(61_000);
    await (await postern.chat()).text();
    expect(keysUsed().at(-1)).toBe(FIRST);
    expect(await healths()).toEqual(["ready", "ready"]);
  });
});

describe("the next connection is asked", () => {
  it.each([
    ["refuses both keys", [failure(401), failure(401)]],
    ["fails with both keys", [failure(500), failure(502)]],
    [
      "answers 200 with an error",
      [respond(200, '{"error":{"message":"x","code":503}}'), respond(200, '{"error":{"message":"x","code":503}}')],
    ],
  ])("when the provider %s", async (_name, acts) => {
    await setSpare(true);
    provider.next(...acts);
    expect((await postern.chat()).status).toBe(200);
    expect([provider.chats.length, spare.chats.length]).toEqual([2, 1]);
    expect((await postern.receipt()).connection).toBe(spareId);
  });

  it("for a stream, as long as nothing of it was passed on", async () => {
    await setSpare(true);
    provider.next(stream(['data: {"error":{"message":"overloaded","code":503}}\n\n']), failure(500));
    spare.next(stream());
    const text = await (await postern.chat({ ...CHAT, stream: true })).text();
    expect(text).toContain("Hello");
    expect(text).not.toContain("overloaded");
    expect([provider.chats.length, spare.chats.length]).toEqual([2, 1]);
  });

  it("and its requests are found by its name, in any case", async () => {
    const found = (q: string) => postern.ask<RequestPage>("GET", `/requests?q=${q}`).then(({ data }) => data);
    await setSpare(true);
    provider.next(failure(401), failure(401));
    await postern.chat();
    const receipt = await postern.receipt();
    expect(receipt.connection).toBe(spareId);
    expect((await found("sPARe"))[0]).toEqual(receipt);
    expect((await found("sPARe")).every(({ connection }) => connection === spareId)).toBe(true);
    expect(await found("nowhere")).toEqual([]);
  });

  it("and when a provider cannot be reached at all", async () => {
    const gone = await startProvider();
    const { id } = await postern.ask<ConnectionView>("POST", "/connections", {
      provider: "openai",
      name: "Gone",
      base_url: gone.baseUrl,
      priority: 0,
    });
    await gone.close();
    try {
      expect((await postern.chat()).status).toBe(200);
    } finally {
      await postern.ask("DELETE", `/connections/${id}`);
    }
  });
});

describe("no one else is asked", () => {
  it.each([
    [
      "a bad request",
      failure(400, { code: "context_length_exceeded", type: "invalid_request_error", param: "messages" }),
      400,
    ],
    ["a refused prompt", failure(400, { code: "content_policy_violation" }), 400],
    ["an unknown model", failure(404, { code: "model_not_found" }), 404],
    ["an unverified organisation", failure(403, { code: "model_not_found" }), 404],
    ["a body that is too large", failure(413), 413],
    ["an unprocessable body", failure(422), 422],
  ])("after %s: it is the client's", async (_name, act, status) => {
    await setSpare(true);
    provider.next(act);
    const response = await postern.chat();
    expect(response.status).toBe(status);
    expect((await errorOf(response)).message).toContain("mock error");
    expect([provider.chats.length, spare.chats.length]).toEqual([1, 0]);
    expect(await healths()).toEqual(["ready", "ready"]);
  });

  it.each([
    ["a reset behind the request", reset],
    ["a cut in the body of the answer", streamThenCut(['{"choices":['])],
    ["an answer that is none", respond(200, "<html>")],
  ])("after %s: it may have been executed", async (_name, act) => {
    await setSpare(true);
    provider.next(act);
    expect((await postern.chat()).status).toBe(502);
    expect([provider.chats.length, spare.chats.length]).toEqual([1, 0]);
  });
});

describe("the same provider is asked again", () => {
  it("but not when that pause is longer than a minute: the client is informed", async () => {
    provider.usual = failure(429, { message: "Slow down.", code: "rate_limit_exceeded" }, { "retry-after": "3600" });
    const response = await postern.chat();
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("3600");
    expect(response.headers.get("x-should-retry")).toBe("false");
    expect(await errorOf(response)).toMatchObject({
      type: "rate_limit_error",
      code: "rate_limit_exceeded",
      message: "Slow down.",
    });
    expect(provider.chats.length).toBeLessThanOrEqual(2);
  });
});

it("a provider key is never a 401 for the client, and its words hold no key", async () => {
  provider.usual = failure(401, { message: `Incorrect API key provided: ${FIRST}.`, code: "invalid_api_key" });
  const response = await postern.chat();
  expect(response.status).toBe(502);
  expect(response.headers.get("x-should-retry")).toBe("false");
  expect(response.headers.get("www-authenticate")).toBeNull();
  const error = await errorOf(response);
  expect(error.code).toBe("vendor_auth");
  expect(error.message).not.toContain(FIRST);
  expect(error.message).not.toContain(SECOND);
  expect(keysUsed()).toEqual([FIRST, SECOND]);
});

it("an empty account is reported as such, not to be tried again", async () => {
  provider.usual = failure(429, { code: "insufficient_quota" });
  const response = await postern.chat();
  expect(response.status).toBe(503);
  expect(response.headers.get("x-should-retry")).toBe("false");
  expect((await errorOf(response)).code).toBe("vendor_out_of_credit");
});

describe("the breaker", () => {
  const open = async (): Promise<void> => {
    provider.usual = failure(500, { message: "a secret of another client" });
    for (let i = 0; i < 4; i++) await (await postern.chat()).text();
    expect(await healths()).toEqual(["open", "open"]);
  };

  it("never refuses the only candidates: the first call after they recovered is answered", async () => {
    await open();
    provider.usual = completion();
    expect((await postern.chat()).status).toBe(200);
  });

  it("lets each call try as often as ever where no one else is left", async () => {
    await open();
    provider.next(failure(503), failure(503));
    provider.usual = completion();
    expect((await postern.chat()).status).toBe(200);
  });

  it("has others asked first while they work, and lets one call at a time probe", async () => {
    await open();
    await setSpare(true);
    const calls = provider.chats.length;
    expect((await postern.chat()).status).toBe(200);
    expect([provider.chats.length - calls, spare.chats.length]).toEqual([0, 1]);
    clock.advance(61_000);
    // Probes end when everybody else has gone to the spare.
    provider.usual = when(
      until(() => spare.chats.length === 1 + 8),
      completion(),
    );
    const responses = await Promise.all(Array.from({ length: 10 }, () => postern.chat()));
    expect(responses.every(({ status }) => status === 200)).toBe(true);
    // One probe for each key.
    expect(provider.chats).toHaveLength(calls + 2);
    expect(await healths()).toEqual(["ready", "ready"]);
  });
});

/** The head of a response and the beginning of its body, or of its stream, and nothing more. */
const halfResponse: Act = ({ outgoing }) => {
  outgoing.writeHead(200, { "content-type": "application/json" }).write('{"choices":[');
};
const halfStream: Act = ({ outgoing }) => {
  outgoing.writeHead(200, { "content-type": "text/event-stream" }).write(": soon\n\n");
};

it.each([
  ["before an answer", hang, false],
  ["while its answer is read", halfResponse, false],
  ["before the first event of its stream", halfStream, true],
] as const)("a probe that its client leaves %s does not keep the breaker open for ever", async (_when, act, stream) => {
  provider.usual = failure(500);
  for (let i = 0; i < 4; i++) await (await postern.chat()).text();
  clock.advance(61_000);
  provider.usual = act;
  const calls = provider.chats.length;
  const leaving = [new AbortController(), new AbortController()];
  const requests = leaving.map(({ signal }) =>
    postern.chat({ ...CHAT, stream }, undefined, { signal }).catch(() => null),
  );
  await provider.arrived(calls + 2);
  for (const controller of leaving) controller.abort();
  await Promise.all(requests);
  provider.usual = completion();
  // Another one answers meanwhile: who is asked says whether the next call may probe.
  await setSpare(true);
  await expect
    .poll(async () => (await postern.chat()).status === 200 && provider.chats.length, { timeout: 10_000 })
    .toBeGreaterThan(calls + 2);
});

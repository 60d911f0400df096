import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ConnectionView } from "../../../../gateway/contract/connection.ts";
import { completion, failure, hang, when } from "../../../support/acts.ts";
import { type Act } from "../../../support/mock-provider.ts";
import { CHAT, until } from "../../../support/running-gateway.ts";
import { TestClock } from "../../../support/test-clock.ts";
import { useGateway, useProvider } from "../../../support/use-gateway.ts";

const clock = new TestClock();
const FIRST = "sk-provider-first-key";
const SECOND = "sk-provider-second-key";
const provider = useProvider();
const spare = useProvider();
let spareId: string;
/** Two keys of one connection; a second connection that a test may switch on. */
const postern = useGateway(() => ({ clock, provider, env: { POSTERN_OPENAI_API_KEY: `${FIRST}, ${SECOND}` } }));
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

const healths = async (): Promise<string[]> => {
  const { data } = await postern.ask<{ data: ConnectionView[] }>("GET", "/connections");
  return data.flatMap(({ id, credentials }) => (id === "env_openai" ? credentials.map(({ state }) => state) : []));
};

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

  it("lets each call try as often as ever where nobody else is left", async () => {
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
  const asked = leaving.map(({ signal }) => postern.chat({ ...CHAT, stream }, undefined, { signal }).catch(() => null));
  await provider.arrived(calls + 2);
  for (const controller of leaving) controller.abort();
  await Promise.all(asked);
  provider.usual = completion();
  // Another one answers meanwhile: who is asked says whether the next call may probe.
  await setSpare(true);
  await expect
    .poll(async () => (await postern.chat()).status === 200 && provider.chats.length, { timeout: 10_000 })
    .toBeGreaterThan(calls + 2);
});

import { beforeEach, describe, expect, it } from "vitest";
import type { RunningPage, RunningRequest } from "../../../../gateway/contract/requests.ts";
import { matchesRunning } from "../../../../gateway/contract/matches-request.ts";
import { RunningCalls } from "../../../../gateway/services/calls/admission.ts";
import { completionText, contentFrame, DONE_FRAME, FINISH_FRAME } from "../../../support/acts.ts";
import { type Act, type Exchange } from "../../../support/mock-provider.ts";
import { CHAT, KEY } from "../../../support/running-gateway.ts";
import { useGateway, useProvider } from "../../../support/use-gateway.ts";

const SECRET = "the words of a prompt";
const request = { ...CHAT, messages: [{ role: "user", content: SECRET }] };
const provider = useProvider();
const postern = useGateway(() => ({ provider }));
beforeEach(() => provider.reset());

/** An act that waits until the test goes on with it. */
function pending(): { readonly act: Act; readonly exchange: Promise<Exchange> } {
  const { promise, resolve } = Promise.withResolvers<Exchange>();
  return { act: resolve, exchange: promise };
}

const running = (query = ""): Promise<RunningPage> => postern.ask<RunningPage>("GET", `/running-requests${query}`);

describe("what runs", () => {
  it("is reported without a word of it, and is over with its receipt", async () => {
    expect(await running()).toEqual({ data: [], total: 0 });
    const { act, exchange } = pending();
    provider.next(act);
    const response = postern.chat(request, KEY, { headers: { "user-agent": "curl/8.0" } });
    const { outgoing } = await exchange;
    const page = await running();
    expect(page).toMatchObject({
      total: 1,
      data: [
        {
          model: "gpt-4.1",
          endpoint: "chat",
          provider: "openai",
          connection: "env_openai",
          state: "waiting",
          stream: false,
          characters: null,
        },
      ],
    });
    expect(JSON.stringify(page)).not.toContain(SECRET);
    const [call] = page.data;
    expect(await running()).toEqual(page);
    outgoing.writeHead(200, { "content-type": "application/json" }).end(completionText());
    await (await response).text();
    expect(await running()).toEqual({ data: [], total: 0 });
    const receipt = await postern.receipt();
    expect(receipt).toMatchObject({ id: call?.id, key: call?.key, client: call?.client });
    expect(Math.abs(receipt.at - receipt.ms - (call?.at ?? 0))).toBeLessThan(50);
  });

  it("answers when the first byte of a stream has come, and counts what has come since", async () => {
    const { act, exchange } = pending();
    provider.next(act);
    const response = postern.chat({ ...request, stream: true });
    const { outgoing } = await exchange;
    outgoing.writeHead(200, { "content-type": "text/event-stream" }).write(contentFrame("Good "));
    const body = (await response).body?.getReader();
    await body?.read();
    expect((await running()).data).toMatchObject([{ state: "answering", stream: true, characters: 5 }]);
    outgoing.end(contentFrame("morning.") + FINISH_FRAME + DONE_FRAME);
    for (let part = await body?.read(); part?.done === false; part = await body?.read());
    expect((await running()).total).toBe(0);
  });

  it("ends when its client leaves, when it fails, and never begins when it is refused", async () => {
    const { act, exchange } = pending();
    provider.next(act);
    const leaving = new AbortController();
    const response = postern.chat(request, KEY, { signal: leaving.signal }).catch(() => null);
    const { seen } = await exchange;
    leaving.abort();
    await response;
    await seen.aborted;
    expect((await postern.chat({ ...request, model: "nobody-has-this" })).status).toBe(404);
    provider.next(({ outgoing }) => void outgoing.writeHead(400, { "content-type": "application/json" }).end("{}"));
    expect((await postern.chat(request)).status).toBe(400);
    expect((await running()).total).toBe(0);
  });

  it("is filtered as the log is", async () => {
    const { act, exchange } = pending();
    provider.next(act);
    const response = postern.chat(request);
    const { outgoing } = await exchange;
    expect((await running("?model=gpt-4.1&provider=openai&connection=env_openai")).total).toBe(1);
    for (const q of ["GPT-4", "openAI", "NODE"]) expect([q, (await running(`?q=${q}`)).total]).toEqual([q, 1]);
    expect((await running("?q=nowhere")).total).toBe(0);
    expect((await running("?model=other")).total).toBe(0);
    expect((await running("?status=2xx")).total).toBe(0);
    expect((await postern.control("GET", "/running-requests?nonsense=1")).status).toBe(400);
    outgoing.writeHead(200, { "content-type": "application/json" }).end(completionText());
    await response;
  });
});

const call = (id: string): RunningRequest => ({
  id,
  at: 1_000,
  key: "key_1",
  endpoint: "chat",
  model: "m",
  provider: "openai",
  connection: "con_1",
  client: "curl",
  stream: true,
  sandbox: false,
  state: "waiting",
  characters: null,
});

describe("a list of what runs", () => {
  it("has the newest 200 and counts them all", () => {
    const calls = new RunningCalls();
    for (let index = 0; index < 500; index += 1) calls.enter({ running: () => ({ ...call(`r${index}`), at: index }) });
    const { data, total } = calls.list({});
    expect(total).toBe(500);
    expect(data).toHaveLength(200);
    expect(data[0]?.id).toBe("r499");
    expect(data.at(-1)?.id).toBe("r300");
  });

  it("takes a call that left twice for one that left", () => {
    const calls = new RunningCalls();
    const one = { running: () => call("one") };
    calls.leave(-1, one);
    const place = calls.enter(one);
    calls.leave(place, one);
    calls.leave(place, one);
    expect(calls.list({}).total).toBe(0);
  });

  it.each([
    [{ key: "key_1" }, true],
    [{ key: "key_2" }, false],
    [{ connection: "con_1" }, true],
    [{ connection: "con_2" }, false],
    [{ client: "curl", endpoint: "chat", q: "req" }, true],
    [{ endpoint: "images" }, false],
    [{ q: "nothing" }, false],
    [{ outcome: "completed" }, false],
    [{ since: 5_000 }, true],
    [{ until: 1_000 }, false],
    [{ until: 1_001 }, true],
  ] as const)("lets in by %o: %s", (filter, expected) => {
    expect(matchesRunning(call("req_1"), filter)).toBe(expected);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { SessionPage, SessionTurn, SessionView } from "../../../../gateway/contract/sessions.ts";
import { completion, completionText, failure, respond } from "../../../support/acts.ts";
import { KEY, startGateway, type TestGateway } from "../../../support/running-gateway.ts";
import { useProvider } from "../../../support/use-gateway.ts";

const provider = useProvider();
let postern: TestGateway;
beforeAll(async () => {
  postern = await startGateway({ provider });
});
beforeEach(() => provider.reset());
afterAll(() => postern.close());

const record = (on: boolean): Promise<unknown> => postern.ask("PATCH", "/settings", { record_bodies: on });
const turn = (id: string): Promise<SessionTurn> => postern.ask("GET", `/requests/${id}/turn`);
const sessions = (query = ""): Promise<SessionPage> => postern.ask("GET", `/sessions${query}`);
const session = (id: string): Promise<SessionView> => postern.ask("GET", `/sessions/${encodeURIComponent(id)}`);
const texts = (parts: SessionTurn["asked"]): string[] =>
  parts.map(({ role, kind, text }) => `${role} ${kind}: ${text}`);

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

const SYSTEM = { role: "system", content: "Working directory: /srv/shop" };
const user = (content: string): object => ({ role: "user", content });
const assistant = (content: string): object => ({ role: "assistant", content });

/** Sends a conversation in a session. @returns the id of the request */
async function send(id: string, messages: readonly object[], { headers = {}, body = {} }: Sent = {}): Promise<string> {
  const request = { model: "gpt-4.1", messages: [SYSTEM, ...messages], ...body };
  const response = await postern.chat(request, KEY, { headers: { "x-postern-session": id, ...headers } });
  await response.text();
  return response.headers.get("x-request-id") ?? "";
}

describe("the list of sessions", () => {
  it("adds up requests as they come, the newest first, and finds by project, app and words", async () => {
    expect(await sessions()).toEqual({ data: [], cursor: null, total: 0, rebuilding: null });
    await send("one", [user("a")]);
    await send("two/2", [user("a")], { headers: { "x-postern-project": "docs", "user-agent": "opencode/1.18.33" } });
    provider.next(failure(400, { message: "no" }));
    await send("one", [user("a"), assistant("b"), user("c")]);
    await send("one", [user("a")], { headers: { "x-postern-agent": "helper" } });
    await postern.chat();
    const { data, total } = await sessions();
    expect([total, data.map(({ id }) => id)]).toEqual([2, ["one", "two/2"]]);
    expect(data[0]).toMatchObject({
      project: "shop",
      models: ["gpt-4.1"],
      agents: 1,
      requests: 3,
      failed: 1,
      unpriced: 0,
      sandbox: 0,
      input_tokens: 20,
      output_tokens: 10,
    });
    expect(data[0]?.cost_nano).toBeGreaterThan(0);
    expect(data[0]?.started_at).toBeLessThanOrEqual(data[0]?.ended_at ?? 0);
    expect(await session("two/2")).toEqual(data[1]);
    const found = async (query: string): Promise<string[]> => (await sessions(query)).data.map(({ id }) => id);
    expect(await found("?project=docs")).toEqual(["two/2"]);
    expect(await found("?client=opencode")).toEqual(["two/2"]);
    expect(await found("?q=SHOP")).toEqual(["one"]);
    expect(await found("?q=nothing")).toEqual([]);
  });

  it("goes on page by page, also while a session gets a request", async () => {
    const first = await sessions("?limit=1");
    expect(first).toMatchObject({ data: [{ id: "one" }], total: 2 });
    await send("one", [user("b")]);
    const second = await sessions(`?limit=1&before=${encodeURIComponent(first.cursor ?? "")}`);
    expect(second).toMatchObject({ data: [{ id: "two/2" }], cursor: null });
    expect((await postern.control("GET", "/sessions?before=x")).status).toBe(400);
    expect((await postern.control("GET", "/sessions/none")).status).toBe(404);
  });

  it("is the same after a restart", async () => {
    const before = await sessions();
    await postern.stop();
    postern = await startGateway({ provider, dataDir: postern.dataDir });
    expect(await sessions()).toEqual(before);
  });
});

describe("a turn", () => {
  it("says that it was not recorded while recording is off", async () => {
    const id = await send("off", [user("a")]);
    expect(await turn(id)).toEqual({
      id,
      recording_on: false,
      recorded: false,
      after: null,
      asked: [],
      repeated: 0,
      more: 0,
      responded: [],
    });
    expect((await postern.control("GET", "/requests/req_none/turn")).status).toBe(404);
  });

  it("says only what was not in the turn before of the same agent, with its calls of tools", async () => {
    await record(true);
    const call = { id: "c1", type: "function", function: { name: "Read", arguments: '{"path":"a"}' } };
    const responded = { role: "assistant", content: null, tool_calls: [call] };
    const body = JSON.parse(completionText()) as { choices: { message: object }[] };
    if (body.choices[0] !== undefined) body.choices[0].message = responded;
    provider.next(respond(200, JSON.stringify(body)));
    const first = await send("turns", [user("Look")]);
    await send("turns", [user("Sub")], { headers: { "x-postern-agent": "helper" } });
    provider.next(completion("Done"));
    const history = [user("Look"), responded, { role: "tool", tool_call_id: "c1", content: "let a" }];
    const second = await send("turns", history);
    const [one, two] = [await turn(first), await turn(second)];
    expect(one.after).toBeNull();
    expect(texts(one.asked)).toEqual(["system text: Working directory: /srv/shop", "user text: Look"]);
    expect(one.responded).toEqual([{ role: "assistant", kind: "call", name: "Read", text: '{"path":"a"}', cut: 0 }]);
    expect(two).toMatchObject({ after: first, repeated: 3, more: 0, recorded: true });
    expect(two.asked).toEqual([{ role: "tool", kind: "result", name: "Read", text: "let a", cut: 0 }]);
    expect(texts(two.responded)).toEqual(["assistant text: Done"]);
  });

  it("says what agents said meanwhile where turns between were not recorded", async () => {
    await send("gap", [user("a")]);
    await record(false);
    await send("gap", [user("a"), assistant("b"), user("c")]);
    await record(true);
    const id = await send("gap", [user("a"), assistant("b"), user("c"), assistant("d"), user("e")]);
    expect(texts((await turn(id)).asked)).toEqual([
      "assistant text: b",
      "user text: c",
      "assistant text: d",
      "user text: e",
    ]);
  });

  it("says why it failed, and of very many parts the last ones", async () => {
    provider.next(failure(400, { message: "too long", code: "context_length_exceeded" }));
    const many = Array.from({ length: 250 }, (_, place) => user(`m${place}`));
    const found = await turn(await send("many", many));
    expect([found.asked.length, found.more, found.asked.at(-1)?.text]).toEqual([200, 51, "m249"]);
    expect(texts(found.responded)).toEqual([expect.stringContaining("assistant error:")]);
  });
});

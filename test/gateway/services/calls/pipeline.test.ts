import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { CallObserver } from "../../../../gateway/services/calls/call-observer.ts";
import { LocalRecipient } from "../../../../gateway/services/calls/local-recipient.ts";
import { chatDialect } from "../../../../gateway/services/chat/dialects/chat.ts";
import { DONE_FRAME, FINISH_FRAME, completionText, contentFrame, usageFrame } from "../../../support/acts.ts";
import { png } from "../../../support/pictures.ts";
import { until, providersAt } from "../../../support/running-gateway.ts";
import { toolStage, type ToolStage } from "../../../support/tool-harness.ts";
import { reply, replyEvents, type WireAct } from "../../../support/wire-provider.ts";
import { useWire } from "../../../support/use-gateway.ts";

const PICTURE = png({ width: 2, height: 2 }).toString("base64");
const ROUTE = "POST /v1/chat/completions";
const wire = useWire();
let stage: ToolStage;
let calls = 0;
beforeAll(async () => {
  stage = await toolStage({ env: providersAt({ OPENAI: `${wire.origin}/v1` }) });
});
afterAll(() => stage.close());

/** A client that keeps what it gets, and that may have left before it is reported so. */
class Client extends LocalRecipient {
  text = "";
  ended = false;
  /** With which of its listeners it is gone; 0: it stays. */
  leavesWith = 0;
  /** Which of its listeners is reported; 0: none. */
  toldWith = 0;
  #listeners = 0;
  override get cancelled(): boolean {
    return super.cancelled || (this.leavesWith > 0 && this.#listeners >= this.leavesWith);
  }
  override onCancelled(listener: (() => void) | null): void {
    super.onCancelled(listener);
    if (listener !== null) this.#listeners += 1;
    if (listener !== null && this.#listeners === this.toldWith) queueMicrotask(listener);
  }
  override write(bytes?: Buffer | string): boolean {
    this.text += String(bytes);
    return true;
  }
  override async end(): Promise<void> {
    await waitTurn();
    this.ended = true;
  }
}

const note = vi.fn<(model: string | null, code: string | null) => void>();
const createInput = (body: object) => ({
  requestId: `req_${(calls += 1)}`,
  arrivedAt: 0,
  key: stage.key(),
  app: "test",
  raw: Buffer.from(JSON.stringify(body)),
  body,
  headers: {},
  note,
  noteProvider: () => undefined,
});
const ask = (stream: boolean, client: Client, more: object = {}): Promise<unknown> => {
  const body = { model: "gpt-4.1", messages: [{ role: "user", content: "x" }], stream, ...more };
  return stage.services.runChat.run(chatDialect, createInput(body), client);
};
const draw = (client: Client): Promise<unknown> =>
  stage.services.runImages.run(createInput({ model: "gpt-image-1", prompt: "x", stream: true }), client);
const createClient = (): Client => new Client(new AbortController().signal);
const readNewest = async () => (await stage.store.usage.list({ limit: 1 })).data[0];
const waitTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const breakOff: WireAct = (_seen, outgoing) => {
  outgoing.writeHead(200, { "content-type": "text/event-stream" }).write(contentFrame("Hi"), () => outgoing.destroy());
};

describe("the receipt is written before", () => {
  const whole = JSON.parse(completionText("Hi")) as unknown;
  const events = replyEvents(contentFrame("Hi"), FINISH_FRAME, usageFrame(), DONE_FRAME);
  it.each<[string, boolean | null, WireAct, string, string | null]>([
    ["the end mark of a stream", true, events, "Hi", "[DONE]"],
    ["the error in a stream", true, breakOff, "Hi", '"error"'],
    [
      "a picture that comes whole in the place of a stream",
      null,
      reply(200, { data: [{ b64_json: PICTURE }] }),
      "",
      "completed",
    ],
    ["a whole response", false, reply(200, whole), "", null],
    ["an error", false, reply(400, { error: { message: "no" } }), "", null],
    ["an error in the place of a stream", true, reply(400, { error: { message: "no" } }), "", null],
  ])("%s is handed out", async (_what, stream, act, before, after) => {
    wire.on(ROUTE, act).on("POST /v1/images/generations", act);
    const disk = Promise.withResolvers<void>();
    const { usage } = stage.store;
    const settle = usage.settle.bind(usage);
    const pending = vi.spyOn(usage, "settle").mockImplementation((receipt) => settle(receipt).then(() => disk.promise));
    const client = createClient();
    const over = vi.fn<(result: unknown) => void>();
    const call = (stream === null ? draw(client) : ask(stream, client)).then(over, over);
    await until(() => pending.mock.calls.length === 1);
    await waitTurn();
    pending.mockRestore();
    expect([client.text.includes("Hi") ? "Hi" : client.text, client.ended, over.mock.calls.length]).toEqual([
      before,
      false,
      0,
    ]);
    if (after !== null) expect(client.text).not.toContain(after);
    disk.resolve();
    await call;
    expect(client.text).toContain(after ?? "");
    expect(client.ended).toBe(after !== null);
    expect(over.mock.calls[0]?.[0]).toBeTypeOf("object");
    expect(over).not.toHaveBeenCalledWith(null);
  });
});

const findHealth = () => stage.services.connections.all()[0]?.credentials[0]?.health;
const FAILED = { kind: "failed", scope: "model", reason: "it broke" } as const;

it("a picture that comes whole in the place of a stream shows that its provider responds", async () => {
  for (let call = 0; call < 4; call += 1) findHealth()?.report("gpt-image-1", FAILED, 0);
  wire.on("POST /v1/images/generations", reply(200, { data: [{ b64_json: PICTURE }] }));
  await draw(createClient());
  expect(findHealth()?.for("gpt-image-1", 0).failures).toBe(0);
  expect((await readNewest())?.first_ms).toBeTypeOf("number");
});

it("an invalid response in the place of a stream is an error of its provider", async () => {
  wire.on("POST /v1/images/generations", reply(200, { data: "none" }));
  await expect(draw(createClient())).rejects.toThrow("OpenAI responded with something");
});

describe("a client that leaves before the first event of a stream", () => {
  it.each<[string, number, number, string, number]>([
    ["is told so", 2, 2, ": soon\n\n", 4],
    ["is gone when the stream breaks off", 2, 0, ": soon\n\n", 4],
    ["is gone when its head has come", 1, 0, ": soon\n\n", 4],
    ["is gone when the first event has come, which does", 2, 0, contentFrame("Hi"), 0],
  ])("says nothing of its provider: %s", async (_what, leavesWith, toldWith, first, failures) => {
    findHealth()?.forget(null);
    for (let call = 0; call < 4; call += 1) findHealth()?.report("gpt-4.1", FAILED, 0);
    const client = createClient();
    Object.assign(client, { leavesWith, toldWith });
    wire.on(ROUTE, (_seen, outgoing) => {
      outgoing.writeHead(200, { "content-type": "text/event-stream" });
      outgoing.write(first, () => void (toldWith > 0 || outgoing.destroy()));
    });
    expect(await ask(true, client)).toBeNull();
    expect(await readNewest()).toMatchObject({ outcome: "cancelled", status: 499, code: "client_closed" });
    expect(findHealth()?.for("gpt-4.1", 0).failures).toBe(failures);
    findHealth()?.forget(null);
  });
});

it("an error in a stream is noted for the access log", async () => {
  wire.on(ROUTE, breakOff);
  await ask(true, createClient());
  expect(note).toHaveBeenLastCalledWith("gpt-4.1", (await readNewest())?.code);
});

it("a client that leaves in the middle of a stream gets no end mark", async () => {
  wire.on(ROUTE, (_seen, outgoing) => {
    outgoing.writeHead(200, { "content-type": "text/event-stream" }).write(contentFrame("Hi"));
  });
  const leaving = new AbortController();
  const client = new Client(leaving.signal);
  const call = ask(true, client);
  await until(() => client.text.includes("Hi"));
  leaving.abort();
  expect([await call, client.text]).toEqual([null, contentFrame("Hi")]);
  expect(await readNewest()).toMatchObject({ outcome: "cancelled", status: 200, code: "client_closed" });
});

it("a receipt says what kinds of request it is", async () => {
  wire.on(ROUTE, reply(200, JSON.parse(completionText())));
  const tool = { type: "function", function: { name: "f", parameters: { type: "object" } } };
  await ask(false, createClient(), { tools: [tool] });
  expect((await readNewest())?.kinds).toEqual(["tools"]);
});

describe("an observer", () => {
  it.each<[string, WireAct | null, unknown[]]>([
    ["of a response is told it whole", reply(200, JSON.parse(completionText())), ["opened 200", "wrote", "ended null"]],
    ["of an error is told the error", reply(400, { error: { message: "no" } }), ["ended invalid_value"]],
    ["of a client that leaves is told the end", null, ["ended null"]],
  ])("%s", async (_what, act, reports) => {
    const leaving = new AbortController();
    wire.on(ROUTE, act ?? (() => leaving.abort()));
    const log: string[] = [];
    const { recorder } = stage.services;
    const isOn = vi.spyOn(recorder, "on", "get").mockReturnValue(true);
    const observer: CallObserver = {
      openResponse: (status) => void log.push(`opened ${status}`),
      wrote: () => void log.push("wrote"),
      endCall: (error) => void log.push(`ended ${(error as { code?: string } | null)?.code ?? null}`),
    };
    const begin = vi.spyOn(recorder, "begin").mockReturnValue(observer as never);
    await ask(false, new Client(leaving.signal)).catch((error: unknown) =>
      expect(error).toMatchObject({ code: "invalid_value" }),
    );
    isOn.mockRestore();
    begin.mockRestore();
    expect(log).toEqual(reports);
  });
});

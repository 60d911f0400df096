import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { allTools } from "../../../../gateway/mcp/tools/all-tools.ts";
import type { Tool } from "../../../../gateway/mcp/tool/tool.ts";
import { chatDialect } from "../../../../gateway/services/chat/dialects/chat.ts";
import { messagesDialect } from "../../../../gateway/services/chat/dialects/messages.ts";
import { responsesDialect } from "../../../../gateway/services/chat/dialects/responses.ts";
import { completionText } from "../../../support/acts.ts";
import { deltaEdit } from "../../../support/edit-acts.ts";
import { embedAct, texts } from "../../../support/embedding-acts.ts";
import { OPENAI_ROUTE, deltaResponse } from "../../../support/image-acts.ts";
import { mp3 } from "../../../support/media-samples.ts";
import { png } from "../../../support/pictures.ts";
import { KEY } from "../../../support/running-gateway.ts";
import { toolStage, type ToolCallOptions, type ToolStage } from "../../../support/tool-harness.ts";
import { VideoProvider } from "../../../support/video-provider.ts";
import { reply, replyBytes } from "../../../support/wire-provider.ts";
import { useWire } from "../../../support/use-gateway.ts";

type Arguments = Readonly<Record<string, unknown>>;

interface Quote {
  readonly model: string;
  readonly max_cost_usd: number | null;
  readonly is_guess: boolean;
  readonly left_usd: number | null;
  readonly enough: boolean;
  readonly sandbox: boolean;
}

const RICH = "sk-test-rich-key-of-0002";
const POOR = "sk-test-poor-key-of-000003";
const NARROW = "sk-test-narrow-key-of-0004";

/** As long as the provider's usage says. */
const FOX =
  "A red fox that sits in deep snow before a dark forest at dusk and looks back over its shoulder, in the manner of " +
  "an old woodcut, with few colours and strong lines, and a small moon above the trees.";

/** A call of each paid tool that succeeds and that its arguments bound. */
const CALLS: Readonly<Record<string, Arguments>> = {
  chat: { model: "gpt-4.1", prompt: "Tell me in a few words what a lighthouse is for.", max_tokens: 5 },
  embed_text: { model: "text-embedding-3-small", input: texts(20) },
  generate_image: { model: "delta-image-1", prompt: FOX, size: "1024x1024", quality: "high" },
  edit_image: {
    model: "delta-image-1",
    prompt: "Add a hat",
    quality: "high",
    size: "1024x1024",
    images: [`data:image/png;base64,${png().toString("base64")}`],
  },
  synthesize_speech: { model: "tts-1", input: "Good evening, and welcome.", voice: "alloy" },
  transcribe_audio: { model: "gpt-transcribe", audio: mp3(100).toString("base64") },
  generate_video: {
    model: "alpha2.6-t2v",
    prompt: "A lighthouse at dusk.",
    duration_seconds: 5,
    resolution: "720p",
    idempotency_key: "quoted-then-ordered",
  },
};

const wire = useWire();
let films: VideoProvider;
let stage: ToolStage;
let tools: ReadonlyMap<string, Tool>;
beforeAll(async () => {
  films = await new VideoProvider().listen();
  stage = await toolStage({
    keys: [
      { key: RICH, name: "rich", limit_usd: 10, rpm: 1 },
      { key: POOR, name: "poor", limit_usd: 0.000_000_005 },
      { key: NARROW, name: "narrow", models: ["no-such-model"] },
    ],
    env: {
      ...films.env("dashscope"),
      POSTERN_OPENAI_BASE_URL: `${wire.origin}/v1`,
      POSTERN_OPENAI_API_KEY: "sk-provider-openai-0001",
    },
  });
  tools = new Map(allTools(stage.deps).map((tool) => [tool.name, tool]));
});
afterAll(async () => {
  await stage.close();
  await films.close();
});
beforeEach(() => {
  films.reset();
  films.plan = ["running"];
  wire.reset();
  wire
    .on("POST /v1/chat/completions", reply(200, JSON.parse(completionText())))
    .on("POST /v1/embeddings", embedAct({ usage: (inputs) => ({ prompt_tokens: 3 * inputs.length }) }))
    .on("POST /v1/images/edits", reply(200, deltaEdit()))
    .on("POST /v1/audio/transcriptions", reply(200, { text: "hello", usage: { type: "duration", seconds: 3 } }))
    .on("POST /v1/audio/speech", replyBytes("audio/mpeg", mp3(40)))
    .on(OPENAI_ROUTE, reply(200, deltaResponse()));
});

function toolOf(name: string): Tool {
  const tool = tools.get(name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  return tool;
}

async function quote(tool: string, args: Arguments, options: ToolCallOptions = {}): Promise<Quote> {
  const outcome = await stage.response(toolOf("quote"), { tool, arguments: args }, options);
  expect(outcome.receipt).toBeNull();
  return outcome.response.structured as unknown as Quote;
}

/** Everything that a call leaves behind. */
async function traces() {
  const { store, services } = stage;
  const keys = [KEY, RICH, POOR, NARROW].map((secret) => stage.key(secret).meter);
  return {
    receipts: (await store.usage.list({ limit: 500 })).data.length,
    held: keys.map(({ reserved, inFlight }) => [reserved, inFlight]),
    inFlight: services.admission.inFlight,
    tasks: [...services.taskRepository.live()].length,
    // Which models there are, may be asked by anybody.
    provider: [wire.seen.length, films.seen.filter(({ path }) => !path.endsWith("/models")).length],
    spent: [...store.document.daily.values()].map(({ requests, nano }) => [requests, nano]),
  };
}

it("is there for every tool that costs money", () => {
  const paid = [...tools.values()].filter(({ capability }) => capability !== null).map(({ name }) => name);
  expect(paid.toSorted()).toEqual(Object.keys(CALLS).toSorted());
});

describe.each(Object.entries(CALLS))("a quote of %s", (name, args) => {
  it("leaves no trace, however often it is asked for, and is no less than what the call costs", async () => {
    const before = await traces();
    const quoted = await quote(name, args);
    // The key lets one call a minute in.
    const limited = await quote(name, args, { key: RICH, progress: true });
    expect(await traces()).toEqual(before);
    expect(quoted).toMatchObject({ is_guess: false, left_usd: null, enough: true, sandbox: false });
    expect(limited).toMatchObject({ max_cost_usd: quoted.max_cost_usd, enough: true });
    expect(limited.left_usd).toBeGreaterThan(0);

    const { response, receipt } = await stage.response(toolOf(name), args);
    const { cost_usd: settled, expected_cost_usd: expected } = response.structured as Record<
      string,
      number | undefined
    >;
    const cost = settled ?? expected ?? Number.NaN;
    expect(cost).toBeGreaterThan(0);
    expect(quoted.max_cost_usd).toBeGreaterThanOrEqual(cost);
    expect(quoted.model).toBe(receipt?.model ?? args["model"]);
  });

  it("says that there is not enough exactly where the call is refused for that", async () => {
    const before = await traces();
    const quoted = await quote(name, args, { key: POOR });
    expect(quoted).toMatchObject({ left_usd: 0.000_000_005, enough: false });
    expect(quoted.max_cost_usd).toBeGreaterThan(0.000_000_005);
    expect(await traces()).toEqual(before);
    const { error } = await stage.call(toolOf(name), args, { key: POOR });
    expect(error?.code).toBe("insufficient_quota");
  });

  it("is refused as the call would be", async () => {
    // By its key, an order would be one that was made before.
    const { idempotency_key: _none, ...plain } = args;
    const refusals: readonly [Arguments, ToolCallOptions, code: string][] = [
      [plain, { key: NARROW }, "model_not_allowed"],
      [{ ...plain, model: "no-such-model" }, {}, "model_not_found"],
      [{ ...plain, model: name === "chat" ? "tts-1" : "gpt-4.1" }, {}, "endpoint_model_mismatch"],
    ];
    for (const [wrong, options, code] of refusals) {
      const before = await traces();
      const quoted = await stage.call(toolOf("quote"), { tool: name, arguments: wrong }, options);
      expect(await traces()).toEqual(before);
      const called = await stage.call(toolOf(name), wrong, options);
      expect(quoted.error?.code).toBe(code);
      expect(quoted.error).toMatchObject({ code: called.error?.code, message: called.error?.message });
    }
    await expect(quote(name, { ...args, colour: "red" })).rejects.toThrow("colour");
    await expect(quote(name, {})).rejects.toThrow("model");
  });
});

it("takes no idempotency key: another order has it afterwards, and is not repeated by a quote", async () => {
  const named = { ...CALLS["generate_video"], idempotency_key: "only-asked" };
  await quote("generate_video", named);
  const other = { ...named, prompt: "A harbour at dawn." };
  expect((await stage.response(toolOf("generate_video"), other)).response.structured).toMatchObject({
    repeated: false,
  });
  const before = await traces();
  expect((await quote("generate_video", other)).enough).toBe(true);
  await expect(quote("generate_video", named)).rejects.toThrow("idempotency_conflict");
  expect(await traces()).toEqual(before);
});

it("says that it guesses where nothing bounds a conversation, and what is enough to begin it", async () => {
  const open = { model: "gpt-4.1", prompt: "Tell me everything." };
  const quoted = await quote("chat", open);
  expect(quoted).toMatchObject({ is_guess: true, enough: true });
  expect(quoted.max_cost_usd).toBeGreaterThan((await quote("chat", { ...open, max_tokens: 4_000 })).max_cost_usd ?? 0);
});

it("reads well", async () => {
  const words = async (tool: string, args: Arguments, options?: ToolCallOptions): Promise<unknown> =>
    (await stage.response(toolOf("quote"), { tool, arguments: args }, options)).response.content;
  const { chat, generate_video: film } = CALLS;
  expect(await words("generate_video", film ?? {})).toEqual([
    {
      type: "text",
      text: "This call of generate_video would cost at most $0.50 (alpha2.6-t2v). The key has no limit.",
    },
  ]);
  expect(await words("chat", chat ?? {}, { key: POOR })).toEqual([
    {
      type: "text",
      text: expect.stringMatching(
        /would cost at most \$0\.000\d+ \(gpt-4\.1\)\. The key has \$0\.000000005 left: not enough\./,
      ) as string,
    },
  ]);
});

it.each([
  ["a tool that is free", { tool: "list_models", arguments: {} }],
  ["a tool that is not there", { tool: "no_such_tool", arguments: {} }],
  ["no arguments", { tool: "chat" }],
])("is refused for %s", async (_, args) => {
  expect((await stage.call(toolOf("quote"), args)).error?.status).toBe(400);
});

it("is not made for a paid tool that cannot be priced: that would be a bug", async () => {
  const { quoteTool } = await import("../../../../gateway/mcp/tools/quote.ts");
  const { estimate: _none, ...careless } = { ...toolOf("chat"), name: "careless" };
  expect(() => quoteTool([careless])).toThrow("careless costs money and cannot be priced");
});

describe("calls are priced without a trace, streamed or whole", () => {
  const input = (key = KEY) => ({
    requestId: "req_quoted",
    arrivedAt: 0,
    key: stage.key(key),
    app: "",
    note: () => undefined,
    noteProvider: () => undefined,
  });
  it.each([true, false])("conversations in each dialect, streamed: %s", async (stream) => {
    const turns = [{ role: "user", content: "Hello." }];
    const bodies = [
      [chatDialect, { model: "gpt-4.1", messages: turns, stream }],
      [messagesDialect, { model: "gpt-4.1", messages: turns, max_tokens: 10, stream }],
      [responsesDialect, { model: "gpt-4.1", input: "Hello.", stream }],
    ] as const;
    const before = await traces();
    for (const [dialect, body] of bodies) {
      const raw = Buffer.from(JSON.stringify(body));
      const quote = await stage.services.runChat.estimate(dialect, { ...input(), raw, body, headers: {} });
      expect(quote).toMatchObject({ model: "gpt-4.1", remaining: null });
      expect(quote.nano).toBeGreaterThan(0);
    }
    expect(await traces()).toEqual(before);
  });

  it("images and edits in a stream", async () => {
    const before = await traces();
    const body = { model: "delta-image-1", prompt: "A red fox", stream: true };
    const raw = Buffer.from(JSON.stringify(body));
    const drawn = await stage.services.runImages.estimate({ ...input(), raw, body });
    expect(drawn.nano).toBeGreaterThan(0);
    const images = [{ kind: "file", field: "image", fileName: "a.png", bytes: png() }] as const;
    const edited = await stage.services.editImages.estimate(input(), { fields: body, images, mask: null });
    expect(edited.nano).toBeGreaterThan(0);
    expect(await traces()).toEqual(before);
  });

  it("speech as events", async () => {
    const before = await traces();
    const body = { model: "gpt-4o-mini-tts", input: "Good evening.", voice: "alloy", stream_format: "sse" };
    const spoken = await stage.services.synthesizeSpeech.estimate({ ...input(), body });
    expect(spoken.nano).toBeGreaterThan(0);
    expect(await traces()).toEqual(before);
  });
});

describe("along a route", () => {
  const ask = { model: "work", prompt: "Tell me in a few words what a lighthouse is for.", max_tokens: 500 };
  const route = (...models: readonly string[]): Promise<unknown> =>
    stage.services.manageRoutes.set({ name: "work", models: [...models] });
  const costOf = async (model: string): Promise<number> => (await quote("chat", { ...ask, model })).max_cost_usd ?? 0;

  it("is what the most expensive model costs that may be asked, as it would be held", async () => {
    await route("gpt-4.1-nano", "gpt-4.1", "no-such-model");
    const quoted = await quote("chat", ask);
    expect(quoted).toMatchObject({ model: "gpt-4.1", max_cost_usd: await costOf("gpt-4.1"), enough: true });
    expect(quoted.max_cost_usd).toBeGreaterThan(await costOf("gpt-4.1-nano"));
  });

  it("leaves out what the key has not the money for, and says where it has it for none", async () => {
    await route("gpt-4.1-nano", "o3-pro");
    const limited = await stage.services.manageKeys.create({ name: "some", limit_usd: 0.01 });
    expect(await quote("chat", ask, { key: limited.secret })).toMatchObject({ model: "gpt-4.1-nano", enough: true });
    expect(await quote("chat", ask, { key: POOR })).toMatchObject({ model: "gpt-4.1-nano", enough: false });
  });

  it("is not known where one of the models has no price", async () => {
    await route("gpt-4.1", "gpt-4.1-of-tomorrow");
    const before = await quote("chat", ask);
    expect(before.max_cost_usd).not.toBeNull();
    await route("gpt-4.1", "openai/gpt-of-tomorrow");
    expect(await quote("chat", ask)).toMatchObject({ model: "openai/gpt-of-tomorrow", max_cost_usd: null });
  });

  it("is refused where none of the models can take the call", async () => {
    await route("tts-1");
    await expect(quote("chat", ask)).rejects.toThrow("None of the models");
  });
});

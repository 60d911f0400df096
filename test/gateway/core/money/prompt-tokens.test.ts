import * as fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import {
  boundPrompt,
  estimatePromptTokens,
  findMostPrompt,
  type PromptReader,
} from "../../../../gateway/core/money/prompt-tokens.ts";
import { png } from "../../../support/pictures.ts";

const ask = (fields: object = {}) => ({ model: "m", messages: [{ role: "user", content: "hello" }], ...fields });
const holding = (block: object) => ({ messages: [{ role: "user", content: [block] }] });

describe("about how many tokens a prompt has", () => {
  test("each message adds its overhead", () => {
    const one = estimatePromptTokens(ask());
    const two = estimatePromptTokens({
      messages: [
        { role: "user", content: "hello" },
        { role: "user", content: "hello" },
      ],
    });
    expect(two).toBeGreaterThan(one + 4);
  });

  test.each([
    [
      "an image, however large its data is",
      { type: "image_url", image_url: { url: `data:image/png;base64,${"A".repeat(5_000_000)}` } },
      1_600,
      1_700,
    ],
    ["a video", { type: "video_url", video_url: { url: "https://example.com/a.mp4" } }, 6_000, 6_100],
    ["a short sound", { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } }, 6_000, 6_100],
    ["a large file", { type: "file", file: { file_data: "A".repeat(4_000_000) } }, 20_000, 20_100],
    ["an unknown block", { type: "hologram", text: "a".repeat(400) }, 100, 130],
  ])("counts %s", (_, block, least, most) => {
    const tokens = estimatePromptTokens(holding(block));
    expect(tokens).toBeGreaterThanOrEqual(least);
    expect(tokens).toBeLessThanOrEqual(most);
  });

  const titled = (source: unknown) => holding({ type: "document", title: "t", source });
  test.each<[object, number]>([
    [{}, 3],
    [{ input: "abc" }, 3 + 4 + 3],
    [{ messages: ["ab", "c"], system: "d" }, 3 + 3 * 4 + 4],
    [{ messages: [{ role: "user", content: "abc", name: "x" }] }, 3 + 4 + 3 + 2],
    [{ messages: [{ role: "user", content: ["ab", "c"] }] }, 3 + 4 + 3],
    [holding({ type: "tool_result", content: "abc" }), 3 + 4 + 3],
    [{ input: [{ type: "x", output: "abc" }] }, 3 + 4 + 3 + 2],
    [{ tools: [5, [true]], text: null }, 3 + 1 + 1 + 2],
    [titled({ type: "text", data: "abc" }), 3 + 4 + 23 + 4],
    [titled({ type: "content", content: "abc" }), 3 + 4 + 23 + 3],
    [titled({ type: "base64", data: "AAAA" }), 3 + 4 + 23 + 6_000],
    [titled("abc"), 3 + 4 + 23 + 6_000],
  ])("of %j, with a token for each character, are %i", (body, tokens) => {
    expect(estimatePromptTokens(body as Record<string, unknown>, (text) => text.length)).toBe(tokens);
  });

  test("tools and tool calls count", () => {
    const parameters = { type: "object", properties: { city: { type: "string", description: "a".repeat(400) } } };
    const tools = [{ type: "function", function: { name: "get_weather", parameters } }];
    expect(estimatePromptTokens(ask({ tools }))).toBeGreaterThan(estimatePromptTokens(ask()) + 100);
    const calls = {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "c", function: { name: "f", arguments: "a".repeat(400) } }],
    };
    expect(estimatePromptTokens({ messages: [calls] })).toBeGreaterThan(100);
  });

  test("takes any JSON, and answers with a whole number", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const body = { messages: [{ role: "user", content: value }, value], tools: value, thread: value };
        for (const tokens of [estimatePromptTokens(body), most(body)])
          expect(Number.isSafeInteger(tokens) && tokens >= 0).toBe(true);
      }),
    );
  });
});

const CONTEXT = 200_000;
const reader = (change: Partial<PromptReader> = {}): PromptReader => ({
  id: "a-model",
  owner: null,
  context: CONTEXT,
  ...change,
});
const bounded = (body: object, of: PromptReader) => {
  const fields = body as Record<string, unknown>;
  return boundPrompt(findMostPrompt(fields, of), fields, of);
};
const most = (body: object, change: Partial<PromptReader> = {}): number => bounded(body, reader(change)).tokens;

const DATA = png({ width: 1_024, height: 1_024 }).toString("base64");
const SMALL = png({ width: 100, height: 60 }).toString("base64");
const LARGE = png({ width: 4_000, height: 2_000 }).toString("base64");

describe("as many tokens as a prompt can have", () => {
  test("covers a conversation with tools as JSON, in each dialect", () => {
    const tool = {
      name: "get_weather",
      description: "Tells the weather of a place, with wind in km/h and the chance of rain in percent.",
      parameters: {
        type: "object",
        properties: { city: { type: "string" }, days: { type: "integer", minimum: 1, maximum: 14, default: 3.5 } },
        required: ["city"],
      },
    };
    const call = {
      id: "call_9f8e7d",
      type: "function",
      function: { name: "get_weather", arguments: '{"city":"Rome"}' },
    };
    const bodies: readonly object[] = [
      {
        messages: [
          { role: "system", content: "Be brief." },
          { role: "assistant", content: null, tool_calls: [call] },
          { role: "tool", tool_call_id: "call_9f8e7d", content: '{"wind":12.25,"rain":0.4}' },
          { role: "assistant", content: "It rains.", reasoning_content: "The chance of rain is 0.4, so it may rain." },
        ],
        tools: [{ type: "function", function: tool }],
      },
      {
        system: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }],
        messages: [
          {
            role: "assistant",
            content: [{ type: "tool_use", id: "toolu_1", name: "get_weather", input: { city: "Rome" } }],
          },
          { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "0.4" }] },
        ],
        tools: [{ name: tool.name, description: tool.description, input_schema: tool.parameters }],
      },
      {
        instructions: "Be brief.",
        input: [
          { type: "function_call", call_id: "c", name: "get_weather", arguments: '{"city":"Rome"}' },
          { type: "function_call_output", call_id: "c", output: "0.4" },
        ],
        tools: [{ type: "function", ...tool }],
        text: { format: { type: "json_schema", name: "a", schema: tool.parameters } },
      },
    ];
    for (const body of bodies) expect(most(body)).toBeGreaterThan(countTokens(JSON.stringify(body)));
  });

  /** Of the separators, and what is added for any provider. */
  const AROUND = 3 + 4 + 20;

  test.each([
    ["anthropic", "claude", DATA, 1_369, 5 + 37 * 37],
    ["anthropic", "claude", LARGE, 4_784, 4_784],
    ["openai", "gpt-4.1-nano", DATA, 2_520, 3_668],
    ["openai", "gpt-4o", SMALL, 255, 330],
    ["openai", "gpt-4o-mini", SMALL, 48_169, 48_200],
    ["google", "gemini", SMALL, 1_120, 2_240],
    ["xai", "grok", DATA, 1_792, 1_792 + 1_000],
    ["dashscope", "qwen", DATA, 1_371, 5 + 37 * 37],
    [null, "pixtral", DATA, 4_160, 5_844],
  ])("a picture at %s (%s) is held by its size, above what is documented", (owner, id, data, documented, reserved) => {
    const blocks = [
      { type: "image_url", image_url: { url: `data:image/png;base64,${data}` } },
      { type: "image", source: { type: "base64", media_type: "image/png", data } },
      { type: "input_image", image_url: `data:image/png;base64,${data}` },
    ];
    expect(reserved).toBeGreaterThanOrEqual(documented);
    for (const block of blocks) expect(most(holding(block), { owner, id })).toBe(AROUND + reserved);
  });

  test.each([
    ["anthropic", 4_784],
    ["openai", 12_000],
    ["google", 2_240],
    ["dashscope", 16_384],
    [null, 16_384],
  ])("a picture at an address, or of a type that is not known, has as many as %s takes", (owner, tokens) => {
    for (const image_url of [{ url: "https://example.com/a.png" }, "data:image/x;base64,AAAA", 5])
      expect(most(holding({ type: "image_url", image_url }), { owner })).toBe(AROUND + tokens);
  });

  test("what is named only, or looked up by the provider, may fill the context", () => {
    const bodies: readonly object[] = [
      holding({ type: "video_url", video_url: { url: "https://example.com/a.mp4" } }),
      holding({ type: "audio_url", audio_url: { url: "https://example.com/a.mp3" } }),
      ask({ previous_response_id: "resp_1" }),
      ask({ conversation: "conv_1" }),
      { prompt: { id: "pmpt_1" } },
      ask({ tools: [{ type: "code_interpreter" }] }),
      ask({ tools: [{ type: "shell", environment: { type: "container_auto" } }] }),
      ask({ mcp_servers: [{}] }),
      ...["container", "cached_content", "context_id"].map((field) => ask({ [field]: "id_1" })),
      ask({ thread: { type: "continue", previous_message_id: "msg_1" } }),
      ask({ extra_body: { google: { cached_content: "cachedContents/1" } } }),
    ];
    for (const body of bodies) {
      expect(most(body)).toBe(CONTEXT);
      expect(most(body, { context: null })).toBe(1_000_000);
    }
  });

  test("tools of the client's own, and what is switched off, reach nothing", () => {
    for (const body of [
      ask({
        tools: [
          { type: "function", function: { name: "f" } },
          { type: "custom", name: "g" },
        ],
      }),
      ask({ tools: [{ type: "bash_20250124", name: "bash" }] }),
      ask({ enable_search: false, previous_response_id: null }),
    ])
      expect(most(body)).toBeLessThan(3_000);
  });

  test.each<[string, string[], number, object?]>([
    ["tools that the client runs", ["local_shell", "shell", "apply_patch", "tool_search", "computer_20251124"], 6_000],
    ["a search for tools", ["tool_search_tool_regex_20251119"], 3_000],
    ["ten searches of a provider's", ["web_search"], 110_000],
    ["searches by an option", [], 110_000, { web_search_options: {} }],
  ])("is no whole context for %s", (_, types, tokens, more = {}) => {
    expect(most(ask({ tools: types.map((type) => ({ type })), ...more }))).toBeLessThan(tokens);
  });

  test("leaves out tools that were dropped on the way", () => {
    const body = ask({ tools: [{ type: "mcp" }] }) as Record<string, unknown>;
    const counted = findMostPrompt(body, reader());
    expect(boundPrompt(counted, body, reader()).tokens).toBe(CONTEXT);
    expect(boundPrompt(counted, ask() as Record<string, unknown>, reader()).tokens).toBeLessThan(1_000);
  });

  test("has the pages that a provider takes at most for a document by its address", () => {
    const linked = holding({ type: "document", source: { type: "url", url: "https://a.example/a.pdf" } });
    expect(most(linked, { owner: "google", context: 1_000_000 })).toBeLessThan(260_000);
    expect(most(linked, { owner: "openai", context: 1_050_000 })).toBeLessThan(301_000);
    expect(most(linked, { owner: "anthropic", context: 1_000_000 })).toBe(1_000_000);
  });

  test("has what providers add to it, for each kind of tool", () => {
    const tool = { type: "function", function: { name: "f" } };
    const plain = most(ask());
    const words = (body: object) => estimatePromptTokens(body as Record<string, unknown>);
    expect(most(ask(), { owner: "xai" }) - plain).toBe(1_000);
    expect(plain - (findMostPrompt(ask(), reader()).words ?? 0)).toBe(20);
    const added = (tools: readonly object[]) =>
      most(ask({ tools })) - (findMostPrompt(ask({ tools }), reader()).words ?? 0) - 20;
    expect([[], [tool], [tool, { name: "g" }]].map(added)).toEqual([0, 600, 600]);
    expect(added([tool, { type: "bash_20250124" }, { type: "memory_1" }])).toBe(2_600);
    expect(words({ messages: ["hello"] }) - words({ messages: [] })).toBe(4 + words({ input: "hello" }) - 3 - 4);
    expect(words({})).toBe(3);
  });

  test("a document has a token for each byte, and its pages in addition", () => {
    const pdf = Buffer.from("%PDF-1.4\n<< /Type /Page >>\n<< /Type /Page >>\n<< /Type /Page >>\n").toString("base64");
    const documents = [
      { type: "document", source: { type: "base64", media_type: "application/pdf", data: pdf } },
      { type: "file", file: { file_data: `data:application/pdf;base64,${pdf}` } },
      { type: "input_file", file_data: pdf },
    ];
    for (const block of documents) expect(most(holding(block))).toBeGreaterThanOrEqual(3 * (3_000 + 4_784));
    expect(most(holding(documents[2] ?? {}))).toBe(AROUND + Math.ceil(0.75 * pdf.length) + 3 * (3_000 + 4_784));
    const text = { type: "document", source: { type: "text", media_type: "text/plain", data: "word ".repeat(1_000) } };
    expect(most(holding(text))).toBeLessThan(2_500);
    for (const [content, pages] of [
      ["abc", 1],
      ["/Page /Page", 2],
    ] as const) {
      const file_data = Buffer.from(content).toString("base64");
      const reserved = Math.ceil(0.75 * file_data.length) + pages * (3_000 + 4_784);
      expect(most(holding({ type: "input_file", file_data }))).toBe(AROUND + reserved);
    }
  });

  test("sound has as many as 32 a second of it, packed to 6 kbit/s", () => {
    const minute = "A".repeat(Math.ceil((60 * 750) / 0.75));
    const reserved = most(holding({ type: "input_audio", input_audio: { data: minute } }));
    expect(reserved).toBeGreaterThan(60 * 32);
    expect(reserved).toBe(AROUND + 100 + 60_000 / 16);
  });

  test("is never more than the context: a longer prompt is refused", () => {
    expect(most(ask({ messages: [{ role: "user", content: "word ".repeat(500_000) }] }))).toBe(CONTEXT);
  });

  test("is the same for another reader whether its words were counted before or not", () => {
    const media = fc.constantFrom<object>(
      { type: "text", text: "a b c" },
      { type: "text", text: "x", cache_control: { type: "ephemeral", ttl: "1h" } },
      { type: "image", source: { type: "base64", data: SMALL } },
      { type: "input_audio", input_audio: { data: "AAAA" } },
      { type: "document", source: { type: "url", url: "https://a.example" } },
    );
    const readers = fc.record({
      id: fc.constantFrom("gpt-4.1", "claude-sonnet-5-5", "gemini-3.7-flash"),
      owner: fc.constantFrom(null, "openai", "anthropic", "google", "xai"),
      context: fc.constantFrom(null, 3, 40, 200_000),
    });
    fc.assert(
      fc.property(fc.array(media), fc.string(), readers, readers, (content, system, one, other) => {
        const body = { system, messages: [{ role: "user", content }], tools: [{ name: "f" }] };
        const { words, ...fresh } = findMostPrompt(body, other);
        const again = findMostPrompt(body, other, findMostPrompt(body, one));
        expect(again).toMatchObject(fresh);
        // A shorter context may have left words uncounted that the other one's count has.
        if (words !== null) expect(again.words).toBe(words);
      }),
    );
  });

  test("is no less when long texts are taken by their bytes, and the same where none is long", () => {
    const texts = fc.oneof(
      fc.string(),
      fc.constantFrom("word ", "7", "é", "漢", "{}\n").map((text) => text.repeat(5_000)),
    );
    fc.assert(
      fc.property(fc.array(texts), fc.constantFrom(null, 40, 200_000), (content, context) => {
        const body = { messages: content.map((text) => ({ role: "user", content: text })), tools: [{ name: "f" }] };
        const exact = findMostPrompt(body, reader({ context }));
        const roughly = findMostPrompt(body, reader({ context }), null, true);
        if (!roughly.rough) expect(roughly).toEqual(exact);
        else {
          const bytes = content.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
          expect(roughly.words).toBeNull();
          expect(roughly.own).toBeGreaterThanOrEqual(Math.min(bytes, context ?? 1_000_000));
        }
        expect(exact.rough).toBe(false);
      }),
    );
  });

  test("tells what is kept for an hour and what is to be heard", () => {
    const about = (body: object) => findMostPrompt(body as Record<string, unknown>, reader());
    const stored = { type: "text", text: "a", cache_control: { type: "ephemeral", ttl: "1h" } };
    expect(about(ask())).toMatchObject({ forAnHour: false, hasSound: false });
    for (const body of [
      holding(stored),
      ask({ system: [stored] }),
      ask({ tools: [{ name: "f", cache_control: stored.cache_control }] }),
      ask({ cache_control: stored.cache_control }),
      ask({ prompt_cache_options: { ttl: "12h" } }),
      holding({
        type: "image",
        source: { type: "url", url: "https://a.example" },
        cache_control: stored.cache_control,
      }),
    ])
      expect(about(body).forAnHour).toBe(true);
    expect(about(holding({ ...stored, cache_control: { type: "ephemeral" } })).forAnHour).toBe(false);
    expect(about(holding({ type: "input_audio", input_audio: { data: "AAAA" } })).hasSound).toBe(true);
  });

  test.each<[string, object, number]>([
    ["no tools", {}, 0],
    ["nothing of the kind", { tools: [{ type: "function", name: "web_search" }], enable_search: false }, 0],
    ["a tool with a limit", { tools: [{ type: "web_search_20250305", name: "web_search", max_uses: 3 }] }, 3],
    ["a tool of a request with a limit", { tools: [{ type: "web_search" }], max_tool_calls: 2 }, 2],
    ["a tool without one", { tools: [{ type: "web_search" }] }, 10],
    ["an option", { web_search_options: {} }, 10],
  ])("expects the searches of %s", (_, change, searches) => {
    expect(bounded(ask(change), reader()).searches).toBe(searches);
  });
});

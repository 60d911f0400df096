import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { digestPrompt, type PromptDigest } from "../../../../gateway/core/sessions/prompt-digest.ts";
import {
  chooseEarlier,
  comparePrompts,
  countMissed,
  priceMissed,
  type SentPrompt,
} from "../../../../gateway/core/sessions/compare-prompts.ts";

const LONG = "A long text — with a dash. ".repeat(2_000);
const tool = (name: string) => ({ type: "function", function: { name, parameters: { type: "object" } } });
const user = (content: unknown) => ({ role: "user", content });

const digest = (body: Readonly<Record<string, unknown>>): PromptDigest => {
  const made = digestPrompt(body);
  if (made === null) throw new Error("not the whole prompt");
  return made;
};
const sent = (body: Readonly<Record<string, unknown>>, change: Partial<SentPrompt> = {}): SentPrompt => ({
  id: "req_1",
  at: 1_000,
  model: "m",
  provider: "p",
  digest: digest(body),
  tokens: 10_000,
  cached: 0,
  ...change,
});
const compare = (before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>) =>
  comparePrompts(sent(before), sent(after));

const CHAT = { tools: [tool("read")], messages: [{ role: "system", content: "Be brief." }, user("a"), user(LONG)] };

describe("two prompts", () => {
  it.each<[what: string, before: object, after: object, expected: object]>([
    ["the same", CHAT, structuredClone(CHAT), { changed: [], of: 2, kept: 2 }],
    ["more messages", CHAT, { ...CHAT, messages: [...CHAT.messages, user("c")] }, { changed: [], of: 2, kept: 2 }],
    ["another tool", CHAT, { ...CHAT, tools: [tool("write")] }, { changed: ["tools"], of: 2, kept: 2 }],
    [
      "other instructions",
      CHAT,
      { ...CHAT, messages: [{ role: "system", content: "Be long." }, ...CHAT.messages.slice(1)] },
      { changed: ["system"], of: 2, kept: 2 },
    ],
    [
      "a choice of tools and another effort",
      CHAT,
      { ...CHAT, tool_choice: "none", reasoning_effort: "high" },
      { changed: ["settings"], of: 2, kept: 2 },
    ],
    [
      "fields that no cache depends on",
      CHAT,
      { ...CHAT, max_tokens: 5, stream: true },
      { changed: [], of: 2, kept: 2 },
    ],
    [
      "one character in a long message",
      CHAT,
      { ...CHAT, messages: [...CHAT.messages.slice(0, 2), user(`${LONG.slice(0, 30_000)}!${LONG.slice(30_001)}`)] },
      { changed: [], of: 2, kept: 1, message: "changed" },
    ],
    [
      "a message that is gone",
      CHAT,
      { ...CHAT, messages: [CHAT.messages[0], CHAT.messages[2], user("d")] },
      { changed: [], of: 2, kept: 0, message: "removed" },
    ],
    [
      "an end that is gone",
      CHAT,
      { ...CHAT, messages: CHAT.messages.slice(0, 2) },
      { changed: [], of: 2, kept: 1, message: "removed" },
    ],
    [
      "cache marks that moved on, and a text that became a block",
      { system: "Be brief.", messages: [user([{ type: "text", text: "a", cache_control: { type: "ephemeral" } }])] },
      {
        system: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }],
        messages: [user("a"), user("b")],
      },
      { changed: [], of: 1, kept: 1 },
    ],
    [
      "Claude Code's line for its bill",
      { system: [{ type: "text", text: "x-anthropic-billing-header: cch=1;" }], messages: [user("a")] },
      { system: [{ type: "text", text: "x-anthropic-billing-header: cch=2;" }], messages: [user("a")] },
      { changed: [], of: 1, kept: 1 },
    ],
    [
      "items of Responses",
      { instructions: "Be brief.", input: [{ type: "message", role: "user", content: "a" }] },
      { instructions: "Be long.", input: [{ type: "message", role: "user", content: "b" }] },
      { changed: ["system"], of: 1, kept: 0, message: "changed" },
    ],
    ["one text of Responses", { input: "a" }, { input: "b" }, { changed: [], of: 1, kept: 0, message: "changed" }],
    [
      "contents of Google",
      { systemInstruction: { parts: [{ text: "a" }] }, contents: [{ role: "user", parts: [{ text: "a" }] }] },
      { system_instruction: { parts: [{ text: "b" }] }, contents: [{ role: "user", parts: [{ text: "a" }] }] },
      { changed: ["system"], of: 1, kept: 1 },
    ],
  ])("differ as they should by %s", (_what, before, after, expected) => {
    expect(compare(before as never, after as never)).toEqual(expected);
  });

  it("differ in the first message that differs, wherever that is and however many follow", () => {
    const messages = fc.array(
      fc.oneof(fc.string(), fc.string({ minLength: 120, maxLength: 200, unit: "binary" }), fc.jsonValue()),
      { minLength: 1, maxLength: 30 },
    );
    fc.assert(
      fc.property(messages, fc.nat(), (texts, place) => {
        const at = place % texts.length;
        const other = texts.map((text, index) => (index === at ? ["other", text] : text));
        const before = { messages: texts.map((text, index) => user([text, index])) };
        const after = { messages: other.map((text, index) => user([text, index])) };
        expect(compare(before, structuredClone(before)).kept).toBe(texts.length);
        expect(compare(before, after).kept).toBe(at);
      }),
    );
  });

  it("say whether their caches are marked, and for how long", () => {
    const mark = (ttl?: string) => [
      { type: "text", text: "a", cache_control: { type: "ephemeral", ...(ttl && { ttl }) } },
    ];
    expect(digest({ messages: [user("a")] }).marks).toBeNull();
    expect(digest({ messages: [user(mark())] }).marks).toBe("5m");
    expect(digest({ system: mark("1h"), messages: [user(mark())] }).marks).toBe("1h");
    expect(digest({ messages: [user("a")], cache_control: { type: "ephemeral" } }).marks).toBe("5m");
  });

  it("are not compared if the provider has the conversation", () => {
    expect(digestPrompt({ input: "a", previous_response_id: "resp_1" })).toBeNull();
    expect(digestPrompt({ input: "a", conversation: { id: "conv_1" } })).toBeNull();
  });

  it("keep at most 4,096 checksums, the last for all that follow", () => {
    const messages = Array.from({ length: 6_000 }, (_, index) => user(`message ${index}`));
    const changed = messages.with(5_500, user("another"));
    const { kept, of } = compare({ messages }, { messages: changed });
    expect([kept, of]).toEqual([4_095, 4_096]);
    expect(compare({ messages }, { messages: messages.with(7, user("x")) }).kept).toBe(7);
  });
});

describe("the earlier prompt", () => {
  const turns = (...texts: string[]) => ({ messages: texts.map(user) });

  it("is the one whose beginning the next one shares, not the newest", () => {
    const main = sent(turns("a", "b", "c"), { id: "main", at: 1 });
    const side = sent(turns("x"), { id: "side", at: 2 });
    const late = sent(turns("a", "b", "c", "d"), { id: "late", at: 9 });
    expect(chooseEarlier([main, side, late], sent(turns("a", "b", "c", "d", "e"), { at: 5 }))?.sent.id).toBe("main");
    expect(chooseEarlier([main, side, late], sent(turns("a", "b", "c", "d", "e"), { at: 10 }))?.sent.id).toBe("late");
    expect(chooseEarlier([late], sent(turns("a"), { at: 5 }))).toBeNull();
  });

  it("is one of the same model before one of another", () => {
    const same = sent(turns("a"), { id: "same", at: 1 });
    const other = sent(turns("a", "b"), { id: "other", at: 2, model: "n", provider: "q" });
    const chosen = chooseEarlier([same, other], sent(turns("a", "b", "c"), { at: 5 }));
    expect([chosen?.sent.id, chosen?.difference.changed]).toEqual(["same", []]);
    expect(chooseEarlier([other], sent(turns("a", "b", "c"), { at: 5 }))?.difference.changed).toEqual([
      "model",
      "provider",
    ]);
  });
});

describe("what was read again", () => {
  it.each<[before: number, tokens: number, cached: number, missed: number]>([
    [10_000, 12_000, 0, 10_000],
    [10_000, 12_000, 10_000, 0],
    [10_000, 12_000, 4_000, 6_000],
    // A shorter prompt can only repeat so much.
    [10_000, 3_000, 0, 3_000],
    // Steps of a cache, and the last block of a prompt.
    [10_000, 12_000, 9_216, 0],
    [100_000, 101_000, 96_000, 0],
    [500, 900, 0, 0],
  ])("is %i tokens before, of %i of which %i were cached: %i", (before, tokens, cached, missed) => {
    expect(countMissed(sent(CHAT, { tokens: before }), sent(CHAT, { tokens, cached }))).toBe(missed);
  });

  const line = (unit: "input" | "cached_input" | "cache_write", quantity: number, usd: number) => ({
    unit,
    quantity,
    nano_per_million: usd * 1e9,
    nano: quantity * usd * 1e3,
  });
  const price = {
    tiers: [{ above: 0, rates: { input: 5e9, cached_input: 0.5e9 } }],
    source: "list",
    as_of: "2026-11-30",
  };

  it("costs the difference to a read, written tokens first, by the receipt's own rates", () => {
    const terms = [line("cache_write", 6_000, 6.25), line("input", 5_000, 5)];
    expect(priceMissed(8_000, terms, price)).toBe(6_000 * 5_750 + 2_000 * 4_500);
    expect(priceMissed(1_000, [line("cached_input", 10, 1), line("input", 5_000, 5)], price)).toBe(1_000 * 4_000);
    expect(priceMissed(0, terms, price)).toBe(0);
  });

  it("has no known cost without the rate of a read", () => {
    expect(priceMissed(1_000, [line("input", 5_000, 5)], null)).toBeNull();
    expect(priceMissed(1_000, [line("input", 500, 5)], price)).toBeNull();
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unseenMedia, withWords } from "../../../../gateway/core/chat/unseen-media.ts";
import type { PromptDialect, UnseenMedium, Untaken } from "../../../../gateway/core/chat/unseen-media.ts";
import { imagePart, textBlock, toolResult, userTurn } from "../../codecs/support/blocks.ts";

type Fields = Readonly<Record<string, unknown>>;

const BOTH: Untaken = { pictures: true, files: true };
const PNG = "data:image/png;base64,iVBORw0KGgo=";
const PDF = "data:application/pdf;base64,JVBERi0=";
const ADDRESS = "https://example.com/a.png";
const picture = (url: string | null): UnseenMedium => ({ kind: "picture", url, name: null });
const file = (url: string | null, name: string | null = null): UnseenMedium => ({ kind: "file", url, name });
const base64 = (type: string, data: string): Fields => ({ type: "base64", media_type: type, data });

describe("media of a block", () => {
  it.each<[string, PromptDialect, Fields, UnseenMedium]>([
    ["a data URL", "chat", { type: "image_url", image_url: { url: PNG, detail: "low" } }, picture(PNG)],
    ["an address", "chat", imagePart(ADDRESS), picture(ADDRESS)],
    ["an address without an object", "chat", { type: "image_url", image_url: ADDRESS }, picture(ADDRESS)],
    ["a picture as a file", "chat", { type: "file", file: { file_data: PNG } }, picture(PNG)],
    ["a file", "chat", { type: "file", file: { file_data: PDF, filename: "a.pdf" } }, file(PDF, "a.pdf")],
    ["a file in bare base64", "chat", { type: "file", file: { file_data: "JVBERi0=" } }, file(PDF)],
    ["a file at an address", "chat", { type: "file", file: { file_data: ADDRESS } }, file(ADDRESS)],
    ["a stored file", "chat", { type: "file", file: { file_id: "file_1" } }, file(null)],
    ["base64", "messages", { type: "image", source: base64("image/png", "iVBORw0KGgo=") }, picture(PNG)],
    ["an address", "messages", { type: "image", source: { type: "url", url: ADDRESS } }, picture(ADDRESS)],
    ["a stored picture", "messages", { type: "image", source: { type: "file", file_id: "f" } }, picture(null)],
    [
      "a document",
      "messages",
      { type: "document", title: "A", source: base64("application/pdf", "JVBERi0=") },
      file(PDF, "A"),
    ],
    [
      "a document at an address",
      "messages",
      { type: "document", source: { type: "url", url: ADDRESS } },
      file(ADDRESS),
    ],
    ["a data URL", "responses", { type: "input_image", image_url: PNG, detail: "auto" }, picture(PNG)],
    ["a stored picture", "responses", { type: "input_image", file_id: "file_1" }, picture(null)],
    ["a file", "responses", { type: "input_file", file_data: PDF, filename: "a.pdf" }, file(PDF, "a.pdf")],
    ["a file at an address", "responses", { type: "input_file", file_url: ADDRESS }, file(ADDRESS)],
  ])("%s, in %s", (_name, dialect, block, medium) => {
    expect(unseenMedia(dialect, bodyWith(dialect, [block]), BOTH)).toEqual([medium]);
  });

  it.each<[string, PromptDialect, Fields]>([
    ["words", "chat", textBlock(PNG)],
    ["sound", "chat", { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } }],
    ["sound as a file", "chat", { type: "file", file: { file_data: "data:audio/wav;base64,AAAA" } }],
    ["a document of words", "messages", { type: "document", source: { type: "text", data: "Hello." } }],
    ["a call's arguments", "messages", { type: "tool_use", input: { content: [{ type: "image", source: {} }] } }],
    ["a picture that was made", "responses", { type: "image_generation_call", result: "iVBORw0KGgo=" }],
  ])("%s are not, in %s", (_name, dialect, block) => {
    const body = bodyWith(dialect, [block]);
    expect(unseenMedia(dialect, body, BOTH)).toEqual([]);
    expect(withWords(dialect, body, BOTH, [])).toBe(body);
  });
});

it("takes words to the place of a picture that a tool has read, with the client's cache mark", () => {
  const image = { type: "image", source: base64("image/png", "AAAA"), cache_control: { type: "ephemeral" } };
  const result = toolResult("toolu_1", [textBlock("Read a.png"), image]);
  const body = { model: "m", messages: [userTurn([result])] };
  expect(withWords("messages", body, BOTH, ["A cat."])).toEqual({
    model: "m",
    messages: [
      userTurn([
        {
          ...result,
          content: [textBlock("Read a.png"), { type: "text", text: "A cat.", cache_control: { type: "ephemeral" } }],
        },
      ]),
    ],
  });
});

it("replaces what the model does not take, and leaves the other kind", () => {
  const blocks = [imagePart(PNG), { type: "file", file: { file_data: PDF } }];
  const [pictureBlock, fileBlock] = blocks;
  const replaced = (untaken: Untaken): unknown => withWords("chat", bodyWith("chat", blocks), untaken, ["…", "…"]);
  const words = textBlock("…");
  expect(replaced({ pictures: true, files: false })).toEqual(bodyWith("chat", [words, fileBlock as Fields]));
  expect(replaced({ pictures: false, files: true })).toEqual(bodyWith("chat", [pictureBlock as Fields, words]));
});

function bodyWith(dialect: PromptDialect, content: readonly Fields[]): Fields {
  const turn = userTurn(content);
  return dialect === "responses" ? { input: [turn] } : { messages: [turn] };
}

/** A block before and after, and how many words came into it. */
interface Pair {
  readonly before: unknown;
  /** @param next takes the words that are next */
  readonly after: (next: () => string) => unknown;
}

const same = (before: unknown): Pair => ({ before, after: () => before });
const junk = fc
  .oneof(
    fc.jsonValue({ maxDepth: 2 }),
    // What looks like a medium where none stands.
    fc.constant({ type: "tool_use", id: "t", input: { type: "image", content: [{ type: "image", source: {} }] } }),
    fc.record({ type: fc.constant("function_call"), arguments: fc.string(), output: fc.string() }),
    fc.record({
      type: fc.constantFrom("text", "input_text", "thinking"),
      text: fc.string(),
      cache_control: fc.anything(),
    }),
  )
  .map(same);

const medium = (dialect: PromptDialect, extra: Fields): fc.Arbitrary<Pair> => {
  const type = dialect === "responses" ? "input_text" : "text";
  const blocks: Readonly<Record<PromptDialect, readonly Fields[]>> = {
    chat: [imagePart(PNG), { type: "file", file: { file_data: PDF } }],
    messages: [
      { type: "image", source: base64("image/png", "AAAA"), ...extra },
      { type: "document", source: base64("application/pdf", "AAAA"), citations: { enabled: true }, ...extra },
    ],
    responses: [
      { type: "input_image", image_url: ADDRESS },
      { type: "input_file", file_id: "f" },
    ],
  };
  return fc.constantFrom(...blocks[dialect]).map((before) => ({
    before,
    after: (next) => ({
      type,
      text: next(),
      ...("cache_control" in before ? { cache_control: before["cache_control"] } : {}),
    }),
  }));
};

const listOf = (pairs: readonly Pair[], wrap: (content: readonly unknown[]) => unknown): Pair => ({
  before: wrap(pairs.map(({ before }) => before)),
  after: (next) => wrap(pairs.map(({ after }) => after(next))),
});

function turns(dialect: PromptDialect): fc.Arbitrary<Pair> {
  const plain = fc.oneof(junk, medium(dialect, {}), medium(dialect, { cache_control: { type: "ephemeral" } }));
  const nested = fc.array(plain, { maxLength: 4 }).chain((pairs) =>
    fc.constantFrom(
      listOf(pairs, (content) => toolResult("t", content)),
      listOf(pairs, (content) => ({ type: "document", title: "d", source: { type: "content", content } })),
    ),
  );
  const block = dialect === "messages" ? fc.oneof(plain, nested) : plain;
  const content = fc.array(block, { maxLength: 5 });
  const message = content.map((pairs) => listOf(pairs, (blocks) => userTurn(blocks)));
  const results = content.map((pairs) =>
    listOf(pairs, (output) => ({ type: "function_call_output", call_id: "c", output })),
  );
  const all = fc.oneof(message, dialect === "responses" ? results : message, fc.string().map(same));
  return fc
    .array(all, { maxLength: 5 })
    .map((pairs) => listOf(pairs, (list) => ({ [dialect === "responses" ? "input" : "messages"]: list })));
}

it.each<PromptDialect>(["chat", "messages", "responses"])("changes nothing but the media, in %s", (dialect) => {
  fc.assert(
    fc.property(turns(dialect), fc.dictionary(fc.string(), fc.jsonValue()), ({ before, after }, others) => {
      const others2 = Object.fromEntries(Object.entries(others).filter(([name]) => !/^(?:messages|input)$/.test(name)));
      const body = { ...others2, ...(before as Fields) };
      const frozen = JSON.stringify(body);
      let count = 0;
      const expected = { ...others2, ...(after(() => `words ${count++}`) as Fields) };
      const words = Array.from({ length: count }, (_, index) => `words ${index}`);
      expect(unseenMedia(dialect, body, BOTH)).toHaveLength(count);
      const replaced = withWords(dialect, body, BOTH, words);
      expect(replaced).toEqual(expected);
      expect(JSON.stringify(body)).toBe(frozen);
      if (count === 0) expect(replaced).toBe(body);
      // What has words in all its places has nothing left to replace.
      expect(unseenMedia(dialect, replaced, BOTH)).toEqual([]);
    }),
  );
});

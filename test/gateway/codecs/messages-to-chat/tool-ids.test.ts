import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanToolId, splitSignature, withSignature } from "../../../../gateway/codecs/messages-to-chat/tool-ids.ts";
import { ToolNames } from "../../../../gateway/codecs/messages-to-chat/tool-names.ts";

/** What vLLM calls its calls: 46 characters. */
const VLLM = `chatcmpl-tool-${"0123456789abcdef".repeat(2)}`;

describe("ids of tool calls", () => {
  it("stay as they are where every provider takes them", () => {
    for (const id of ["call_abc", "toolu_01A-x", "a".repeat(40)]) expect(cleanToolId(id)).toBe(id);
  });

  it("are there, because Anthropic refuses an empty one", () => {
    expect(cleanToolId("")).toBe("call_without_id");
  });

  it("are cleaned to the same each time, once, and kept apart", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 80, unit: "grapheme" }), (id) => {
        const clean = cleanToolId(id);
        expect(clean).toMatch(/^[\w-]{1,40}$/);
        expect(cleanToolId(clean)).toBe(clean);
      }),
    );
    expect(cleanToolId("a.b")).not.toBe(cleanToolId("a:b"));
    expect(cleanToolId(`${"a".repeat(50)}b`)).not.toBe(cleanToolId(`${"a".repeat(50)}c`));
  });

  it("are shown as Anthropic's clients take them, and come back as they were", () => {
    for (const id of ["functions.Bash:0", "call_1", VLLM, "call__as_x", "call__thought_x", "é:1"]) {
      const shown = withSignature(id, null);
      expect(shown).toMatch(/^[\w-]+$/);
      expect(splitSignature(shown)).toEqual({ id, signature: null });
    }
    expect(withSignature(VLLM, null)).toBe(VLLM);
    expect(withSignature("x:".repeat(200), null)).toMatch(/^[\w-]{1,40}$/);
  });

  it("carry a thought signature there and back", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.uint8Array({ minLength: 1 }), (id, bytes) => {
        const signature = Buffer.from(bytes).toString("base64");
        const shown = withSignature(id, signature);
        expect(shown).toMatch(/^[\w-]+$/);
        expect(splitSignature(shown)).toEqual({ id, signature });
      }),
    );
  });

  it("are left alone by a signature that is no base64", () => {
    expect(withSignature("call_1", "not base64!")).toBe("call_1");
    expect(splitSignature("call_1")).toEqual({ id: "call_1", signature: null });
  });
});

describe("names of tools", () => {
  it("are replaced where they do not fit, and put back", () => {
    const names = new ToolNames(64);
    const long = `mcp__server__${"x".repeat(80)}`;
    for (const name of [long, "with.dot", "Füße", "plain_name"]) {
      const replaced = names.toProvider(name);
      expect(replaced).toMatch(/^[\w-]{1,64}$/);
      expect(names.toProvider(name)).toBe(replaced);
      expect(names.toClient(replaced)).toBe(name);
    }
    expect(names.toProvider("plain_name")).toBe("plain_name");
    expect(names.toClient("never_seen")).toBe("never_seen");
  });
});

import { describe, expect, it } from "vitest";
import { getDescriptionId, Descriptions } from "../../../../gateway/services/chat/descriptions.ts";

const picture = (url: string) => ({ kind: "picture", url, name: null }) as const;
const idOf = (url: string, model = "gpt-4.1", key = "key_1"): string => getDescriptionId(picture(url), model, key);

describe("what a description is known by", () => {
  const known = idOf("data:image/png;base64,AAEC");

  it("is the bytes, however they are written", () => {
    expect(idOf("data:image/x-png;charset=utf-8;base64,AAEC")).toBe(known);
    expect(idOf("data:image/svg+xml,%3Csvg/%3E")).not.toBe(known);
  });

  it.each([
    ["another picture", idOf("data:image/png;base64,AAED")],
    ["another model", idOf("data:image/png;base64,AAEC", "gpt-4.1-mini")],
    ["another key", idOf("data:image/png;base64,AAEC", "gpt-4.1", "key_2")],
    ["an address", idOf("https://example.com/a.png")],
    ["a file", getDescriptionId({ kind: "file", url: "data:image/png;base64,AAEC", name: null }, "gpt-4.1", "key_1")],
  ])("is another for %s", (_name, id) => {
    expect(id).not.toBe(known);
  });
});

describe("descriptions", () => {
  it("are bounded by their number, and those that are used stay", () => {
    const kept = new Descriptions();
    kept.set("first", "1");
    for (let index = 0; index < 999; index++) kept.set(`${index}`, "x");
    expect(kept.get("first")).toBe("1");
    kept.set("one more", "x");
    expect(kept.get("first")).toBe("1");
    expect(kept.get("0")).toBeUndefined();
  });

  it("are bounded by their length", () => {
    const kept = new Descriptions();
    for (let index = 0; index < 200; index++) kept.set(`${index}`, "x".repeat(32_000));
    const left = Array.from({ length: 200 }, (_, index) => kept.get(`${index}`)).filter((text) => text !== undefined);
    expect(left.length).toBe(125);
    expect(kept.get("199")).toBeDefined();
  });
});

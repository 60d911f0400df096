import { describe, expect, it } from "vitest";
import { readCost, getParts, readSentence } from "../../../renderer/api/result-parts.ts";

describe("a response in parts", () => {
  it("names media and tasks by their ids, and keeps other links", () => {
    expect(
      getParts({
        content: [
          { type: "text", text: "Here it is." },
          { type: "image", data: "aaaa", mimeType: "image/png" },
          { type: "resource_link", uri: "postern://media/img_1", name: "image" },
          { type: "resource_link", uri: "postern://media/img_1", name: "image" },
          { type: "resource_link", uri: "postern://tasks/vt_9", name: "task" },
          { type: "resource_link", uri: "postern://models", name: "Models" },
          { type: "text", text: "Cost: $0.04 (gpt-image-1)." },
        ],
      }),
    ).toEqual({
      texts: ["Here it is."],
      media: ["img_1"],
      tasks: ["vt_9"],
      links: [{ uri: "postern://models", name: "Models" }],
      unkept: 0,
    });
  });

  it("counts what came as data and is not in the library", () => {
    const image = { type: "image", data: "aaaa", mimeType: "image/png" };
    const parts = getParts({ content: [image, image, { type: "resource_link", uri: "postern://media/a", name: "a" }] });
    expect([parts.media, parts.unkept]).toEqual([["a"], 1]);
  });

  it("shows the text of an embedded resource, and survives blocks that it does not know", () => {
    expect(
      getParts({
        content: [
          { type: "resource", resource: { uri: "postern://media/b", text: "transcript" } },
          { type: "resource" },
          { type: "hologram", data: 1 },
          { type: "text" },
        ],
      }),
    ).toEqual({ texts: ["transcript"], media: ["b"], tasks: [], links: [], unkept: 0 });
  });
});

it.each([
  [
    { cost_usd: 0.000_42, sandbox: false },
    { nano: 420_000, sandbox: false, kind: "is" },
  ],
  [
    { cost_usd: null, sandbox: false },
    { nano: null, sandbox: false, kind: "is" },
  ],
  [
    { cost_usd: 0.1, sandbox: true },
    { nano: 100_000_000, sandbox: true, kind: "is" },
  ],
  [
    { max_cost_usd: 0.5, is_guess: false },
    { nano: 500_000_000, sandbox: false, kind: "most" },
  ],
  [
    { max_cost_usd: null, is_guess: true },
    { nano: null, sandbox: false, kind: "about" },
  ],
  [{ cost_usd: null, status: "queued", sandbox: false }, undefined],
  [
    { cost_usd: 0.5, status: "succeeded", sandbox: false },
    { nano: 500_000_000, sandbox: false, kind: "is" },
  ],
  [
    { expected_cost_usd: 0.5, max_cost_usd: null, task: { sandbox: true } },
    { nano: 500_000_000, sandbox: true, kind: "about" },
  ],
  [{ models: [] }, undefined],
  [null, undefined],
])("the money of %o is %o", (structured, cost) => {
  expect(readCost(structured)).toEqual(cost);
});

it("a refusal is reported without its code, which stands next to it", () => {
  const content = [{ type: "text", text: "insufficient_quota: The key has spent its limit." }];
  expect(readSentence({ content, code: "insufficient_quota" })).toBe("The key has spent its limit.");
  expect(readSentence({ content: [{ type: "text", text: "Odd: yes" }], code: null })).toBe("Odd: yes");
  expect(readSentence({ content: [], code: null })).toBe("");
});

import { expect, it } from "vitest";
import { cosine, similarities } from "../../../../renderer/features/playground/embeddings/similarity-table.tsx";
import { chooseKind, startingModel } from "../../../../renderer/features/playground/kinds.ts";
import { countImages } from "../../../../renderer/features/playground/media/media-result.ts";

const models = [
  { id: "closed", capabilities: ["chat"], served: false, aliases: ["old"], other_names: [] },
  { id: "chatty", capabilities: ["chat", "messages"], served: true, aliases: ["mine"], other_names: ["lab/chatty"] },
  { id: "painter", capabilities: ["image", "image_edit"], served: true, aliases: [], other_names: [] },
];

it("knows the kind of an address, and the model to begin with", () => {
  expect(chooseKind("video", "painter", models)).toBe("video");
  expect(chooseKind(null, "painter", models)).toBe("image");
  expect(chooseKind("constructor", "unknown", models)).toBe("chat");
  expect(startingModel("edit", "", models)).toBe("painter");
  expect(startingModel("speech", "", models)).toBe("");
});

it.each([
  ["mine", "mine"],
  ["lab/chatty", "lab/chatty"],
  ["closed", "chatty"],
  ["old", "chatty"],
  ["never-heard-of", "chatty"],
])("begins with %s where that is served: %s", (chosen, model) => {
  expect(startingModel("chat", chosen, models)).toBe(model);
  expect(startingModel("speech", chosen, models)).toBe(model === chosen ? model : chosen);
});

it("says how close vectors are", () => {
  expect(cosine([1, 0], [2, 0])).toBe(1);
  expect(cosine([1, 0], [0, 3])).toBe(0);
  expect(cosine([1, 1], [-1, -1])).toBeCloseTo(-1);
  expect(cosine([0, 0], [1, 1])).toBe(0);
  expect(
    similarities([
      [1, 0],
      [0, 1],
    ]),
  ).toEqual([
    [1, 0],
    [0, 1],
  ]);
});

it("counts the images of a response, whatever its shape", () => {
  expect(countImages({ data: [{ b64_json: "" }, { url: "" }] })).toBe(2);
  expect(countImages({ output: { choices: [{ message: { content: [{ image: "https://a" }] } }] } })).toBe(1);
  expect(countImages({ candidates: [{ content: { parts: [{ text: "x" }, { inlineData: {} }] } }] })).toBe(1);
  expect(countImages(null)).toBe(0);
});

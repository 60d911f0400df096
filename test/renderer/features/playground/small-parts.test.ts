import { describe, expect, it } from "vitest";
import { passagesOf } from "../../../../renderer/features/playground/chat/passages.ts";
import { codeSample, python } from "../../../../renderer/features/playground/code-samples.ts";
import { cosine, similarities } from "../../../../renderer/features/playground/embeddings/similarity.ts";
import { kindOf, startingModel } from "../../../../renderer/features/playground/kinds.ts";
import { imagesIn } from "../../../../renderer/features/playground/media/media-result.ts";

const models = [
  { id: "chatty", capabilities: ["chat", "messages"] },
  { id: "painter", capabilities: ["image", "image_edit"] },
];

it("knows the kind of an address, and the model to begin with", () => {
  expect(kindOf("video", "painter", models)).toBe("video");
  expect(kindOf(null, "painter", models)).toBe("image");
  expect(kindOf("constructor", "unknown", models)).toBe("chat");
  expect(startingModel("edit", "", models)).toBe("painter");
  expect(startingModel("speech", "", models)).toBe("");
  expect(startingModel("chat", "mine", models)).toBe("mine");
});

describe("a model's words", () => {
  it("are text and code, and nothing else", () => {
    expect(passagesOf("Look:\n\n```js\nlet a = 1;\n```\nDone <b>now</b>.")).toEqual([
      { kind: "text", text: "Look:" },
      { kind: "code", language: "js", text: "let a = 1;" },
      { kind: "text", text: "Done <b>now</b>." },
    ]);
    expect(passagesOf("````\n```\ninner\n```\n````")).toEqual([
      { kind: "code", language: "", text: "```\ninner\n```" },
    ]);
  });

  it("may end in the middle of code, and may be empty", () => {
    expect(passagesOf("```py\nprint(")).toEqual([{ kind: "code", language: "py", text: "print(" }]);
    expect(passagesOf("")).toEqual([]);
  });
});

describe("samples of code", () => {
  const body = { model: "m", input: "it's $HOME", stream: false, tools: [], seed: null, nested: { yes: true } };

  it("say the same in each language, and quote what a shell would read", () => {
    const curl = codeSample("curl", "http://127.0.0.1:6174", { path: "/v1/x", body });
    expect(curl).toContain(String.raw`it'\''s $HOME`);
    const script = codeSample("javascript", "http://127.0.0.1:6174", { path: "/v1/x", body });
    expect(script).toContain('fetch("http://127.0.0.1:6174/v1/x"');
    expect(python(body)).toBe(
      `{\n    "model": "m",\n    "input": "it's $HOME",\n    "stream": False,\n    "tools": [],\n    "seed": None,\n    "nested": {\n        "yes": True,\n    },\n}`,
    );
    for (const kind of ["curl", "python", "javascript"] as const) {
      const text = codeSample(kind, "http://a", { path: "/v1/x", body: { ...body, stream: true } });
      expect(text).toContain("POSTERN_API_KEY");
    }
  });

  it("send forms with their files", () => {
    const form = new FormData();
    form.set("prompt", "@home; it's");
    form.set("image", new Blob(["x"]), "picture.png");
    const request = { path: "/v1/images/edits", body: form };
    expect(codeSample("curl", "http://a", request)).toContain(String.raw`--form-string 'prompt=@home; it'\''s' \
  -F 'image=@picture.png'`);
    form.set("image", new Blob(["x"]), 'a,"b";type=x.png');
    expect(codeSample("curl", "http://a", request)).toContain(String.raw`-F 'image=@"a,\"b\";type=x.png"'`);
    form.set("image", new Blob(["x"]), "picture.png");
    expect(codeSample("python", "http://a", request)).toContain('"image": open("picture.png", "rb")');
    expect(codeSample("javascript", "http://a", request)).toContain('await openAsBlob("picture.png")');
  });
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

it("counts the images of an answer, whatever its shape", () => {
  expect(imagesIn({ data: [{ b64_json: "" }, { url: "" }] })).toBe(2);
  expect(imagesIn({ output: { choices: [{ message: { content: [{ image: "https://a" }] } }] } })).toBe(1);
  expect(imagesIn({ candidates: [{ content: { parts: [{ text: "x" }, { inlineData: {} }] } }] })).toBe(1);
  expect(imagesIn(null)).toBe(0);
});

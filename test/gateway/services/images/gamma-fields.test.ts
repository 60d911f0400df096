import { describe, expect, it } from "vitest";
import { GAMMA_ROUTE, PIXEL_BASE64, gammaResponse, gammaBody } from "../../../support/image-acts.ts";
import { reply } from "../../../support/wire-provider.ts";
import { useGamma } from "./image-stages.ts";

const { wire, postern, fileUrl, asked, sent, accepted } = useGamma();

const IMAGE = "https://example.com/cat.png";
const TEXT = { text: "Make the sky green" };

/** Refuses with the flat envelope, and nothing reaches the provider. @returns the message. */
async function refused(body: unknown): Promise<string> {
  const response = await postern.post("/images/generations", body);
  const error = (await response.json()) as Record<string, unknown>;
  expect(response.status).toBe(400);
  expect(Object.keys(error).toSorted()).toEqual(["code", "message", "request_id"]);
  expect(error["code"]).toBe("InvalidParameter");
  expect(error["request_id"]).toBe(response.headers.get("x-request-id"));
  expect(asked()).toEqual([]);
  return String(error["message"]);
}

describe("specification, POST /v1/images/generations", () => {
  it.each([
    ["gamma-image-2.0", "qwen-image-2.0", false],
    ["gamma-image-2.0-pro", "qwen-image-2.0-pro", false],
    ["gamma-image-max", "qwen-image-max", false],
    ["gamma-image-edit", "qwen-image-edit", true],
    ["gamma-image-edit-plus", "qwen-image-edit-plus", true],
    ["gamma-image-edit-max", "qwen-image-edit-max", true],
  ])("model: %s is %s at the provider", async (model, upstream, edits) => {
    await accepted(gammaBody(model, null, edits ? [{ image: IMAGE }, TEXT] : [TEXT]));
    expect(sent().json["model"]).toBe(upstream);
  });

  it("model: the provider's own id is an alias, with the nested envelope", async () => {
    await accepted(gammaBody("qwen-image-2.0"));
    expect(sent().json["model"]).toBe("qwen-image-2.0");
    const response = await postern.post("/images/generations", gammaBody("qwen-image-2.0", { n: 2 }));
    expect(await response.json()).toMatchObject({ error: { param: "parameters.n", code: "invalid_value" } });
  });

  it.each(["gamma-image-edit", "gamma-image-edit-plus", "gamma-image-edit-max"])(
    "model: %s requires 1 to 3 reference images",
    async (model) => {
      for (const count of [0, 4]) {
        const content = [...Array.from({ length: count }, () => ({ image: IMAGE })), TEXT];
        expect(await refused(gammaBody(model, null, content))).toMatch(/1 to 3 blocks with image/);
      }
      for (const count of [1, 2, 3]) {
        wire.seen.length = 0;
        const images = Array.from({ length: count }, (_, index) => ({ image: `${IMAGE}?${index}` }));
        await accepted(gammaBody(model, null, [TEXT, ...images]));
        expect(sent().json["input"]).toEqual({ messages: [{ role: "user", content: [...images, TEXT] }] });
      }
    },
  );

  it("model: gamma-image-max makes images from text alone, gamma-image-2.0 takes references too", async () => {
    expect(await refused(gammaBody("gamma-image-max", null, [{ image: IMAGE }, TEXT]))).toMatch(/from text alone/);
    await accepted(gammaBody("gamma-image-2.0", null, [{ image: IMAGE }, TEXT]));
  });

  const content = (value: unknown): object => ({ messages: [{ role: "user", content: value }] });
  it.each<[string, unknown, RegExp]>([
    ["input", undefined, /'input'/],
    ["input", null, /'input'/],
    ["input", "A red fox", /'input'/],
    ["input", [], /'input'/],
    ["input.messages", { messages: [] }, /'input.messages'.*exactly one message/],
    ["input.messages", { messages: [1, 2].map(() => ({ role: "user", content: [TEXT] })) }, /exactly one message/],
    ...["system", "assistant", "", 1, undefined].map((role): [string, unknown, RegExp] => [
      "input.messages[].role",
      { messages: [{ role, content: [TEXT] }] },
      /'input.messages\[0\].role'.*"user"/,
    ]),
    ["input.messages[].content", content(undefined), /'input.messages\[0\].content'/],
    ["input.messages[].content", content("A red fox"), /'input.messages\[0\].content'.*an array/],
    ["input.messages[].content", content([]), /at least one block with text/],
    ["input.messages[].content", content([TEXT, {}]), /content\[1\]'.*text or with image/],
    [
      "input.messages[].content",
      content([{ text: "x", image: IMAGE }]),
      /content\[0\]'.*either text or image, not both/,
    ],
    [
      "input.messages[].content",
      content([{ type: "image_url", image_url: { url: IMAGE } }]),
      /content\[0\]'.*text or with image/,
    ],
    ["input.messages[].content", content([{ image: IMAGE }]), /at least one block with text/],
    ["(block) text", content([{ text: "" }]), /content\[0\].text'/],
    ["(block) text", content([{ text: "  \n" }]), /content\[0\].text'/],
    ["(block) text", content([{ text: 5 }]), /content\[0\].text'/],
  ])("%s: is refused where it is %j", async (_row, input, message) => {
    expect(await refused({ model: "gamma-image-2.0", input, prompt: "A red fox" })).toMatch(message);
  });

  it("input.messages[].content: several texts reach the provider as the one that it takes", async () => {
    await accepted(gammaBody("gamma-image-2.0", null, [{ text: "A red fox", type: "text" }, { text: "in the snow" }]));
    expect(sent().json["input"]).toEqual({
      messages: [{ role: "user", content: [{ text: "A red fox\nin the snow" }] }],
    });
  });

  it.each([
    "http://example.com/cat.png",
    "ftp://example.com/cat.png",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "https://",
    "cat.png",
    "",
    "data:text/html;base64,PGI+",
    "data:image/png,plain",
    "data:image/png;base64,",
    7,
  ])("(block) image: %j is refused", async (image) => {
    expect(await refused(gammaBody("gamma-image-edit", null, [{ image }, TEXT]))).toMatch(/content\[0\].image'/);
  });

  it.each([IMAGE, "HTTPS://example.com/cat.png", `data:image/png;base64,${PIXEL_BASE64}`])(
    "(block) image: %s goes to the provider",
    async (image) => {
      await accepted(gammaBody("gamma-image-edit", null, [{ image }, TEXT]));
      expect(sent().json["input"]).toEqual({ messages: [{ role: "user", content: [{ image }, TEXT] }] });
    },
  );

  it.each([["text"], [[]], [1]])("parameters: an object, not %j", async (parameters) => {
    expect(await refused({ ...gammaBody("gamma-image-2.0"), parameters })).toMatch(/'parameters'.*an object/);
  });

  /** Each size of the specification, and what qwen-image-max makes that is nearest to it; others make it, in their spelling. */
  const SIZES: readonly (readonly [size: string, own: string, ofFive: string])[] = [
    ["1024*1024", "1024*1024", "1328*1328"],
    ["1664*928", "1664*928", "1664*928"],
    ["1472*1140", "1472*1104", "1472*1104"],
    ["1328*1328", "1328*1328", "1328*1328"],
    ["1140*1472", "1104*1472", "1104*1472"],
    ["928*1664", "928*1664", "928*1664"],
    ["1280*720", "1280*720", "1664*928"],
    ["720*1280", "720*1280", "928*1664"],
    ["1472*1104", "1472*1104", "1472*1104"],
    ["1104*1472", "1104*1472", "1104*1472"],
  ];
  const MODELS = [
    "gamma-image-2.0",
    "gamma-image-2.0-pro",
    "gamma-image-max",
    "gamma-image-edit",
    "gamma-image-edit-plus",
    "gamma-image-edit-max",
  ] as const;
  const contentOf = (model: string): object[] => (model.includes("edit") ? [{ image: IMAGE }, TEXT] : [TEXT]);
  const parametersOf = (model: string, own: string, ofFive: string): object => {
    if (model === "gamma-image-edit") return { n: 1 };
    return { size: model === "gamma-image-max" ? ofFive : own, n: 1 };
  };

  describe.each(MODELS)("parameters.size: %s", (model) => {
    it.each(SIZES)(
      "takes %s, in the provider's spelling too, and asks for what it makes",
      async (size, own, ofFive) => {
        for (const spelling of [size, size.replace("*", "x")]) {
          wire.seen.length = 0;
          await accepted(gammaBody(model, { size: spelling }, contentOf(model)));
          expect(sent().json["parameters"]).toEqual(parametersOf(model, own, ofFive));
        }
      },
    );

    it("has 1024*1024 for its default", async () => {
      await accepted(gammaBody(model, null, contentOf(model)));
      expect(sent().json["parameters"]).toEqual(parametersOf(model, "1024*1024", "1328*1328"));
    });

    it.each(["1000*1000", "2048*2048", "1024", "*", "", "auto", "1024×1024", 1024, { width: 1024 }])(
      "refuses %j, with what it takes",
      async (size) => {
        const message = await refused(gammaBody(model, { size }, contentOf(model)));
        expect(message).toMatch(/'parameters.size'/);
        if (typeof size === "string" && size !== "") expect(message).toContain("accepts 1024*1024, 1664*928");
      },
    );
  });

  it("parameters.size: the response says the size that was made, the provider's figure or what it was asked for", async () => {
    const body = gammaResponse(fileUrl());
    wire.on(GAMMA_ROUTE, reply(200, { ...body, usage: { image_count: 1, width: 1_328, height: 1_328 } }));
    const made = await accepted(gammaBody("gamma-image-max", { size: "1024*1024" }));
    expect(made["usage"]).toMatchObject({ width: 1_328, height: 1_328 });
    wire.on(GAMMA_ROUTE, reply(200, { ...body, usage: { image_count: 1 } }));
    const silent = await accepted(gammaBody("gamma-image-max", { size: "1280*720" }));
    expect(silent["usage"]).toMatchObject({ width: 1_664, height: 928 });
  });

  it("parameters.size: never reaches gamma-image-edit, which keeps to its picture", async () => {
    const given = { size: "1024*1024", prompt_extend: true, watermark: false };
    await accepted(gammaBody("gamma-image-edit", given, [{ image: IMAGE }, TEXT]));
    expect(sent().json["parameters"]).toEqual({ watermark: false, n: 1 });
  });

  it.each<[string, unknown[], unknown[]]>([
    ["parameters.n", [0, 2, 1.5, -1, "1", true], [1]],
    ["parameters.seed", [-1, 2_147_483_648, 1.5, "7"], [0, 2_147_483_647]],
    ["parameters.watermark", ["true", 1, []], [true, false]],
    ["parameters.prompt_extend", ["true", 1, []], [true, false]],
    ["parameters.negative_prompt", ["x".repeat(501), 5, ["fog"]], ["x".repeat(500)]],
  ])("%s: refuses %j and takes %j", async (row, wrong, right) => {
    const field = row.replace("parameters.", "");
    for (const value of wrong)
      expect(await refused(gammaBody("gamma-image-2.0", { [field]: value }))).toContain(`'${row}'`);
    for (const value of right) {
      wire.seen.length = 0;
      await accepted(gammaBody("gamma-image-2.0", { [field]: value }));
      expect(sent().json["parameters"]).toMatchObject({ [field]: value });
    }
  });
});

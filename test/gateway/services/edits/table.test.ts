import { beforeEach, describe, expect, it } from "vitest";
import { imageEditResponseSchema } from "../../../../gateway/contract/image-edits.ts";
import { EDIT_USAGE, deltaEdit, epsilonEdit, fieldsSeen, filesSeen, postForm } from "../../../support/edit-acts.ts";
import { formOf } from "../../../support/forms.ts";
import { jpeg, png, webp } from "../../../support/pictures.ts";
import { errorOf, providersAt } from "../../../support/running-gateway.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";
import { reply, type WireAct, type WireSeen } from "../../../support/wire-provider.ts";

/** The rows of the specification's table of POST /v1/images/edits, and its responses, on the wire. */

type Files = Parameters<typeof formOf>[1];
type Fields = Readonly<Record<string, string>>;
type Refused = [param: string, fields: Fields, words: RegExp];

/** A key that can pay for nothing. */
const POOR_KEY = "sk-test-poor-key-000000001";
const IMAGE: Files = [["image", png()]];
const USUAL = { model: "delta-image-2", prompt: "Add a hat" };

const wire = useWire();
const postern = useGateway(() => ({
  keys: [{ key: POOR_KEY, name: "poor", limit_usd: 0.000_1 }],
  env: providersAt({ OPENAI: `${wire.origin}/v1` }),
}));
const does = (act: WireAct): unknown => wire.on("POST /v1/images/edits", act);
beforeEach(() => {
  wire.reset();
  does(reply(200, deltaEdit()));
});

/** Edits that reached the provider; the library fetches results in addition. */
const requests = (): readonly WireSeen[] => wire.seen.filter(({ method }) => method === "POST");

const edit = (fields: Fields = {}, files: Files = IMAGE, key?: string): Promise<Response> =>
  postForm(postern, formOf({ ...USUAL, ...fields }, files), key);

async function received(fields: Fields, files: Files = IMAGE): Promise<WireSeen> {
  wire.seen.length = 0;
  const response = await edit(fields, files);
  expect([response.status, await response.text()]).toEqual([200, expect.anything()]);
  const [seen] = requests();
  if (seen === undefined) throw new Error("nothing reached the provider");
  return seen;
}

/** What reaches the provider in addition model, prompt and files. */
async function sent(fields: Fields): Promise<Fields> {
  const { model: _model, prompt: _prompt, ...rest } = await fieldsSeen(await received(fields));
  return rest;
}

/** The error of a form that must not reach the provider. */
async function refused(form: FormData): ReturnType<typeof errorOf> {
  const response = await postForm(postern, form);
  const error = await errorOf(response);
  expect([response.status, error.type]).toEqual([400, "invalid_request_error"]);
  expect(requests()).toEqual([]);
  return error;
}

const EPSILON = { model: "epsilon-2" };
const BASE64 = { response_format: "b64_json" };

describe("specification, POST /v1/images/edits", () => {
  it.each<[string, Fields, Fields?]>([
    ["n", {}],
    ["n", { n: "1" }],
    ["n", { n: "10" }],
    ["size", { size: "auto" }],
    ["size", { size: "1024x1024" }],
    ["size", { size: "1024x1536" }],
    ["size", { size: "1536x1024" }],
    ["size", { ...EPSILON, size: "256x256" }, { ...BASE64, size: "256x256" }],
    ["size", { ...EPSILON, size: "512x512" }, { ...BASE64, size: "512x512" }],
    ["size", { ...EPSILON, size: "1024x1024" }, { ...BASE64, size: "1024x1024" }],
    ["size", { ...EPSILON, size: "auto" }, BASE64],
    ["quality", { quality: "auto" }],
    ["quality", { quality: "low" }],
    ["quality", { quality: "medium" }],
    ["quality", { quality: "high" }],
    ["quality", { quality: "standard" }, { quality: "medium" }],
    ["quality", { quality: "hd" }, { quality: "high" }],
    ["quality", { ...EPSILON, quality: "hd" }, BASE64],
    ["response_format", { response_format: "b64_json" }, {}],
    ["response_format", { response_format: "url" }, {}],
    ["response_format", EPSILON, BASE64],
    ["response_format", { ...EPSILON, response_format: "url" }, { response_format: "url" }],
    ["output_format", { output_format: "png" }],
    ["output_format", { output_format: "jpeg" }],
    ["output_format", { output_format: "webp" }],
    ["background", { background: "opaque" }],
    ["background", { background: "transparent" }],
    ["background", { background: "transparent", output_format: "webp" }],
    ["user", { user: "user-7" }],
    ["fields that are not in the table", { input_fidelity: "high", moderation: "low", brand_new: "1" }],
  ])("%s: %j reaches the provider as it should", async (_row, fields, expected) => {
    const { model: _model, ...same } = fields;
    expect(await sent(fields)).toEqual(expected ?? same);
  });

  it.each<Refused>([
    ...["0", "11", "1.5", "abc", "", "-1", "1e2"].map((n): Refused => [
      "n",
      { n },
      /whole number (from 1 to 10|of at least 1)/,
    ]),
    ["size", { size: "256x256" }, /1024x1024/],
    ["size", { size: "wide" }, /1024x1024/],
    ["size", { size: "" }, /1024x1024/],
    ["size", { ...EPSILON, size: "1024x1536" }, /256x256/],
    ["size", { size: "2K" }, /\/v1\/images\/generations/],
    ["size", { size: "3840x2160" }, /\/v1\/images\/generations/],
    ["quality", { quality: "ultra" }, /auto.*standard.*hd/],
    ["response_format", { response_format: "file" }, /b64_json/],
    ["output_format", { ...EPSILON, output_format: "jpeg" }, /delta-image/],
    ["output_format", { output_format: "gif" }, /png/],
    ["background", { background: "transparent", output_format: "jpeg" }, /png or webp/],
    ["prompt", { prompt: " \n" }, /prompt/],
    ["prompt", { prompt: "x".repeat(32_001) }, /32000/],
    ["prompt", { ...EPSILON, prompt: "x".repeat(1_001) }, /1000/],
    ["model", { model: "delta-image-99" }, /delta-image-99/],
    ["model", { model: "gpt-4.1" }, /\/v1\/chat/],
    ["model", { model: "epsilon-3" }, /\/v1\/images\/generations/],
    ["model", { model: "text-embedding-3-small" }, /\/v1\/embeddings/],
  ])("%s: 400 for %j", async (param, fields, words) => {
    const error = await refused(formOf({ ...USUAL, ...fields }, IMAGE));
    expect([error.param, error.message]).toEqual([param, expect.stringMatching(words)]);
  });

  it.each<[string, FormData]>([
    ["image", formOf(USUAL, [])],
    ["model", formOf({ prompt: "x" }, IMAGE)],
    ["prompt", formOf({ model: "delta-image-2" }, IMAGE)],
  ])("%s: is required", async (param, form) => {
    expect(await refused(form)).toMatchObject({ code: "missing_required_parameter", param });
  });

  it.each([
    ["delta-image-2", "gpt-image-2"],
    ["delta-image-1", "gpt-image-1"],
    ["delta-image-1.5", "gpt-image-1.5"],
    ["gpt-image-1-mini", "gpt-image-1-mini"],
    ["epsilon-2", "dall-e-2"],
    ["dall-e-2", "dall-e-2"],
  ])("model: %s is %s at the provider, with the prompt as it is and a mask byte for byte", async (model, upstream) => {
    const prompt = "Ein Hut für die Katze 🐈";
    const mask = png({ padding: 1_000 });
    const seen = await received({ model, prompt }, [...IMAGE, ["mask", mask]]);
    expect(await fieldsSeen(seen)).toMatchObject({ model: upstream, prompt });
    expect(seen.headers.authorization).toBe("Bearer sk-openai-0001");
    const files = await filesSeen(seen);
    expect(files.map(({ field, type }) => [field, type])).toEqual([
      ["image", "image/png"],
      ["mask", "image/png"],
    ]);
    expect(files[1]?.bytes.equals(mask)).toBe(true);
  });

  it("image: PNG, JPEG and WebP reach the provider as they are, several under repeated image[]", async () => {
    const pictures = [png(), jpeg(), webp()];
    const several = pictures.map((bytes) => ["image[]", bytes] as const);
    for (const files of [...pictures.map((bytes) => [["image", bytes]] as const), several]) {
      const seen = await filesSeen(await received({}, files));
      expect(seen.map(({ field, bytes }) => [field, bytes.toString("hex")])).toEqual(
        files.map(([field, bytes]) => [field, bytes.toString("hex")]),
      );
    }
  });

  it.each<[string, Fields, Files, string, RegExp]>([
    [
      "several images for a model of one",
      EPSILON,
      [...IMAGE, ...IMAGE].map(([, bytes]) => ["image[]", bytes] as const),
      "invalid_value",
      /epsilon-2.*one image/,
    ],
    [
      "an unsupported format, whatever its name and type say",
      {},
      [["image", Buffer.from("GIF89a\x01\0\x01\0\0\0\0;", "latin1"), "fine.png"]],
      "invalid_value",
      /PNG, JPEG or WebP/,
    ],
    [
      "a mask of another size than the image",
      {},
      [...IMAGE, ["mask", png({ width: 32, height: 48 })]],
      "invalid_mask",
      /32x48.*64x64/,
    ],
    ["a JPEG for a mask", {}, [...IMAGE, ["mask", jpeg()]], "invalid_mask", /PNG/],
    ["a mask without transparency", {}, [...IMAGE, ["mask", png({ colourType: 2 })]], "invalid_mask", /alpha/],
  ])("400 for %s", async (_name, fields, files, code, words) => {
    const error = await refused(formOf({ ...USUAL, ...fields }, files));
    expect([error.code, error.message]).toEqual([code, expect.stringMatching(words)]);
    expect(error.param).toBe(code === "invalid_mask" ? "mask" : "image");
  });
});

describe("specification, Image result, edits endpoint", () => {
  it("is the provider's own response, byte for byte, where nothing is missing", async () => {
    const text = JSON.stringify({ ...deltaEdit(), extra: [1.0] }, null, 1);
    does((_seen, outgoing) => void outgoing.writeHead(200, { "content-type": "application/json" }).end(text));
    expect(await (await edit()).text()).toBe(text);
    expect(imageEditResponseSchema().parse(JSON.parse(text))).toMatchObject({ usage: EDIT_USAGE });
  });

  it("has what epsilon does not echo filled in, and says what size auto came to", async () => {
    does(reply(200, epsilonEdit(2)));
    const body = await (await edit({ ...EPSILON, size: "512x512", n: "2" })).json();
    expect(imageEditResponseSchema().parse(body)).toMatchObject({
      created: 1_713_833_628,
      data: [{}, {}],
      background: "auto",
      output_format: "png",
      quality: "auto",
      size: "512x512",
      usage: {
        input_tokens: 0,
        output_tokens: 0,
        total_tokens: 0,
        input_tokens_details: { text_tokens: 0, image_tokens: 0 },
      },
    });
    expect(await (await edit(EPSILON)).json()).toMatchObject({ size: "32x32" });
  });

  it("has the address of a picture where that was asked for", async () => {
    const data = [{ url: `${wire.origin}/picture.png` }];
    does(reply(200, { created: 1, data }));
    expect(await (await edit({ ...EPSILON, response_format: "url" })).json()).toMatchObject({ data });
  });

  it("402 when the balance does not cover the edit, before anything is sent", async () => {
    const response = await edit({}, IMAGE, POOR_KEY);
    expect([response.status, response.headers.get("x-should-retry")]).toEqual([402, "false"]);
    const message = expect.stringMatching(/poor.*left/) as string;
    expect(await errorOf(response)).toMatchObject({ type: "insufficient_quota", code: "insufficient_quota", message });
    expect(requests()).toEqual([]);
  });

  it("has the upstream's error text", async () => {
    const refusal = {
      message: "Your request was rejected by the safety system. safety_violations=[sexual].",
      type: "image_generation_user_error",
      param: null,
      code: "moderation_blocked",
    };
    does(reply(400, { error: refusal }));
    const response = await edit();
    expect([response.status, await errorOf(response)]).toEqual([400, refusal]);
  });
});

import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  OPENAI_ROUTE,
  PIXEL,
  PIXEL_BASE64,
  completedEvent,
  deltaResponse,
  gammaResponse,
  gammaBody,
  imageEvent,
  partialEvent,
} from "../../../support/image-acts.ts";
import { errorOf, providersAt } from "../../../support/running-gateway.ts";
import { reply, replyEvents } from "../../../support/wire-provider.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

const wire = useWire();
const EDITS_ROUTE = "POST /v1/images/edits";
const LISTED = ["house-image", "gpt-image-1", "gamma-image-2.0"];
const MODELS = reply(200, { object: "list", data: LISTED.map((id) => ({ id, object: "model" })) });
beforeAll(async () => {
  wire.on("GET /v1/models", MODELS);
});
const postern = useGateway(() => ({ env: providersAt({ COMPATIBLE: `${wire.origin}/v1` }) }));
beforeEach(() => {
  wire.reset();
  wire.on("GET /v1/models", MODELS).on(OPENAI_ROUTE, reply(200, deltaResponse()));
});

const PROMPT = "A red fox";
const sent = (): unknown => wire.seen.find(({ method }) => method === "POST")?.json;

describe("a model that only its server knows", () => {
  it("gives base64 to OpenAI's SDK, which does not ask for it", async () => {
    const result = await postern.sdk().images.generate({ model: "house-image", prompt: PROMPT, n: 2 });
    expect(result.data?.[0]?.b64_json).toBe(PIXEL_BASE64);
    expect(sent()).toEqual({ model: "house-image", prompt: PROMPT, n: 2, response_format: "b64_json" });
  });

  it("gets what it was sent, values that no one here knows too", async () => {
    const body = {
      model: "house-image",
      prompt: PROMPT,
      size: "800x600",
      quality: "ultra",
      response_format: "url",
      n: 20,
      background: "blurred",
      output_format: "avif",
      output_compression: 150,
      partial_images: 4,
      steps: 30,
      loras: [{ name: "fox" }],
    };
    expect((await postern.post("/images/generations", body)).status).toBe(200);
    expect(sent()).toEqual(body);
  });

  it.each([
    ["prompt", undefined],
    ["prompt", ""],
    ["n", 0],
    ["n", 1.5],
    ["size", 5],
    ["response_format", "png"],
    ["stream", "yes"],
    ["partial_images", -1],
  ])("is checked by the common types: %s %j", async (field, value) => {
    const response = await postern.post("/images/generations", {
      model: "house-image",
      prompt: PROMPT,
      [field]: value,
    });
    expect(response.status).toBe(400);
    expect((await errorOf(response)).param).toBe(field);
    expect(sent()).toBeUndefined();
  });

  it("is unpriced, with what is known of it", async () => {
    await (await postern.post("/images/generations", { model: "house-image", prompt: PROMPT })).text();
    expect(await postern.receipt()).toMatchObject({
      provider: "openai-compatible",
      nano: null,
      terms: [
        { unit: "input", quantity: 44 },
        { unit: "image", quantity: 1 },
        { unit: "image_output", quantity: 4_160 },
      ],
    });
  });

  it("streams", async () => {
    wire.on(OPENAI_ROUTE, replyEvents(partialEvent(0), completedEvent()));
    const stream = await postern
      .sdk()
      .images.generate({ model: "house-image", prompt: PROMPT, stream: true, partial_images: 1 });
    const types = [];
    for await (const event of stream) types.push(event.type);
    expect(types).toEqual(["image_generation.partial_image", "image_generation.completed"]);
    expect(sent()).toEqual({ model: "house-image", prompt: PROMPT, stream: true, partial_images: 1 });
  });

  it("that cannot stream answers all the same, as the events that close a stream", async () => {
    wire.on(OPENAI_ROUTE, reply(200, deltaResponse(2)));
    const stream = await postern.sdk().images.generate({ model: "house-image", prompt: PROMPT, n: 2, stream: true });
    const events = [];
    for await (const event of stream) events.push(event);
    expect(events).toHaveLength(2);
    for (const event of events) {
      expect(event).toMatchObject({
        type: "image_generation.completed",
        b64_json: PIXEL_BASE64,
        size: "1024x1024",
        quality: "high",
      });
    }
    expect(events[1]).toHaveProperty("usage.output_tokens", 4_160);
    expect(await postern.receipt()).toMatchObject({ outcome: "completed", stream: true });
  });

  it("that answers a wish for a stream with nonsense is reported so", async () => {
    wire.on(OPENAI_ROUTE, reply(200, { hello: "world" }));
    const response = await postern.post("/images/generations", { model: "house-image", prompt: PROMPT, stream: true });
    expect(response.status).toBe(502);
    expect((await errorOf(response)).message).toContain("a stream of images");
  });

  it("whose stream begins with an error gives that error", async () => {
    const error = { message: "No such sampler.", type: "invalid_request_error", param: "sampler", code: 400 };
    wire.on(OPENAI_ROUTE, replyEvents(imageEvent({ type: "error", error })));
    const response = await postern.post("/images/generations", { model: "house-image", prompt: PROMPT, stream: true });
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ message: "No such sampler.", param: "sampler" });
  });
});

describe("the form of a response", () => {
  const DATA = `data:image/png;base64,${PIXEL_BASE64}`;
  beforeEach(() => {
    wire.on(
      "GET /pixel.png",
      (_, outgoing) => void outgoing.writeHead(200, { "content-type": "image/png" }).end(PIXEL),
    );
    wire.on(EDITS_ROUTE, reply(404, {}));
  });
  it.each<[asked: object, given: object, got: object]>([
    [{}, { url: "PIXEL", revised_prompt: "A fox" }, { b64_json: PIXEL_BASE64, revised_prompt: "A fox" }],
    [{ response_format: "b64_json" }, { url: DATA }, { b64_json: PIXEL_BASE64 }],
    [{ response_format: "b64_json" }, { b64_json: DATA }, { b64_json: PIXEL_BASE64 }],
    [
      { response_format: "b64_json" },
      { url: "PIXEL", b64_json: PIXEL_BASE64 },
      { url: "PIXEL", b64_json: PIXEL_BASE64 },
    ],
    [{ response_format: "b64_json" }, { url: "NOWHERE" }, { url: "NOWHERE" }],
    [{ response_format: "url" }, { b64_json: PIXEL_BASE64 }, { url: DATA }],
    [{ response_format: "url" }, { b64_json: DATA }, { url: DATA }],
    [{ response_format: "url" }, { url: "PIXEL" }, { url: "PIXEL" }],
    [{ response_format: "url" }, { url: DATA }, { url: DATA }],
    [{}, { url: "file:///etc/hostname" }, { url: "file:///etc/hostname" }],
    [{}, { url: "http://169.254.169.254/latest" }, { url: "http://169.254.169.254/latest" }],
  ])("is what %j asks for where a server gives %j", async (request, given, got) => {
    const at = (item: object): unknown =>
      JSON.parse(
        JSON.stringify(item).replace('PIXEL"', `${wire.origin}/pixel.png"`).replace("NOWHERE", `${wire.origin}/x`),
      );
    const answer = reply(200, { created: 1, data: [at(given)] });
    wire.on(OPENAI_ROUTE, answer).on(EDITS_ROUTE, answer);
    const body = { model: "house-image", prompt: PROMPT, ...request };
    const made = await postern.post("/images/generations", body);
    expect(await made.json()).toMatchObject({ data: [at(got)] });
    const edited = await postern.post("/images/edits", { ...body, images: [{ image_url: DATA }] });
    expect(await edited.json()).toMatchObject({ data: [at(got)] });
  });
});

it("gpt-image at another gateway is not sent what it refuses, and bound by nothing else", async () => {
  const body = { model: "gpt-image-1", prompt: PROMPT, size: "2048x2048", quality: "ultra", n: 12 };
  const answer = reply(200, { created: 1, data: [{ url: `data:image/png;base64,${PIXEL_BASE64}` }] });
  wire.on(OPENAI_ROUTE, answer).on(EDITS_ROUTE, answer);
  expect((await postern.post("/images/generations", { ...body, response_format: "b64_json" })).status).toBe(200);
  expect(sent()).toEqual(body);
  const edit = {
    ...body,
    response_format: "b64_json",
    images: [{ image_url: `data:image/png;base64,${PIXEL_BASE64}` }],
  };
  expect(await (await postern.post("/images/edits", edit)).json()).toMatchObject({
    data: [{ b64_json: PIXEL_BASE64 }],
  });
  expect(wire.seen.at(-1)?.body.toString("latin1")).not.toContain("response_format");
});

it("gamma-image at another gateway keeps its shape", async () => {
  const body = gammaResponse(`${wire.origin}/result.png`);
  wire.on(OPENAI_ROUTE, reply(200, body));
  const response = await postern.post("/images/generations", gammaBody("gamma-image-2.0"));
  expect(await response.json()).toEqual(body);
  expect(sent()).toEqual({ ...gammaBody("gamma-image-2.0"), parameters: { n: 1, size: "1024*1024" } });
});

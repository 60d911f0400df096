import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";
import { deltaEdit } from "../../../support/edit-acts.ts";
import { formOf } from "../../../support/forms.ts";
import { embedAct } from "../../../support/embedding-acts.ts";
import { OPENAI_ROUTE, deltaResponse } from "../../../support/image-acts.ts";
import { mp3 } from "../../../support/media-samples.ts";
import { png } from "../../../support/pictures.ts";
import { TestClock } from "../../../support/test-clock.ts";
import { VideoProvider } from "../../../support/video-provider.ts";
import { reply, replyBytes, type WireAct, type WireSeen } from "../../../support/wire-provider.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";
import { providersAt } from "../../../support/running-gateway.ts";

/** Speech, images, edits, embeddings and videos by the name of a route. */
const clock = new TestClock();
const openai = useWire();
let films: VideoProvider;

const PATHS = {
  speech: "POST /v1/audio/speech",
  images: OPENAI_ROUTE,
  edits: "POST /v1/images/edits",
  embeddings: "POST /v1/embeddings",
} as const;
const fails = (status: number): WireAct => reply(status, { error: { message: `error ${status}`, type: "error" } });
const breaksOff: WireAct = (_seen, outgoing) => void outgoing.destroy();

const edit = (prompt: string): Promise<Response> =>
  postern.post("/images/edits", formOf({ model: "work", prompt }, [["image", png(), "picture.png"]]));
/** A call of each kind, its two models, and how a provider responds to it. */
const KINDS = {
  speech: {
    models: ["tts-1", "tts-1-hd"],
    sent: ["tts-1", "tts-1-hd"],
    act: replyBytes("audio/mpeg", mp3(40)),
    call: () => postern.post("/audio/speech", { model: "work", input: "Good evening.", voice: "alloy" }),
  },
  images: {
    models: ["delta-image-1", "gpt-image-1-mini"],
    sent: ["gpt-image-1", "gpt-image-1-mini"],
    act: reply(200, deltaResponse()),
    call: () => postern.post("/images/generations", { model: "work", prompt: "A fox" }),
  },
  edits: {
    models: ["delta-image-1", "gpt-image-1-mini"],
    sent: ["gpt-image-1", "gpt-image-1-mini"],
    act: reply(200, deltaEdit()),
    call: () => edit("Add a hat"),
  },
} as const;

const modelIn = ({ json, body }: WireSeen): string =>
  (json as { model?: string } | undefined)?.model ??
  /name="model"\r\n\r\n([^\r]+)/.exec(body.toString("latin1"))?.[1] ??
  "";
const requests = (): readonly string[] => openai.seen.map(modelIn);
const passed = ({ route }: Receipt): readonly string[] =>
  route?.passed.map(({ model, reason }) => `${model} ${reason}`) ?? [];
const setRoute = (models: readonly string[], name = "work", rules: readonly object[] = []): Promise<unknown> =>
  postern.ask("POST", "/routes", { name, models, rules });

beforeAll(async () => {
  films = await new VideoProvider().listen();
});
const postern = useGateway(() => ({
  clock,
  env: { ...providersAt({ OPENAI: `${openai.origin}/v1` }), ...films.env("dashscope") },
}));
beforeEach(() => {
  openai.reset();
  films.reset();
});
afterEach(() => clock.advance(10 * 60_000));
afterAll(() => films.close());

describe.each(Object.entries(KINDS))("%s", (kind, { models, sent, act, call }) => {
  const [first, second] = models;
  beforeEach(() => setRoute(["gpt-4.1", ...models]));
  const does = (...acts: readonly WireAct[]): unknown => openai.on(PATHS[kind as keyof typeof KINDS], ...acts);

  it("go to the first model of the route that makes any", async () => {
    does(act);
    expect((await call()).status).toBe(200);
    expect(requests()).toEqual(sent.slice(0, 1));
    const receipt = await postern.receipt();
    expect(receipt).toMatchObject({ model: first, outcome: "completed", route: { name: "work" } });
    expect(passed(receipt)).toEqual(["gpt-4.1 capability"]);
    expect(receipt.nano).toBeGreaterThan(0);
  });

  it.each([429, 404])("go on to the next one where the provider has refused with %i", async (status) => {
    does(fails(status), act);
    expect((await call()).status).toBe(200);
    expect(requests()).toEqual(sent);
    const receipt = await postern.receipt();
    expect(passed(receipt)).toEqual(["gpt-4.1 capability", `${first} failed`]);
    expect(receipt).toMatchObject({ model: second, outcome: "completed" });
    expect(receipt.route?.passed[1]).not.toHaveProperty("nano");
  });

  it("ask an account that is out of credit once, whatever else it sells", async () => {
    does(fails(402), act);
    expect((await call()).status).toBe(503);
    expect(requests()).toEqual(sent.slice(0, 1));
    expect(passed(await postern.receipt())).toEqual(["gpt-4.1 capability", `${first} failed`, `${second} failed`]);
  });

  it("are not asked for again where the provider failed and may have started, here or of another model", async () => {
    does(fails(500), act);
    expect((await call()).status).toBe(502);
    expect(requests()).toEqual([sent[0]]);
  });

  it("are not made again once they may have been made", async () => {
    does(breaksOff, act);
    expect((await call()).status).toBe(502);
    expect(requests()).toEqual(sent.slice(0, 1));
    expect(await postern.receipt()).toMatchObject({ model: first, outcome: "unknown" });
  });
});

it("embeddings go to the first model that makes any, and to no other when that fails", async () => {
  await setRoute(["gpt-4.1", "text-embedding-3-small", "text-embedding-3-large"]);
  const call = (): Promise<Response> => postern.post("/embeddings", { model: "work", input: "x" });
  openai.on(PATHS.embeddings, embedAct());
  expect((await call()).status).toBe(200);
  expect(await postern.receipt()).toMatchObject({ model: "text-embedding-3-small", route: { name: "work" } });
  openai.on(PATHS.embeddings, fails(402));
  expect((await call()).status).toBe(503);
  // It is out of credit, and waits for its probe.
  expect((await call()).status).toBe(503);
  expect(new Set(requests())).toEqual(new Set(["text-embedding-3-small"]));
});

describe("a rule on input tokens", () => {
  const long = "A fox in the snow at dusk. ".repeat(40);
  const rule = (model: string) => ({ when: { input_tokens_above: 100 }, models: [model], enabled: true });

  it.each<[string, object, object]>([
    ["texts", { input: "short" }, { input: long }],
    ["many texts that are long together", { input: ["short"] }, { input: Array(200).fill("short") }],
    ["tokens", { input: [1, 2, 3] }, { input: Array(200).fill(7) }],
  ])("holds for embeddings by %s, whatever fits into a context", async (_, few, many) => {
    await setRoute(["text-embedding-3-small"], "work", [rule("text-embedding-3-large")]);
    openai.on(PATHS.embeddings, embedAct());
    for (const [body, model, pending] of [
      [few, "text-embedding-3-small", undefined],
      [many, "text-embedding-3-large", 1],
    ] as const) {
      expect((await postern.post("/embeddings", { model: "work", ...body })).status).toBe(200);
      expect((await postern.receipt()).model).toBe(model);
      expect((await postern.receipt()).route?.rule).toBe(pending);
    }
    const far = { model: "work", input: Array(20).fill(long.repeat(10)) };
    expect((await postern.post("/embeddings", far)).status).toBe(200);
    expect((await postern.receipt()).model).toBe("text-embedding-3-large");
  });

  it("holds for speech, images and edits by their words", async () => {
    await setRoute(["tts-1", "delta-image-1"], "work", [rule("tts-1-hd")]);
    openai.on(PATHS.speech, replyBytes("audio/mpeg", mp3(40)));
    expect((await postern.post("/audio/speech", { model: "work", input: "Hello.", voice: "alloy" })).status).toBe(200);
    expect((await postern.receipt()).model).toBe("tts-1");
    expect((await postern.post("/audio/speech", { model: "work", input: long, voice: "alloy" })).status).toBe(200);
    expect((await postern.receipt()).model).toBe("tts-1-hd");

    await setRoute(["delta-image-1"], "work", [rule("gpt-image-1-mini")]);
    openai.on(PATHS.images, reply(200, deltaResponse()));
    openai.on(PATHS.edits, reply(200, deltaEdit()));
    expect((await postern.post("/images/generations", { model: "work", prompt: "A fox" })).status).toBe(200);
    expect((await postern.receipt()).model).toBe("delta-image-1");
    expect((await postern.post("/images/generations", { model: "work", prompt: long })).status).toBe(200);
    expect((await postern.receipt()).model).toBe("gpt-image-1-mini");
    expect((await edit(long)).status).toBe(200);
    expect((await postern.receipt()).model).toBe("gpt-image-1-mini");
  });
});

it("a video is made by the first model that makes any, and by no other when that refuses", async () => {
  await setRoute(["gpt-4.1", "alpha2.6-t2v", "alpha2.7-t2v"]);
  const call = (): Promise<Response> =>
    postern.post("/videos/generations", { model: "work", duration: 5, resolution: "720p", input: { prompt: "A fox" } });
  const response = await call();
  expect(response.status).toBe(202);
  expect(await response.json()).toMatchObject({ model: "alpha2.6-t2v" });
  films.fault("submit", { do: "answer", status: 402, body: { code: "Arrearage", message: "out of credit" } });
  expect((await call()).status).toBe(503);
  expect(films.seen.filter(({ path }) => path.includes("2.7"))).toEqual([]);
});

it("a key that may use the route may make a video by its name", async () => {
  await setRoute(["alpha2.6-t2v"]);
  const { secret } = await postern.ask<{ secret: string }>("POST", "/keys", { name: "some", models: ["work"] });
  const body = { model: "work", duration: 5, resolution: "720p", input: { prompt: "A fox" } };
  expect((await postern.post("/videos/generations", body, secret)).status).toBe(202);
});

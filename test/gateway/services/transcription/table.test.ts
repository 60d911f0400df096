import { beforeEach, describe, expect, it } from "vitest";
import { png } from "../../../support/pictures.ts";
import { KEY, errorOf, providersAt } from "../../../support/running-gateway.ts";
import { TRANSCRIPT, soundForm, soundOf, transcribe } from "../../../support/transcription-acts.ts";
import { reply } from "../../../support/wire-provider.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

/** What is wrong with a request is reported with the field's name, and reaches no provider. */

const MIB = 1024 * 1024;
const wire = useWire();
const postern = useGateway(() => ({
  keys: [
    { key: "sk-test-no-models-0001", name: "none", models: ["gpt-4.1"] },
    { key: "sk-test-translations-01", name: "whisper", models: ["whisper-*"] },
  ],
  env: providersAt({ OPENAI: `${wire.origin}/v1` }),
}));
beforeEach(() => {
  wire.reset();
  wire.on("POST /v1/audio/transcriptions", reply(200, TRANSCRIPT));
});

type Fields = Readonly<Record<string, string | readonly string[]>>;

async function refused(
  response: Response,
  status: number,
): Promise<{ code: unknown; param: unknown; message: string }> {
  const { code, param, message } = await errorOf(response);
  expect([response.status, wire.seen.length, message.length > 20]).toEqual([status, 0, true]);
  return { code, param, message };
}

describe("fields", () => {
  it.each<[string, Fields, string]>([
    ["an empty model", { model: "" }, "model"],
    ["an unknown format", { response_format: "docx" }, "response_format"],
    ["a temperature that is none", { temperature: "warm" }, "temperature"],
    ["a temperature that is too high", { temperature: "1.5" }, "temperature"],
    ["a stream that is neither", { stream: "maybe" }, "stream"],
    [
      "an unknown granularity",
      { response_format: "verbose_json", "timestamp_granularities[]": "line" },
      "timestamp_granularities[0]",
    ],
    ["something else to include", { "include[]": "speakers" }, "include[0]"],
    ["log probabilities of subtitles", { response_format: "srt", "include[]": "logprobs" }, "include"],
    ["log probabilities of whisper", { "include[]": "logprobs" }, "include"],
    ["chunks of another kind", { chunking_strategy: "manual" }, "chunking_strategy"],
    ["chunks without a kind", { "chunking_strategy[threshold]": "0.5" }, "chunking_strategy.type"],
    ["speakers without sounds", { "known_speaker_names[]": ["Ana"] }, "known_speaker_references"],
    ["five speakers", { "known_speaker_names[]": ["a", "b", "c", "d", "e"] }, "known_speaker_names"],
    [
      "a sound at an address",
      { "known_speaker_names[]": "a", "known_speaker_references[]": "https://a.b/c.wav" },
      "known_speaker_references[0]",
    ],
    ["a field that is given twice", { language: ["en", "de"] }, "language"],
    ["a file at an address", { url: "https://example.com/a.mp3" }, "url"],
    ["a file at the provider", { file_id: "file-1" }, "file_id"],
  ])("%s", async (_, fields, param) => {
    expect(await refused(await transcribe(postern, soundForm(fields)), 400)).toMatchObject({ param });
  });

  it.each<[string, Fields]>([
    ["gpt-4o-transcribe", { response_format: "verbose_json" }],
    ["gpt-4o-mini-transcribe", { response_format: "srt" }],
    ["gpt-transcribe", { response_format: "diarized_json" }],
    ["gpt-4o-transcribe-diarize", { response_format: "vtt" }],
    ["whisper-1", { response_format: "diarized_json" }],
  ])("a format that %s does not have is reported with those that it has", async (model, fields) => {
    const { param, message } = await refused(await transcribe(postern, soundForm({ model, ...fields })), 400);
    expect([param, message]).toEqual(["response_format", expect.stringMatching(/json or text/)]);
  });

  it("a prompt where the model follows none", async () => {
    const form = soundForm({ model: "gpt-4o-transcribe-diarize", prompt: "Names" });
    expect(await refused(await transcribe(postern, form), 400)).toMatchObject({ param: "prompt" });
  });

  it("a translation into speakers", async () => {
    const form = soundForm({ response_format: "diarized_json" });
    const response = await transcribe(postern, form, { path: "translations" });
    expect(await refused(response, 400)).toMatchObject({ param: "response_format" });
  });

  it("fields that are empty say nothing", async () => {
    const form = soundForm({ language: "", prompt: "", temperature: "", response_format: "" });
    expect((await transcribe(postern, form)).status).toBe(200);
  });

  it.each<[string, Fields]>([
    ...["0.0", "1.0", "0.20", ".5", "1e-3", "00", "1."].map((text): [string, Fields] => [text, { temperature: text }]),
    ["True", { stream: "True" }],
    ["1", { stream: "1" }],
    ["a threshold", { "chunking_strategy[type]": "server_vad", "chunking_strategy[threshold]": "0.50" }],
    ["granularities of plain JSON", { "timestamp_granularities[]": "word" }],
  ])("in another spelling, or for the provider to judge: %s", async (_, fields) => {
    const model = "gpt-4o-transcribe";
    expect((await transcribe(postern, soundForm({ model, ...fields }))).status).toBe(200);
  });

  it.each(["en", ["word"]])("lists without brackets, and one value as a list", async (value) => {
    const form = soundForm({ response_format: "verbose_json", timestamp_granularities: "word", languages: value });
    expect((await transcribe(postern, form)).status).toBe(200);
    const body = wire.seen[0]?.body.toString("latin1") ?? "";
    expect(body).toContain('name="timestamp_granularities[]"\r\n\r\nword');
  });
});

describe("files", () => {
  it("none", async () => {
    for (const form of [soundForm({}, null), soundForm({}, Buffer.alloc(0), "")]) {
      const { code, param } = await refused(await transcribe(postern, form), 400);
      expect([code, param]).toEqual(["missing_required_parameter", "file"]);
    }
  });

  it.each<[string, Buffer, RegExp]>([
    ["an empty file", Buffer.alloc(0), /is empty/],
    ["a picture", png(), /is a picture \(image\/png\)/],
    ["a page", Buffer.from("<!doctype html><title>Not found</title>"), /is a text/],
    ["an error as JSON", Buffer.from(JSON.stringify({ error: "expired", text: "é".repeat(600) })), /is a text/],
  ])("%s", async (_, bytes, words) => {
    const { param, message } = await refused(await transcribe(postern, soundForm({}, bytes)), 400);
    expect([param, message]).toEqual(["file", expect.stringMatching(words)]);
  });

  it("one that is larger than OpenAI takes, before it is sent", async () => {
    const form = soundForm({}, Buffer.concat([soundOf(1), Buffer.alloc(25 * MIB)]));
    const { param, message } = await refused(await transcribe(postern, form), 413);
    expect([param, message]).toEqual([
      "file",
      expect.stringMatching(/takes files of up to 25 MiB; this one has 25\.0 MiB/),
    ]);
  });

  it("one that is larger than anybody's", async () => {
    const form = soundForm({}, Buffer.concat([soundOf(1), Buffer.alloc(64 * MIB)]));
    expect(await refused(await transcribe(postern, form), 413)).toMatchObject({ param: "file" });
  });

  it("two", async () => {
    const form = soundForm({});
    form.append("file", new Blob([new Uint8Array(soundOf(1))]), "b.wav");
    expect(await refused(await transcribe(postern, form), 400)).toMatchObject({ param: "file" });
  });

  it("of a kind that is not known here go to the provider under their own name", async () => {
    const amr = Buffer.concat([Buffer.from("#!AMR\n\0"), Buffer.alloc(2_000, 0xf3)]);
    expect((await transcribe(postern, soundForm({}, amr, "memo.amr"))).status).toBe(200);
    expect(wire.seen[0]?.body.toString("latin1")).toContain('filename="memo.amr"');
  });
});

describe("who may ask for what", () => {
  it("a body that is no form", async () => {
    const response = await postern.post("/audio/transcriptions", { model: "whisper-1" });
    const { message } = await refused(response, 415);
    expect(message).toContain("multipart/form-data");
  });

  it("a key without the model", async () => {
    const response = await transcribe(postern, soundForm({}), { key: "sk-test-no-models-0001" });
    expect(await refused(response, 403)).toMatchObject({ code: "model_not_allowed" });
    expect((await transcribe(postern, soundForm({}), { key: "sk-test-translations-01" })).status).toBe(200);
  });

  it("an unknown model, and one that does something else", async () => {
    expect(await refused(await transcribe(postern, soundForm({ model: "no-such" })), 404)).toMatchObject({
      code: "model_not_found",
    });
    for (const model of ["gpt-4.1", "tts-1"]) {
      expect(await refused(await transcribe(postern, soundForm({ model })), 400)).toMatchObject({
        code: "endpoint_model_mismatch",
      });
    }
  });

  it("a model that cannot translate", async () => {
    const response = await transcribe(postern, soundForm({ model: "gpt-transcribe" }), { path: "translations" });
    expect(await refused(response, 400)).toMatchObject({ code: "endpoint_model_mismatch" });
  });

  it("another method", async () => {
    const response = await fetch(`${postern.url}/v1/audio/transcriptions`, {
      headers: { authorization: `Bearer ${KEY}` },
    });
    expect(response.status).toBe(405);
  });
});

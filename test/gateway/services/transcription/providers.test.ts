import { beforeEach, describe, expect, it } from "vitest";
import { fieldsSeen, filesSeen } from "../../../support/edit-acts.ts";
import { TRANSCRIPT, soundForm, soundOf, transcribe } from "../../../support/transcription-acts.ts";
import { reply, replyEvents, type WireSeen } from "../../../support/wire-provider.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

/** What each provider is asked, and what clients get of its responses, over real HTTP. */

const wire = useWire();
const postern = useGateway(() => {
  const at = (name: string, base: string): Readonly<Record<string, string>> => ({
    [`POSTERN_${name}_BASE_URL`]: `${wire.origin}${base}`,
    [`POSTERN_${name}_API_KEY`]: `sk-${name.toLowerCase()}-0001`,
  });
  return {
    env: {
      ...at("OPENAI", "/openai/v1"),
      ...at("MISTRAL", "/mistral/v1"),
      ...at("XAI", "/xai/v1"),
      ...at("COMPATIBLE", "/whisper/v1"),
    },
  };
});
beforeEach(() => {
  wire.reset();
  for (const name of ["openai", "mistral", "xai"]) wire.on(`GET /${name}/v1/models`, reply(200, { data: [] }));
  wire.on("GET /whisper/v1/models", reply(200, { data: [{ id: "Systran/faster-whisper-small", object: "model" }] }));
});

function seenOnce(): WireSeen {
  const requests = wire.seen.filter(({ method }) => method === "POST");
  const [seen] = requests;
  if (seen === undefined || requests.length > 1) throw new Error(`${requests.length} requests reached the provider`);
  return seen;
}

const OPENAI = "POST /openai/v1/audio/transcriptions";
const MISTRAL = "POST /mistral/v1/audio/transcriptions";
const XAI = "POST /xai/v1/stt";
const WHISPER = "POST /whisper/v1/audio/transcriptions";

describe("OpenAI", () => {
  it("gets the fields as its SDK writes them, unknown ones too, and the file under a name of its kind", async () => {
    wire.on(OPENAI, reply(200, TRANSCRIPT));
    const form = soundForm(
      {
        model: "gpt-4o-transcribe",
        language: "en",
        prompt: "true",
        temperature: "0.2",
        "include[]": ["logprobs"],
        "chunking_strategy[type]": "server_vad",
        "chunking_strategy[threshold]": "0.4",
        priority: ["high", "higher"],
        "tuning[region]": "eu",
        response_format: "json",
      },
      soundOf(6),
      "../../C:\\notes\\Füße.mp3",
    );
    expect((await transcribe(postern, form)).status).toBe(200);
    const seen = seenOnce();
    expect(seen.headers["authorization"]).toBe("Bearer sk-openai-0001");
    const sent = await new Response(new Uint8Array(seen.body), {
      headers: { "content-type": String(seen.headers["content-type"]) },
    }).formData();
    expect([...sent].filter(([, value]) => typeof value === "string")).toEqual([
      ["model", "gpt-4o-transcribe"],
      ["language", "en"],
      ["prompt", "true"],
      ["temperature", "0.2"],
      ["include[]", "logprobs"],
      ["chunking_strategy[type]", "server_vad"],
      ["chunking_strategy[threshold]", "0.4"],
      ["response_format", "json"],
      ["priority", "high"],
      ["priority", "higher"],
      ["tuning[region]", "eu"],
    ]);
    const [file] = await filesSeen(seen);
    expect(file).toMatchObject({ field: "file", name: "F_e.wav", type: "audio/wav", bytes: soundOf(6) });
  });

  it("responds in its own bytes where JSON was asked for", async () => {
    const written = '{ "text": "as it came",\n "usage": {"type":"duration","seconds":6}, "new": [1] }';
    wire.on(
      OPENAI,
      (_seen, outgoing) => void outgoing.writeHead(200, { "content-type": "application/json" }).end(written),
    );
    const response = await transcribe(postern, soundForm({}));
    expect([response.headers.get("content-type"), await response.text()]).toEqual(["application/json", written]);
  });

  it.each([
    ["text", "json", "Hi. &\n"],
    ["srt", "verbose_json", "1\n00:00:00,000 --> 00:00:01,500\nHi. &\n"],
    ["vtt", "verbose_json", "WEBVTT\n\n00:00:00.000 --> 00:00:01.500\nHi. &amp;\n"],
  ])("is asked for JSON where %s is wanted, so that its usage is known", async (expected, requested, written) => {
    const segments = [{ id: 0, start: 0, end: 1.5, text: " Hi. &" }];
    wire.on(OPENAI, reply(200, { text: "Hi. &", duration: 1.5, segments, usage: { type: "duration", seconds: 2 } }));
    const response = await transcribe(postern, soundForm({ response_format: expected }));
    expect([response.headers.get("content-type"), await response.text()]).toEqual([
      "text/plain; charset=utf-8",
      written,
    ]);
    expect(await fieldsSeen(seenOnce())).toMatchObject({ response_format: requested });
    expect(await postern.receipt()).toMatchObject({ estimated: false, terms: [{ unit: "second", quantity: 2 }] });
  });

  it("streams events that pass as they came, and the last after the receipt", async () => {
    const usage = {
      type: "tokens",
      input_tokens: 64,
      input_token_details: { text_tokens: 4, audio_tokens: 60 },
      output_tokens: 5,
      total_tokens: 69,
    };
    const frames = [
      'data: {"type":"transcript.text.delta","delta":"The kettle"}\n\n',
      'data:  {"type":"transcript.text.delta", "delta":" whistles."}\n\n',
      `data: ${JSON.stringify({ type: "transcript.text.done", text: "The kettle whistles.", usage })}\n\n`,
    ];
    wire.on(OPENAI, replyEvents(...frames));
    const response = await transcribe(postern, soundForm({ model: "gpt-4o-transcribe", stream: "true" }));
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    expect(await response.text()).toBe(frames.join(""));
    expect(await fieldsSeen(seenOnce())).toMatchObject({ stream: "true" });
    const receipt = await postern.receipt();
    expect(receipt).toMatchObject({ endpoint: "transcriptions", stream: true, estimated: false });
    // $2.50, $6 and $10 a million.
    expect(receipt.terms.map(({ unit, quantity, nano }) => [unit, quantity, nano])).toEqual([
      ["input", 4, 10_000],
      ["audio_input", 60, 360_000],
      ["output", 5, 50_000],
    ]);
  });

  it("is asked again, with the same file, when it is overloaded", async () => {
    wire.on(OPENAI, reply(503, { error: { message: "busy" } }), reply(200, TRANSCRIPT));
    const response = await transcribe(postern, soundForm({}));
    expect(await response.json()).toEqual(TRANSCRIPT);
    const requests = wire.seen.filter(({ method }) => method === "POST");
    expect(requests).toHaveLength(2);
    const [first, second] = await Promise.all(requests.map(filesSeen));
    expect(second?.[0]?.bytes).toEqual(first?.[0]?.bytes);
    expect(await postern.receipt()).toMatchObject({ outcome: "completed", attempts: 2 });
  });

  it("has translations", async () => {
    wire.on("POST /openai/v1/audio/translations", reply(200, { text: "Good morning." }));
    const form = soundForm({ response_format: "json", prompt: "Names: Ana" });
    expect(await (await transcribe(postern, form, { path: "translations" })).json()).toEqual({ text: "Good morning." });
    // It says no length: six seconds were measured here.
    expect(await postern.receipt()).toMatchObject({
      endpoint: "translations",
      estimated: true,
      terms: [{ unit: "second", quantity: 6 }],
      nano: 600_000,
    });
  });

  it("says what is wrong in its own words", async () => {
    wire.on(
      OPENAI,
      reply(400, {
        error: {
          message: "Audio file is too short.",
          type: "invalid_request_error",
          param: "file",
          code: "audio_too_short",
        },
      }),
    );
    const response = await transcribe(postern, soundForm({}));
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: { param: "file", code: "audio_too_short" } },
    ]);
    expect(await postern.receipt()).toMatchObject({ outcome: "failed", nano: 0 });
  });
});

describe("Mistral", () => {
  const USAGE = { prompt_audio_seconds: 6, prompt_tokens: 4, completion_tokens: 9, total_tokens: 13 };
  const document = (segments: readonly object[] = []): object => ({
    model: "voxtral-mini-2602",
    text: "Hi there. Bye.",
    language: "en",
    segments,
    usage: USAGE,
  });
  const voxtral = { model: "voxtral-mini-2602" };

  it("gets its own fields, and none that it would refuse", async () => {
    wire.on(MISTRAL, reply(200, document()));
    const form = soundForm({
      ...voxtral,
      language: "en",
      temperature: "0",
      prompt: "A talk",
      "keywords[]": ["Postern gateway", "Ana"],
      response_format: "json",
      diarize: "true",
    });
    expect(await (await transcribe(postern, form)).json()).toEqual({
      text: "Hi there. Bye.",
      usage: { type: "duration", seconds: 6 },
    });
    const sent = await new Response(new Uint8Array(seenOnce().body), {
      headers: { "content-type": String(seenOnce().headers["content-type"]) },
    }).formData();
    expect([...sent].filter(([, value]) => typeof value === "string")).toEqual([
      ["model", "voxtral-mini-2602"],
      ["language", "en"],
      ["temperature", "0"],
      ["context_bias", "Postern_gateway"],
      ["context_bias", "Ana"],
      ["diarize", "true"],
    ]);
    // $0.003 a minute.
    expect(await postern.receipt()).toMatchObject({ provider: "mistral", nano: 300_000, estimated: false });
  });

  it("is asked for times and speakers by fields, and its segments become OpenAI's", async () => {
    const segments = [
      { text: "Hi there.", start: 0, end: 1.2, speaker_id: "speaker_1", type: "transcription_segment" },
      { text: "Bye.", start: 2, end: 2.5, speaker_id: "speaker_2", type: "transcription_segment" },
    ];
    wire.on(MISTRAL, reply(200, document(segments)));
    const named = await transcribe(postern, soundForm({ ...voxtral, response_format: "diarized_json" }));
    expect(await named.json()).toMatchObject({
      duration: 6,
      segments: [
        { type: "transcript.text.segment", speaker: "speaker_1", start: 0, end: 1.2, text: "Hi there." },
        { speaker: "speaker_2" },
      ],
    });
    expect(await fieldsSeen(seenOnce())).toMatchObject({ diarize: "true", timestamp_granularities: "segment" });
    const srt = await transcribe(postern, soundForm({ ...voxtral, response_format: "srt" }));
    expect(await srt.text()).toBe(
      "1\n00:00:00,000 --> 00:00:01,200\nHi there.\n\n2\n00:00:02,000 --> 00:00:02,500\nBye.\n",
    );
  });

  it("streams events that become OpenAI's", async () => {
    const events = [
      { type: "transcription.language", audio_language: "en" },
      { type: "transcription.text.delta", text: "Hi " },
      { type: "transcription.text.delta", text: "there." },
      { type: "transcription.done", model: "voxtral-mini-2602", text: "Hi there.", language: "en", usage: USAGE },
    ];
    wire.on(MISTRAL, replyEvents(...events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)));
    const response = await transcribe(postern, soundForm({ ...voxtral, stream: "true" }));
    const reports = (await response.text())
      .split("\n\n")
      .filter((frame) => frame !== "")
      .map((frame) => JSON.parse(frame.slice("data: ".length)) as unknown);
    expect(reports).toEqual([
      { type: "transcript.text.delta", delta: "Hi " },
      { type: "transcript.text.delta", delta: "there." },
      { type: "transcript.text.done", text: "Hi there.", usage: { type: "duration", seconds: 6 } },
    ]);
    expect(await postern.receipt()).toMatchObject({ estimated: false, terms: [{ unit: "second", quantity: 6 }] });
  });

  it("does not translate, and tells no log probabilities", async () => {
    const translated = await transcribe(postern, soundForm(voxtral), { path: "translations" });
    expect([translated.status, await translated.json()]).toMatchObject([
      400,
      { error: { code: "endpoint_model_mismatch" } },
    ]);
    const sure = await transcribe(postern, soundForm({ ...voxtral, "include[]": "logprobs" }));
    expect([sure.status, await sure.json()]).toMatchObject([400, { error: { param: "include" } }]);
    expect(wire.seen).toEqual([]);
  });
});

describe("xAI", () => {
  it("gets the file after its own fields at /stt, and its words make every format", async () => {
    const words = [
      { text: "Hi", start: 0, end: 0.4 },
      { text: "there.", start: 0.4, end: 1 },
      { text: "Bye.", start: 2, end: 2.5 },
    ];
    wire.on(XAI, reply(200, { text: "Hi there. Bye.", language: "en", duration: 6, words }));
    const grok = { model: "grok-stt", "keywords[]": ["Ana", "Postern"], language: "en" };
    const verbose = await transcribe(postern, soundForm({ ...grok, response_format: "verbose_json" }));
    expect(await verbose.json()).toMatchObject({
      duration: 6,
      segments: [
        { id: 0, start: 0, end: 1, text: "Hi there." },
        { id: 1, start: 2, end: 2.5, text: "Bye." },
      ],
    });
    const seen = seenOnce();
    expect(await fieldsSeen(seen)).toEqual({ model: "grok-voice-transcribe-1.0", language: "en", keyterm: "Postern" });
    const body = seen.body.toString("latin1");
    expect(body.indexOf('name="file"')).toBeGreaterThan(body.lastIndexOf('name="keyterm"'));
    const vtt = await transcribe(postern, soundForm({ ...grok, response_format: "vtt" }));
    expect(await vtt.text()).toContain("00:00:02.000 --> 00:00:02.500\nBye.");
    // $0.10 an hour.
    expect(await postern.receipt()).toMatchObject({ provider: "xai", nano: 166_667, estimated: false });
  });
});

describe("a whisper server on this machine", () => {
  it("is found by its model's name, takes every format, and is unpriced", async () => {
    await postern.ask("POST", "/connections/env_openai-compatible/test");
    wire.on(WHISPER, reply(200, { text: "hello" }));
    const form = soundForm({ model: "Systran/faster-whisper-small", response_format: "text", vad_filter: "true" });
    expect(await (await transcribe(postern, form)).text()).toBe("hello\n");
    expect(await fieldsSeen(seenOnce())).toEqual({
      model: "Systran/faster-whisper-small",
      response_format: "json",
      vad_filter: "true",
    });
    expect(await postern.receipt()).toMatchObject({
      nano: null,
      estimated: true,
      terms: [{ unit: "second", quantity: 6 }],
    });
  });
});

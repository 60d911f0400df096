import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findModel } from "../../../../gateway/catalog/lookup.ts";
import { COMMON_VOICES, applySpeechRules, type RuledSpeech } from "../../../../gateway/core/speech/speech-rules.ts";
import type { SpeechRequest } from "../../../../gateway/contract/speech.ts";
import { GatewayError } from "../../../../gateway/core/errors.ts";

function ruled(model: string, fields: Partial<SpeechRequest> = {}): RuledSpeech {
  const rules = findModel(model)?.speech;
  if (rules === undefined) throw new Error(`no speech model ${model}`);
  return applySpeechRules({ model, input: "Hello", ...fields }, model, rules);
}

function refusal(model: string, fields: Partial<SpeechRequest>): GatewayError {
  try {
    ruled(model, fields);
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
  throw new Error("it was accepted");
}

describe("voice", () => {
  it.each([
    ["gamma3-tts-flash", undefined, "Cherry"],
    ["gamma3-tts-flash", null, "Cherry"],
    ["gamma3-tts-flash", "Ethan", "Ethan"],
    ["gamma3-tts-flash", "ethan", "Ethan"],
    ["gamma3-tts-flash", "ELDRIC SAGE", "Eldric Sage"],
    ["gamma3-tts-flash", "Kiki", "Kiki"],
    ["gamma3-tts-flash", "Nova", "Cherry"],
    ["gamma3-tts-flash", { id: "Serena" }, "Serena"],
    ["gamma3-tts-instruct-flash", undefined, "Cherry"],
    ["gamma3-tts-instruct-flash", "stella", "Stella"],
    ["tts-1", undefined, "alloy"],
    ["tts-1", "Coral", "coral"],
    ["gpt-4o-mini-tts", "marin", "marin"],
  ])("of %s: %j speaks as %s", (model, voice, spoken) => {
    expect(ruled(model, { voice }).voice).toBe(spoken);
  });

  it.each(COMMON_VOICES)("%s, of the common style, falls back to Cherry", (voice) => {
    expect(ruled("gamma3-tts-flash", { voice }).voice).toBe("Cherry");
    expect(ruled("gamma3-tts-instruct-flash", { voice }).voice).toBe("Cherry");
    expect(ruled("tts-1", { voice }).voice).toBe(voice);
  });

  it("of OpenAI's may be one of the customer's own", () => {
    expect(ruled("gpt-4o-mini-tts", { voice: { id: "voice_1234" } }).voice).toEqual({ id: "voice_1234" });
  });

  it.each([
    ["gamma3-tts-flash", "bob"],
    ["gamma3-tts-flash", ""],
    ["gamma3-tts-flash", { id: "voice_1234" }],
    ["gamma3-tts-instruct-flash", "Kiki"],
    ["tts-1", "Cherry"],
  ])("of %s: %j is refused with the accepted ones", (model, voice) => {
    const error = refusal(model, { voice });
    expect(error).toMatchObject({ code: "unsupported_value", status: 400, details: { param: "voice" } });
    expect(error.message).toContain(model.startsWith("gamma") ? "Cherry, Serena, Ethan" : "alloy, ash, ballad");
  });

  it("that looks like a key is not repeated", () => {
    expect(refusal("tts-1", { voice: "sk-abcdefghijklmnop" }).message).not.toContain("abcdefghijklmnop");
  });
});

describe("response_format", () => {
  it.each([
    ["gamma3-tts-flash", undefined, "mp3"],
    ["gamma3-tts-flash", "mp3", "mp3"],
    ["gamma3-tts-flash", "wav", "wav"],
    ["gamma3-tts-instruct-flash", undefined, "wav"],
    ["gamma3-tts-instruct-flash", "mp3", "wav"],
    ["gamma3-tts-instruct-flash", "opus", "wav"],
    ["tts-1", undefined, "mp3"],
    ["tts-1", "flac", "flac"],
    ["gpt-4o-mini-tts", "pcm", "pcm"],
  ])("of %s: %s is answered as %s", (model, response_format, format) => {
    expect(ruled(model, { response_format }).format).toBe(format);
  });

  it.each([
    ["gamma3-tts-flash", "opus", "mp3 or wav"],
    ["gamma3-tts-flash", "MP3", "mp3 or wav"],
    ["tts-1", "ogg", "mp3 or opus or aac or flac or wav or pcm"],
  ])("of %s: %s is refused with %s", (model, response_format, accepted) => {
    const error = refusal(model, { response_format });
    expect(error).toMatchObject({ code: "unsupported_value", details: { param: "response_format" } });
    expect(error.message).toContain(accepted);
  });
});

describe("instructions", () => {
  it("reach the model that follows them, and no other of the gamma3 family", () => {
    expect(ruled("gamma3-tts-instruct-flash", { instructions: "cheerful" }).instructions).toBe("cheerful");
    expect(ruled("gamma3-tts-flash", { instructions: "cheerful" }).instructions).toBeNull();
    expect(ruled("gpt-4o-mini-tts", { instructions: "cheerful" }).instructions).toBe("cheerful");
    expect(ruled("gamma3-tts-instruct-flash", { instructions: "  " }).instructions).toBeNull();
  });
});

describe("speed", () => {
  it.each([0.1, 1, 100, -3])("%d has no effect on gamma3-tts-flash", (speed) => {
    const { body: _with, ...one } = ruled("gamma3-tts-flash", { speed });
    const { body: _without, ...other } = ruled("gamma3-tts-flash");
    expect(one).toEqual(other);
  });
  it.each([0.25, 1, 4])("%d is OpenAI's", (speed) => expect(ruled("tts-1", { speed }).body["speed"]).toBe(speed));
  it.each([0.24, 4.01, 0, -1])("%d is not", (speed) => {
    expect(refusal("tts-1", { speed }).message).toContain("from 0.25 to 4");
  });
});

describe("stream_format", () => {
  it("sse is the provider's at gpt-4o-mini-tts, and made here for the others, whose providers are asked for bytes", () => {
    const request = { stream_format: "sse" } as const;
    expect(ruled("gpt-4o-mini-tts", request)).toMatchObject({ events: "provider", body: request });
    for (const model of ["tts-1", "tts-1-hd", "gamma3-tts-flash"]) {
      expect(ruled(model, request).events).toBe("postern");
      expect(ruled(model, request).body).not.toHaveProperty("stream_format");
    }
    expect(ruled("tts-1", { stream_format: "audio" }).events).toBeNull();
  });
});

describe("input", () => {
  it.each([
    ["gamma3-tts-flash", 600],
    ["gamma3-tts-instruct-flash", 600],
    ["tts-1", 4_096],
    ["gpt-4o-mini-tts", 4_096],
  ])("of %s has at most %d characters, however they are stored", (model, most) => {
    expect(ruled(model, { input: "😀".repeat(most) }).text).toHaveLength(2 * most);
    const error = refusal(model, { input: "😀".repeat(most + 1) });
    expect(error).toMatchObject({ code: "invalid_value", details: { param: "input" } });
    expect(error.message).toContain(`a text of ${most + 1} characters; ${model} takes at most ${most}`);
  });

  it("of 100,000 characters is refused in a sentence, not repeated", () => {
    const { message } = refusal("gamma3-tts-flash", { input: "word ".repeat(20_000) });
    expect(message).toContain("100000 characters");
    expect(message.length).toBeLessThan(400);
  });
});

it("leaves models that only a provider's list knows to the provider", () => {
  const body = { model: "kokoro-tts", input: "Hi", voice: "af_sky", response_format: "ogg", speed: 9 };
  expect(applySpeechRules(body, "kokoro-tts", null)).toEqual({
    text: "Hi",
    voice: "af_sky",
    format: "ogg",
    instructions: null,
    events: null,
    body,
  });
});

it("never throws anything but a GatewayError, whatever is asked", () => {
  const models = fc.constantFrom("gamma3-tts-flash", "gamma3-tts-instruct-flash", "tts-1", "gpt-4o-mini-tts");
  const fields = fc.record(
    {
      voice: fc.oneof(fc.string(), fc.record({ id: fc.string() }), fc.constant(null)),
      response_format: fc.string(),
      speed: fc.double({ noNaN: true }),
      input: fc.string({ maxLength: 700, unit: "binary" }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(models, fields, (model, request) => {
      try {
        const { voice, format } = ruled(model, request);
        const rules = findModel(model)?.speech;
        expect(typeof voice === "object" || rules?.voices.includes(voice)).toBe(true);
        expect([...(rules?.formats ?? []), rules?.fixedFormat]).toContain(format);
      } catch (error) {
        expect(error).toBeInstanceOf(GatewayError);
      }
    }),
  );
});

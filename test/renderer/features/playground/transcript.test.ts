import { describe, expect, it } from "vitest";
import { pickSound } from "../../../../renderer/features/playground/transcription/sound.ts";
import { readTranscript, formatTime } from "../../../../renderer/features/playground/transcription/transcript.ts";

const read = (body: string, type: string) =>
  readTranscript(new Response(body, { headers: { "content-type": type } }), {} as never);

describe("what a transcription answered", () => {
  it("is a text, with parts where it has times", async () => {
    const json = { text: "Hi. Ho.", segments: [{ start: 0, end: 1, text: " Hi.", speaker: "A" }], task: "transcribe" };
    expect(await read(JSON.stringify(json), "application/json")).toMatchObject({
      text: "Hi. Ho.",
      segments: [{ start: 0, end: 1, text: " Hi.", speaker: "A" }],
      plain: false,
    });
    expect(await read('{"text":""}', "application/json; charset=utf-8")).toEqual({
      text: "",
      segments: [],
      plain: false,
    });
  });

  it("stays as it is where it is text or subtitles", async () => {
    const subtitles = "1\n00:00:00,000 --> 00:00:01,000\nHi.\n\n";
    expect(await read(subtitles, "text/plain; charset=utf-8")).toEqual({
      text: subtitles.trim(),
      segments: [],
      plain: true,
    });
  });

  it("tells times in minutes and tenths", () => {
    expect([0, 3.333, 59.96, 62.3, 3_600].map(formatTime)).toEqual(["0:00.0", "0:03.3", "1:00.0", "1:02.3", "60:00.0"]);
  });
});

describe("the files that someone chose", () => {
  const file = (name: string, type: string, size = 3) => new File([new Uint8Array(size)], name, { type });

  it("are heard where one has sound", () => {
    const chosen = [file("a.txt", "text/plain"), file("a.m4a", "audio/mp4"), file("b.wav", "audio/wav")];
    expect(pickSound(chosen)).toMatchObject({ name: "a.m4a", seconds: null });
    expect(pickSound([file("call.opus", "")])).toMatchObject({ name: "call.opus" });
  });

  it("are refused where none has, or it is too large", () => {
    expect(pickSound([file("a.png", "image/png")])).toBe("type");
    expect(pickSound([file("a.wav", "audio/wav", 64 * 1024 * 1024 + 1)])).toBe("large");
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { groupWords, transcriptEvents, writtenTranscript } from "../../../../gateway/core/transcription/transcript.ts";
import type { HeardWord } from "../../../../gateway/core/transcription/transcript.ts";

const texts = (...words: string[]): HeardWord[] => words.map((word, at) => ({ word, start: at, end: at + 0.5 }));

describe("words as parts", () => {
  it.each<[string, readonly HeardWord[], readonly string[]]>([
    ["sentences", texts("Hi", "there.", "Bye!"), ["Hi there.", "Bye!"]],
    ["Chinese sentences", texts("你好。", "再见"), ["你好。", "再见"]],
    ["what is long in time", texts("a", "b", "c", "d", "e", "f", "g", "h", "i"), ["a b c d e f g", "h i"]],
    [
      "what is long to read",
      [0, 1].map((at) => ({ word: "x".repeat(60), start: at, end: at + 1 })),
      ["x".repeat(60), "x".repeat(60)],
    ],
    [
      "speakers",
      [{ ...texts("Hi")[0], speaker: "A" } as HeardWord, { ...texts("Ho")[0], speaker: "B" } as HeardWord],
      ["Hi", "Ho"],
    ],
    ["blanks", texts(" ", "a ", ""), ["a"]],
    ["nothing", [], []],
  ])("%s", (_, words, texts) => {
    expect(groupWords(words).map(({ text }) => text)).toEqual(texts);
  });

  it("lose no word, and keep their order", () => {
    const word = fc.record({ word: fc.stringMatching(/^[a-z]{1,12}[.?]?$/), start: fc.nat(50), end: fc.nat(50) });
    fc.assert(
      fc.property(fc.array(word), (words) => {
        const text = groupWords(words)
          .map((segment) => segment.text)
          .join(" ");
        expect(text).toBe(words.map((one) => one.word).join(" "));
      }),
    );
  });
});

describe("subtitles", () => {
  const written = (segments: unknown, format: "srt" | "vtt", text = "all"): string | null =>
    writtenTranscript({ text, duration: 3_661.5, segments }, format);

  it.each([
    ["hours", [{ start: 3_600.001, end: 3_661.4996, text: "late" }], "1\n01:00:00,001 --> 01:01:01,500\nlate\n"],
    [
      "a blank line and an arrow",
      [{ start: 0, end: 1, text: "a\n\n b --> c" }],
      "1\n00:00:00,000 --> 00:00:01,000\na\nb -> c\n",
    ],
    ["an end before its beginning", [{ start: 2, end: 1, text: "a" }], "1\n00:00:02,000 --> 00:00:02,000\na\n"],
    ["parts without times", [{ text: "a" }], "1\n00:00:00,000 --> 01:01:01,500\nall\n"],
    ["no parts", undefined, "1\n00:00:00,000 --> 01:01:01,500\nall\n"],
  ])("of %s", (_, segments, srt) => {
    expect(written(segments, "srt")).toBe(srt);
  });

  it("of silence are empty", () => {
    expect([written([], "srt", " "), written([], "vtt", "")]).toEqual(["", "WEBVTT\n\n"]);
  });

  it("keep marks of WebVTT out of texts", () => {
    expect(written([{ start: 0, end: 1, text: "a < b & c > d" }], "vtt")).toContain("\na &lt; b &amp; c &gt; d\n");
  });

  it("are numbered from one, with a blank line between them, whatever is said", () => {
    const part = fc.record({ start: fc.nat(9_000), end: fc.nat(9_000), text: fc.string({ minLength: 1 }) });
    fc.assert(
      fc.property(fc.array(part, { minLength: 1 }), (segments) => {
        const cues = written(segments, "srt")?.split(/\n(?=\d+\n\d\d:\d\d:\d\d,\d{3} --> )/) ?? [];
        expect(cues.map((cue) => Number(cue.split("\n", 1)[0]))).toEqual(segments.map((_, at) => at + 1));
      }),
    );
  });
});

it("a whole document is reported as events", () => {
  expect(transcriptEvents({ text: "Hi.", usage: { type: "duration", seconds: 1 }, logprobs: [1] }, "json")).toEqual([
    { type: "transcript.text.delta", delta: "Hi." },
    { type: "transcript.text.done", text: "Hi.", logprobs: [1], usage: { type: "duration", seconds: 1 } },
  ]);
  expect(transcriptEvents({ text: "" }, "json")).toEqual([{ type: "transcript.text.done", text: "" }]);
});

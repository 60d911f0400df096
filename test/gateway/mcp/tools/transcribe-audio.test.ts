import { beforeAll, expect, it } from "vitest";
import type { Tool, ToolResponse } from "../../../../gateway/mcp/tool/tool.ts";
import { transcribeAudioTool } from "../../../../gateway/mcp/tools/transcribe-audio.ts";
import { fieldsSeen, filesSeen } from "../../../support/edit-acts.ts";
import { useMedia, OTHER_KEY, SPEECH_ROUTE, textOf } from "../media/media-stage.ts";
import { mp3 } from "../../../support/media-samples.ts";
import { png } from "../../../support/pictures.ts";
import { soundOf } from "../../../support/transcription-acts.ts";
import { reply, replyBytes } from "../../../support/wire-provider.ts";

const ROUTE = "POST /v1/audio/transcriptions";
const media = useMedia();
let transcribe: Tool;
beforeAll(() => {
  transcribe = transcribeAudioTool(media.stage.deps);
});

const ASKED = { model: "gpt-transcribe", audio: soundOf(60).toString("base64") };
const USAGE = { type: "duration", seconds: 60 };
/** A minute at $0.0045. */
const MINUTE = 4_500_000;
const segmentsOf = ({ structured }: ToolResponse): unknown => structured["segments"];

it("the text comes with its cost", async () => {
  media.wire.on(ROUTE, reply(200, { text: "The kettle whistles.", usage: USAGE }));
  for (const audio of [ASKED.audio, `data:audio/wav;base64,${ASKED.audio}`]) {
    const { response, receipt } = await media.stage.response(transcribe, { ...ASKED, audio, language: "en" });
    expect(textOf(response)).toBe("The kettle whistles.\n\nCost: $0.0045 (gpt-transcribe).");
    expect(response.structured).toMatchObject({ text: "The kettle whistles.", segments: null, cost_usd: 0.0045 });
    expect(receipt).toMatchObject({ endpoint: "transcriptions", nano: MINUTE });
  }
  const [seen] = media.requests;
  expect(await fieldsSeen(seen as never)).toEqual({ model: "gpt-transcribe", language: "en" });
  expect(await filesSeen(seen as never)).toMatchObject([{ name: "sound.wav", type: "audio/wav", bytes: soundOf(60) }]);
});

it("subtitles come as they are, and segments with their times", async () => {
  const segments = [{ id: 0, start: 0, end: 1.5, text: " Hello." }];
  media.wire.on(ROUTE, reply(200, { text: "Hello.", duration: 60, segments }));
  const whisper = { ...ASKED, model: "whisper-1" };
  const srt = await media.stage.response(transcribe, { ...whisper, response_format: "srt" });
  expect(textOf(srt.response)).toMatch(/^1\n00:00:00,000 --> 00:00:01,500\nHello\.\n\nCost: /);
  const verbose = await media.stage.response(transcribe, { ...whisper, response_format: "verbose_json" });
  expect(textOf(verbose.response)).toMatch(/^\[0\.0–1\.5 s\] Hello\.\n\nCost: /);
  expect(segmentsOf(verbose.response)).toEqual([{ start: 0, end: 1.5, text: " Hello." }]);
});

it("speakers are named", async () => {
  const segments = [{ type: "transcript.text.segment", id: "s", start: 0, end: 2, text: "Hi.", speaker: "A" }];
  media.wire.on(ROUTE, reply(200, { text: "Hi.", duration: 60, segments }));
  const request = { ...ASKED, model: "gpt-4o-transcribe-diarize", response_format: "diarized_json" };
  const { response } = await media.stage.response(transcribe, request);
  expect(textOf(response)).toContain("[0.0–2.0 s] A: Hi.");
  expect(segmentsOf(response)).toEqual([{ start: 0, end: 2, text: "Hi.", speaker: "A" }]);
});

it("translations go to their own address", async () => {
  media.wire.on("POST /v1/audio/translations", reply(200, { text: "Good morning.", duration: 60 }));
  const { receipt } = await media.stage.response(transcribe, { ...ASKED, model: "whisper-1", translate: true });
  expect(receipt).toMatchObject({ endpoint: "translations" });
});

it("what the key spoke before is heard again, and no one else's", async () => {
  media.wire.on(SPEECH_ROUTE, replyBytes("audio/mpeg", mp3(100)));
  media.wire.on(ROUTE, reply(200, { text: "Good evening." }));
  const { kept } = await media.stage.response(media.speak, { model: "tts-1", input: "Good evening.", voice: "alloy" });
  const audio = `postern://media/${kept[0]}`;
  await media.stage.response(transcribe, { ...ASKED, audio });
  expect(await filesSeen(media.requests[1] as never)).toMatchObject([{ type: "audio/mpeg", bytes: mp3(100) }]);
  const { error } = await media.stage.call(transcribe, { ...ASKED, audio }, { key: OTHER_KEY });
  expect(error?.code).toBe("not_found");
});

it("a quote is what would be held, and asks no provider", async () => {
  const { quoted } = await media.stage.call(transcribe, ASKED, { quote: true });
  expect(quoted).toMatchObject({ model: "gpt-transcribe", nano: 61 * 75_000, open: false });
  expect(media.requests).toEqual([]);
});

it.each<[Record<string, unknown>, string, string]>([
  [{ model: "gpt-transcribe" }, "missing_required_parameter", "audio"],
  [{ ...ASKED, audio: "/home/me/a.mp3?" }, "invalid_value", "audio"],
  [{ ...ASKED, audio: "https://example.com/a.mp3" }, "invalid_value", "audio"],
  [{ ...ASKED, audio: png().toString("base64") }, "invalid_value", "audio"],
  [{ ...ASKED, response_format: "docx" }, "invalid_value", "response_format"],
  [{ ...ASKED, response_format: "srt" }, "unsupported_value", "response_format"],
  [{ ...ASKED, translate: true }, "endpoint_model_mismatch", "model"],
  [{ ...ASKED, stream: true }, "unsupported_parameter", "stream"],
])("%# is refused as by /v1", async (args, code, param) => {
  const { error } = await media.stage.call(transcribe, args);
  expect([error?.code, error?.details.param]).toEqual([code, param]);
  expect(media.requests).toEqual([]);
});

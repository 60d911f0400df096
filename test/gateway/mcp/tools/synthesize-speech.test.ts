import { expect, it } from "vitest";
import type { MediaFacts } from "../../../../gateway/mcp/media/media-facts.ts";
import type { ToolResponse } from "../../../../gateway/mcp/tool/tool.ts";
import { useMedia, SPEECH_ROUTE, inlineOf, kindsOf, textOf } from "../media/media-stage.ts";
import { SlowEvents, serveFile } from "../../../support/speech-acts.ts";
import { mp3 } from "../../../support/media-samples.ts";
import { samplesOf, wavFile, wavOf } from "../../../support/sound.ts";
import { replyBytes } from "../../../support/wire-provider.ts";

const media = useMedia();

const audioOf = ({ structured }: ToolResponse): MediaFacts | null => structured["audio"] as MediaFacts | null;
const ASKED = { model: "tts-1", input: "Good evening.", voice: "alloy" };
const MP3 = mp3(40);

it("sound comes as itself, as a link, as facts and with its cost", async () => {
  media.wire.on(SPEECH_ROUTE, replyBytes("audio/mpeg", MP3));
  const { response, receipt, kept } = await media.stage.response(media.speak, { ...ASKED, speed: 1.5 });
  expect(kindsOf(response)).toEqual(["audio", "resource_link", "text"]);
  expect(response.content[0]).toMatchObject({ type: "audio", mimeType: "audio/mpeg" });
  expect(inlineOf(response)).toEqual([MP3]);
  expect(audioOf(response)).toMatchObject({
    media_id: kept[0],
    uri: `postern://media/${kept[0]}`,
    mime_type: "audio/mpeg",
    bytes: MP3.length,
    width: null,
    inline: true,
  });
  expect(audioOf(response)?.duration_seconds).toBeCloseTo(40 * 0.026_122, 2);
  expect(receipt?.nano).toBe(13 * 15_000);
  expect(textOf(response)).toMatch(/Cost: \$0\.00019 \(tts-1\)\.$/);
  expect(media.requests[0]?.json).toEqual({ ...ASKED, speed: 1.5 });
});

it("a file that DashScope names is fetched and delivered whole", async () => {
  const sound = wavFile(samplesOf(0.5));
  serveFile(media.wire, sound);
  const { response } = await media.stage.response(media.speak, {
    model: "gamma3-tts-instruct-flash",
    input: "Guten Abend.",
    instructions: "Slowly.",
    language_type: "German",
  });
  expect(inlineOf(response)).toEqual([sound]);
  expect(audioOf(response)).toMatchObject({ mime_type: "audio/wav", duration_seconds: 0.5 });
  expect(media.requests[0]?.json).toMatchObject({ input: { language_type: "German", instructions: "Slowly." } });
});

it("samples come as a file that can be played", async () => {
  const samples = samplesOf(0.25);
  media.wire.on(SPEECH_ROUTE, replyBytes("audio/pcm", samples));
  const { response } = await media.stage.response(media.speak, { ...ASKED, response_format: "pcm" });
  const [sound] = inlineOf(response);
  expect(wavOf(sound ?? Buffer.alloc(0)).seconds).toBeCloseTo(0.25, 3);
  expect(audioOf(response)).toMatchObject({ mime_type: "audio/wav" });
});

it("sound that breaks off is an error with its cost, and is not kept", async () => {
  media.wire.on(SPEECH_ROUTE, (_seen, outgoing) => {
    outgoing.writeHead(200, { "content-type": "audio/mpeg", "content-length": 2 * MP3.length });
    outgoing.write(MP3, () => outgoing.destroy());
  });
  const { error, kept, receipt } = await media.stage.call(media.speak, ASKED);
  expect(error).toMatchObject({
    code: "upstream_error",
    message: `The audio broke off after ${MP3.length} bytes, so nothing was kept. Cost: $0.00019 (tts-1). Call again.`,
  });
  expect(kept).toEqual([]);
  expect(receipt).toMatchObject({ outcome: "interrupted", nano: 13 * 15_000 });
});

it.each<[Record<string, unknown>, string, string | undefined]>([
  [{ model: "tts-1" }, "missing_required_parameter", "input"],
  [{ ...ASKED, input: "  " }, "invalid_value", "input"],
  [{ ...ASKED, voice: "nobody" }, "unsupported_value", "voice"],
  [{ ...ASKED, response_format: "midi" }, "unsupported_value", "response_format"],
  [{ ...ASKED, speed: 9 }, "invalid_value", "speed"],
  [{ ...ASKED, stream_format: "sse" }, "unsupported_parameter", "stream_format"],
])("%j is refused as by /v1", async (args, code, param) => {
  const { error } = await media.stage.call(media.speak, args);
  expect([error?.code, error?.details.param]).toEqual([code, param]);
  expect(media.requests).toEqual([]);
});

it("a cancelled call is finished for the library and billed once", async () => {
  const caller = new AbortController();
  const slow = new SlowEvents("audio/mpeg", MP3);
  media.wire.on(SPEECH_ROUTE, slow.act);
  const call = media.stage.call(media.speak, ASKED, { signal: caller.signal });
  await slow.started;
  caller.abort();
  slow.end();
  const { receipt, kept } = await call;
  expect(receipt).toMatchObject({ outcome: "cancelled", code: "client_closed", finished_for_library: true });
  expect(kept).toHaveLength(1);
  expect(media.requests).toHaveLength(1);
});

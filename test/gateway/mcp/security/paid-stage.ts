import { mp3 } from "../../../support/media-samples.ts";
import { completionText, streamFrames } from "../../../support/acts.ts";
import { deltaEdit } from "../../../support/edit-acts.ts";
import { embedAct } from "../../../support/embedding-acts.ts";
import { PIXEL_BASE64, deltaResponse } from "../../../support/image-acts.ts";
import { KEY, startGateway, type TestGateway, type TestOptions } from "../../../support/running-gateway.ts";
import { TRANSCRIPT, soundForm, soundOf, transcribe } from "../../../support/transcription-acts.ts";
import { VideoProvider } from "../../../support/video-provider.ts";
import { WireProvider, reply, replyBytes, replyEvents, type WireAct } from "../../../support/wire-provider.ts";

const SOUND = soundOf(6);
export const PICTURE = `data:image/png;base64,${PIXEL_BASE64}`;

/** A tool that costs money, and the same call at its endpoint of /v1. */
export interface PaidTool {
  readonly name: string;
  readonly model: string;
  /** Without the model. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly path: string;
  /** Without the model. */
  readonly body: Readonly<Record<string, unknown>>;
  /** What a form has next to its fields, where the endpoint takes one. */
  readonly sound?: Buffer;
  /** A model that does something else. */
  readonly wrongModel: string;
  /** Where the provider is asked; null for videos, which have a provider of their own. */
  readonly route: string | null;
  readonly act: WireAct;
}

export const PAID: readonly PaidTool[] = [
  {
    name: "chat",
    model: "gpt-4.1",
    args: { prompt: "Say hello.", max_tokens: 50 },
    path: "/chat/completions",
    body: { messages: [{ role: "user", content: "Say hello." }], max_tokens: 50 },
    wrongModel: "tts-1",
    route: "POST /v1/chat/completions",
    act: (seen, outgoing) =>
      (seen.json as { stream?: boolean }).stream === true
        ? replyEvents(...streamFrames())(seen, outgoing)
        : reply(200, JSON.parse(completionText()))(seen, outgoing),
  },
  {
    name: "embed_text",
    model: "text-embedding-3-small",
    args: { input: ["text 1", "text 2"] },
    path: "/embeddings",
    body: { input: ["text 1", "text 2"] },
    wrongModel: "gpt-4.1",
    route: "POST /v1/embeddings",
    act: embedAct(),
  },
  {
    name: "generate_image",
    model: "delta-image-1",
    args: { prompt: "A red fox", quality: "high", size: "1024x1024" },
    path: "/images/generations",
    body: { prompt: "A red fox", quality: "high", size: "1024x1024" },
    wrongModel: "gpt-4.1",
    route: "POST /v1/images/generations",
    act: reply(200, deltaResponse()),
  },
  {
    name: "edit_image",
    model: "delta-image-1",
    args: { prompt: "Make it blue", images: [PICTURE], quality: "high", size: "1024x1024" },
    path: "/images/edits",
    body: { prompt: "Make it blue", images: [PICTURE], quality: "high", size: "1024x1024" },
    wrongModel: "gpt-4.1",
    route: "POST /v1/images/edits",
    act: reply(200, deltaEdit()),
  },
  {
    name: "synthesize_speech",
    model: "tts-1",
    args: { input: "Good evening.", voice: "alloy" },
    path: "/audio/speech",
    body: { input: "Good evening.", voice: "alloy" },
    wrongModel: "gpt-4.1",
    route: "POST /v1/audio/speech",
    act: replyBytes("audio/mpeg", mp3(40)),
  },
  {
    name: "transcribe_audio",
    model: "gpt-transcribe",
    args: { audio: SOUND.toString("base64"), response_format: "json" },
    path: "/audio/transcriptions",
    body: { response_format: "json" },
    sound: SOUND,
    wrongModel: "gpt-4.1",
    route: "POST /v1/audio/transcriptions",
    act: reply(200, TRANSCRIPT),
  },
  {
    name: "generate_video",
    model: "alpha2.6-t2v",
    args: { prompt: "A lighthouse at dusk.", duration_seconds: 5, resolution: "720p" },
    path: "/videos/generations",
    body: { input: { prompt: "A lighthouse at dusk." }, duration: 5, resolution: "720p" },
    wrongModel: "gpt-4.1",
    route: null,
    act: reply(404, {}),
  },
];

/** The call of a tool at its endpoint of /v1. */
export function postTool(
  gateway: TestGateway,
  { path, model, body, sound }: PaidTool,
  key = KEY,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<Response> {
  const fields = { model, ...body, ...changes };
  if (sound === undefined) return gateway.post(path, fields, key);
  return transcribe(gateway, soundForm(fields, sound), { key });
}

/** A gateway with OpenAI and DashScope's videos behind it, all of them servers of the test. */
export class PaidStage {
  readonly wire: WireProvider;
  readonly films: VideoProvider;
  readonly gateway: TestGateway;

  private constructor(wire: WireProvider, films: VideoProvider, gateway: TestGateway) {
    this.wire = wire;
    this.films = films;
    this.gateway = gateway;
  }

  static async open(options: TestOptions = {}): Promise<PaidStage> {
    const wire = new WireProvider();
    await wire.listen();
    const films = await new VideoProvider().listen();
    const gateway = await startGateway({
      ...options,
      env: {
        ...films.env("dashscope"),
        POSTERN_OPENAI_BASE_URL: `${wire.origin}/v1`,
        POSTERN_OPENAI_API_KEY: "sk-provider-openai-0001",
        ...options.env,
      },
    });
    return new PaidStage(wire, films, gateway);
  }

  /** Every provider does what it should; nothing is known of what was asked before. */
  reset(): void {
    this.wire.reset();
    this.films.seen.length = 0;
    for (const { route, act } of PAID) if (route !== null) this.wire.on(route, act);
  }

  /** Requests that reached a provider and may have cost something. */
  get requestCount(): number {
    return this.wire.seen.filter(({ method }) => method === "POST").length + this.films.count("submit");
  }

  async newKey(limits: Readonly<Record<string, unknown>> = {}): Promise<{ id: string; secret: string }> {
    const { secret, key } = await this.gateway.ask<{ secret: string; key: { id: string } }>("POST", "/keys", {
      name: "one of many",
      ...limits,
    });
    return { id: key.id, secret };
  }

  /** The call at its endpoint. */
  atV1(tool: PaidTool, key = KEY, changes: Readonly<Record<string, unknown>> = {}): Promise<Response> {
    return postTool(this.gateway, tool, key, changes);
  }

  async close(): Promise<void> {
    await this.gateway.close();
    await Promise.all([this.wire.close(), this.films.close()]);
  }
}

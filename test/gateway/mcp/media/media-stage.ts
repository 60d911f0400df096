import { afterAll, afterEach, beforeAll } from "vitest";
import type { Tool } from "../../../../gateway/mcp/tool/tool.ts";
import type { ToolResponse } from "../../../../gateway/mcp/tool/tool.ts";
import type { MediaFacts } from "../../../../gateway/mcp/media/media-facts.ts";
import { editImageTool } from "../../../../gateway/mcp/tools/edit-image.ts";
import { generateImageTool } from "../../../../gateway/mcp/tools/generate-image.ts";
import { synthesizeSpeechTool } from "../../../../gateway/mcp/tools/synthesize-speech.ts";
import type { TestOptions } from "../../../support/running-gateway.ts";
import { toolStage, type ToolStage } from "../../../support/tool-harness.ts";
import { WireProvider, type WireSeen } from "../../../support/wire-provider.ts";

export const OTHER_KEY = "sk-test-other-key-00000002";
export const POOR_KEY = "sk-test-poor-key-000000003";
export const ARK_ROUTE = "POST /api/v3/images/generations";
export const EDIT_ROUTE = "POST /v1/images/edits";
export const SPEECH_ROUTE = "POST /v1/audio/speech";

/** The tools that make images and sound, on services whose providers are all one server of the test. */
export class MediaStage {
  readonly wire: WireProvider;
  readonly stage: ToolStage;
  readonly generate: Tool;
  readonly edit: Tool;
  readonly speak: Tool;

  private constructor(wire: WireProvider, stage: ToolStage) {
    this.wire = wire;
    this.stage = stage;
    this.generate = generateImageTool(stage.deps);
    this.edit = editImageTool(stage.deps);
    this.speak = synthesizeSpeechTool(stage.deps);
  }

  static async open(options: TestOptions = {}): Promise<MediaStage> {
    const wire = new WireProvider();
    await wire.listen();
    const { origin } = wire;
    const stage = await toolStage({
      ...options,
      keys: [
        { key: OTHER_KEY, name: "other" },
        { key: POOR_KEY, name: "poor", limit_usd: 0.000_01 },
      ],
      env: {
        POSTERN_OPENAI_BASE_URL: `${origin}/v1`,
        POSTERN_OPENAI_API_KEY: "sk-provider-openai-0001",
        POSTERN_DASHSCOPE_BASE_URL: origin,
        POSTERN_DASHSCOPE_API_KEY: "sk-provider-dashscope-0001",
        POSTERN_ARK_BASE_URL: `${origin}/api/v3`,
        POSTERN_ARK_API_KEY: "sk-provider-ark-0001",
        POSTERN_XAI_BASE_URL: `${origin}/xai/v1`,
        POSTERN_XAI_API_KEY: "xai-provider-0001",
        POSTERN_GEMINI_BASE_URL: `${origin}/gemini`,
        POSTERN_GEMINI_API_KEY: "gemini-provider-0001",
      },
    });
    return new MediaStage(wire, stage);
  }

  /** What reached a provider and cost something; the library fetches results in addition. */
  get requests(): readonly WireSeen[] {
    return this.wire.seen.filter(({ method }) => method === "POST");
  }

  async close(): Promise<void> {
    await this.stage.close();
    await this.wire.close();
  }
}

/** A stage for the tests of a file or a block of it, whose providers forget after each what they were reported. */
export function useMedia(options: () => TestOptions = () => ({})): MediaStage {
  const media = Object.create(MediaStage.prototype) as MediaStage;
  beforeAll(async () => {
    Object.assign(media, await MediaStage.open(options()));
  });
  afterEach(() => media.wire.reset());
  afterAll(() => media.close());
  return media;
}

/** The kinds of a response's blocks, in order. */
export const kindsOf = ({ content }: ToolResponse): readonly string[] => content.map(({ type }) => type);

/** What a response of an image tool reports its images. */
export const imagesOf = ({ structured }: ToolResponse): readonly MediaFacts[] =>
  structured["images"] as readonly MediaFacts[];

/** The bytes in a response's image and audio blocks. */
export function inlineOf({ content }: ToolResponse): readonly Buffer[] {
  return content.flatMap((block) =>
    block.type === "image" || block.type === "audio" ? [Buffer.from(block.data, "base64")] : [],
  );
}

/** The text that ends a response. */
export function textOf({ content }: ToolResponse): string {
  const last = content.at(-1);
  if (last?.type !== "text") throw new Error("an answer ends with text");
  return last.text;
}

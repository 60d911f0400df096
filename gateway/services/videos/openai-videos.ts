import { listOpenAiVideosQuerySchema } from "../../contract/openai-videos.ts";
import type { OpenAiVideo, OpenAiVideoDeleted, OpenAiVideoList } from "../../contract/openai-videos.ts";
import { GatewayError } from "../../core/errors.ts";
import { DEFAULT_VIDEO_MODEL, videoFromOpenAi } from "../../core/videos/openai-videos.ts";
import { toOpenAiDeleted, toOpenAiVideo } from "../../core/videos/openai-video.ts";
import type { TaskRecord } from "../../core/tasks/task.ts";
import { validate } from "../../core/validation.ts";
import type { CallInput } from "../calls/paid-call.ts";
import type { RingKey } from "../keys/key-ring.ts";
import type { MediaLibrary } from "../media/media-library.ts";
import type { OpenMedia } from "../media/serve-media.ts";
import type { ResolveModel } from "../models/resolve-model.ts";
import type { CreateVideo } from "./submission/create-video.ts";
import { getOrderedModel } from "./task-provider.ts";
import { getLimit } from "./read-videos.ts";
import type { ReadVideos } from "./read-videos.ts";
import type { SentVideo } from "./read-video-form.ts";

export interface OpenAiVideosDeps {
  readonly createVideo: CreateVideo;
  readonly readVideos: ReadVideos;
  readonly media: Pick<MediaLibrary, "open" | "openPoster">;
  readonly resolveModel: ResolveModel;
}

export interface OpenAiVideoInput extends CallInput {
  readonly sent: SentVideo;
  /** The header `Idempotency-Key`. */
  readonly name: string | undefined;
}

/** OpenAI's videos resource over our tasks: its clients work with every family of models. */
export class OpenAiVideos {
  readonly #deps: OpenAiVideosDeps;

  constructor(deps: OpenAiVideosDeps) {
    this.#deps = deps;
  }

  /** @throws GatewayError for everything that makes no task */
  async create(input: OpenAiVideoInput): Promise<OpenAiVideo> {
    const { fields, reference } = input.sent;
    const { resolveModel, createVideo } = this.#deps;
    const { models } = input.key.record;
    const model = fields["model"] ?? resolveModel.findDefaultVideo(models) ?? DEFAULT_VIDEO_MODEL;
    if (typeof model !== "string" || model === "") {
      throw new GatewayError("invalid_type", "Invalid type for 'model': expected a model id.", { param: "model" });
    }
    input.note(model.slice(0, 200), null);
    const servedModel = resolveModel.findKnown(model, "video") ?? (await resolveModel.find(model, "video", models));
    const { request } = videoFromOpenAi(fields, reference, getOrderedModel(servedModel));
    return toOpenAiVideo(await createVideo.run({ ...input, body: request }));
  }

  async read(key: RingKey, id: string): Promise<OpenAiVideo> {
    return toOpenAiVideo(await this.#deps.readVideos.find(key, id));
  }

  /** @throws GatewayError for an invalid query */
  async list(key: RingKey, query: unknown): Promise<OpenAiVideoList> {
    const { limit, after, order } = validate(listOpenAiVideosQuerySchema, query);
    const page = await this.#deps.readVideos.page(key, {
      limit: getLimit(limit),
      after,
      oldestFirst: order === "asc",
    });
    const data = page.tasks.map((task) => toOpenAiVideo(task));
    return {
      object: "list",
      data,
      has_more: page.hasMore,
      first_id: data[0]?.id ?? null,
      last_id: data.at(-1)?.id ?? null,
    };
  }

  /**
   * Opens the library file of a finished video. The caller closes it.
   * @param variant `video`, or `thumbnail` if the library has a preview image.
   * @throws GatewayError not_found while there is no file
   */
  async open(key: RingKey, id: string, variant: unknown): Promise<OpenMedia> {
    const task = await this.#deps.readVideos.find(key, id);
    const { media } = this.#deps;
    if (task.result?.saved !== true || task.phase !== "succeeded") throw noFile(task);
    if (variant === "video") return media.open(task.result.video_media);
    if (variant === "thumbnail") return media.openPoster(task.result.video_media);
    throw new GatewayError(
      "unsupported_value",
      "Invalid value for 'variant': expected video or thumbnail; spritesheets are not made.",
      { param: "variant" },
    );
  }

  /** @throws GatewayError not_found, not_cancellable */
  async delete(key: RingKey, id: string): Promise<OpenAiVideoDeleted> {
    return toOpenAiDeleted(await this.#deps.readVideos.delete(key, id));
  }
}

function noFile(task: TaskRecord): GatewayError {
  const { status } = toOpenAiVideo(task);
  const why =
    status === "completed"
      ? "its file could not be fetched from the provider"
      : status === "failed"
        ? "it failed"
        : "it is not finished yet";
  return new GatewayError("not_found", `There is no file of ${task.id}: ${why}.`, { param: "id" });
}

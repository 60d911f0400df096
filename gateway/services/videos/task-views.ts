import type { VideoTask } from "../../contract/videos.ts";
import { isFinal, publicId, getSeed, getStatus } from "../../core/tasks/task.ts";
import type { TaskRecord, TaskResult } from "../../core/tasks/task.ts";
import { usdFromNano } from "../../lib/money.ts";
import type { MediaLibrary } from "../media/media-library.ts";

export interface TaskViewDeps {
  readonly media: Pick<MediaLibrary, "linkTo">;
  /** Postern's own address, for links. */
  readonly origin: () => string;
}

/** Builds a task's public view: for the API and webhooks. */
export class TaskViews {
  readonly #deps: TaskViewDeps;

  constructor(deps: TaskViewDeps) {
    this.#deps = deps;
  }

  /** Links to our own copies are made again each time: they work for a day. */
  async task(task: TaskRecord): Promise<VideoTask> {
    const status = getStatus(task);
    return {
      id: publicId(task),
      object: "video.task",
      model: task.model,
      status,
      created_at: Math.floor(task.created_at / 1_000),
      updated_at: Math.floor(task.updated_at / 1_000),
      ...(task.progress === null ? {} : { progress: task.progress }),
      ...(task.error === null ? {} : { error: task.error }),
      ...(isFinal(status) ? await this.#outcome(task, status === "succeeded" ? task.result : null) : {}),
      native: task.native,
    };
  }

  async #outcome(task: TaskRecord, made: TaskResult | null): Promise<Pick<VideoTask, "content" | "usage" | "seed">> {
    const seed = getSeed(task);
    if (made === null) return { content: null, usage: null, seed };
    return {
      content: {
        video_url: made.video_url,
        ...(made.last_frame_url === null ? {} : { last_frame_url: made.last_frame_url }),
        local_url: await this.#link(made.saved === true ? made.video_media : null),
      },
      usage: {
        ...made.usage,
        duration_seconds: made.seconds,
        resolution: made.resolution,
        cost_usd: computeCost(task),
      },
      seed,
    };
  }

  async #link(media: string | null): Promise<string | null> {
    const link = media === null ? null : await this.#deps.media.linkTo(media);
    return link === null ? null : this.#deps.origin() + link.link;
  }
}

function computeCost({ bill }: TaskRecord): number | null {
  const nano = bill?.receipt.nano ?? null;
  return nano === null ? null : usdFromNano(nano);
}

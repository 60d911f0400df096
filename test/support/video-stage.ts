import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import type { TaskDetail } from "../../gateway/contract/tasks.ts";
import type { VideoTask } from "../../gateway/contract/videos.ts";
import { errorOf, type TestOptions } from "./running-gateway.ts";
import { VideoStage } from "./video-acts.ts";
import type { VideoProvider } from "./video-provider.ts";

export const PICTURE = "https://pictures.example/a.png";
export const FILM = "https://films.example/a.mp4";
export const SOUND = "https://sounds.example/a.mp3";

/** What an input of each kind needs at the least, by a model's id. */
export function inputFor(model: string): Record<string, unknown> {
  const prompt = "A lighthouse at dusk.";
  const legacy = /^alpha2\.[56]-/.test(model);
  if (/-i2v/.test(model)) {
    return legacy ? { prompt, img_url: PICTURE } : { prompt, media: [{ type: "first_frame", url: PICTURE }] };
  }
  if (/-r2v/.test(model)) {
    return legacy
      ? { prompt, reference_urls: [PICTURE] }
      : { prompt, media: [{ type: "reference_image", url: PICTURE }] };
  }
  return model.endsWith("-edit") ? { prompt, media: [{ type: "video", url: FILM }] } : { prompt };
}

/** One gateway for a file of tests, with a fresh provider for each: its tasks run until a test ends them. */
export function useVideoStage(options: TestOptions = {}) {
  let stage: VideoStage;
  beforeAll(async () => {
    stage = await VideoStage.open(options);
  });
  beforeEach(() => {
    stage.provider.reset();
    stage.provider.plan = ["running"];
  });
  afterEach(() => {
    expect(stage.provider.complaints).toEqual([]);
  });
  afterAll(() => stage.close());

  return {
    get stage(): VideoStage {
      return stage;
    },
    get provider(): VideoProvider {
      return stage.provider;
    },
    /** Submits, and resolves with the body that the provider was sent. */
    async sent(body: object): Promise<Readonly<Record<string, unknown>>> {
      const before = stage.provider.tasks.length;
      await stage.submit(body);
      expect(stage.provider.tasks).toHaveLength(before + 1);
      return stage.provider.last.ordered.fields;
    },
    /** Submits what is refused here: nothing may reach the provider, and nothing may be left of it. */
    async refused(
      body: unknown,
      status = 400,
    ): Promise<{ message: string; param: string | null; code: string | null }> {
      const before = stage.provider.count("submit");
      const response = await stage.gateway.post("/videos/generations", body);
      const error = await errorOf(response);
      expect([response.status, error.message]).toEqual([status, expect.any(String)]);
      expect(stage.provider.count("submit")).toBe(before);
      return error;
    },
    /** A task as the owner's pages show it: with its receipt and its hold. */
    detailOf(task: Pick<VideoTask, "id">): Promise<TaskDetail> {
      return stage.gateway.ask<TaskDetail>("GET", `/tasks/${task.id}`);
    },
    async receiptOf(task: Pick<VideoTask, "id">): Promise<TaskDetail["receipt"]> {
      return (await this.detailOf(task)).receipt;
    },
    /** Lets the provider end a task, and resolves when that is known. */
    async ended(task: VideoTask, state: "succeeded" | "failed", key?: string): Promise<VideoTask> {
      stage.provider.advance(stage.provider.last.id, state);
      return stage.over(task.id, key);
    },
  };
}

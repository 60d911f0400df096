import { videoWaitSchema } from "../../contract/videos.ts";
import { GatewayError } from "../../core/errors.ts";
import { isOver } from "../../core/tasks/task.ts";
import { validate } from "../../core/validation.ts";
import { isRecord } from "../../lib/records.ts";
import { awaitTask } from "../../services/videos/await-task.ts";
import type { AwaitDeps } from "../../services/videos/await-task.ts";
import type { CreateVideo } from "../../services/videos/submission/create-video.ts";
import type { ReadVideos } from "../../services/videos/read-videos.ts";
import type { TaskViews } from "../../services/videos/task-views.ts";
import { callInput, getKey } from "../call-input.ts";
import { HttpReply } from "../http-reply.ts";
import type { Context } from "../state.ts";
import type { FormPart } from "../../services/edits/form-part.ts";
import type { OpenAiVideos } from "../../services/videos/openai-videos.ts";
import { sentDocument, sentForm } from "../../services/videos/read-video-form.ts";
import { sendMedia } from "./media.ts";

export interface VideoRouteDeps extends AwaitDeps {
  readonly createVideo: CreateVideo;
  readonly readVideos: ReadVideos;
  readonly views: TaskViews;
}

const USUAL_WAIT_S = 60;
const LONGEST_WAIT_S = 600;

/** `/v1/videos/generations`. HTTP adapter of services/videos. */
export function createVideoRoutes(deps: VideoRouteDeps) {
  const { createVideo, readVideos, views } = deps;
  return {
    async create(context: Context): Promise<void> {
      const { body } = context.state;
      // A wrong query is reported before anything is paid for.
      const waitMs = getWait(context, body);
      const task = await createVideo.run({
        ...callInput(context),
        body,
        name: context.get("idempotency-key"),
      });
      const newest = await awaitTask(deps, task, waitMs, new HttpReply(context.res));
      context.status = waitMs > 0 && isOver(newest) ? 200 : 202;
      context.body = await views.task(newest);
    },
    async list(context: Context): Promise<void> {
      context.body = await readVideos.list(getKey(context), context.query);
    },
    async retrieve(context: Context): Promise<void> {
      context.body = await readVideos.read(getKey(context), getId(context));
    },
    async cancel(context: Context): Promise<void> {
      context.body = await readVideos.cancel(getKey(context), getId(context));
    },
  };
}

/** Milliseconds that the client waits for the task; 0 when it does not. @throws GatewayError invalid_value */
function getWait(context: Context, body: unknown): number {
  const { wait, wait_seconds } = validate(videoWaitSchema, { ...context.query });
  const seconds = wait_seconds === undefined ? USUAL_WAIT_S : Number(wait_seconds);
  if (seconds > LONGEST_WAIT_S) {
    throw new GatewayError(
      "invalid_value",
      `Invalid value for 'wait_seconds': ${seconds}; expected at most ${LONGEST_WAIT_S}.`,
      { param: "wait_seconds" },
    );
  }
  const shouldWait = wait === "true" || (isRecord(body) && body["wait"] === true);
  return shouldWait && wait !== "false" ? seconds * 1_000 : 0;
}

export function getId(context: Context): string {
  return (context as Context & { params: Record<string, string> }).params["id"] ?? "";
}

export interface OpenAiVideoRouteDeps {
  readonly openAiVideos: OpenAiVideos;
}

/** OpenAI's `/v1/videos`, for its SDKs: the same tasks in its format (docs/clients.md#openais-sdk). */
export function openAiVideoRoutes({ openAiVideos }: OpenAiVideoRouteDeps) {
  return {
    async create(context: Context): Promise<void> {
      const { state } = context;
      // Only a JSON body is stored as bytes: a form's bytes are in its parts.
      const sent = state.raw === null ? sentForm(state.body as readonly FormPart[]) : sentDocument(state.body);
      context.body = await openAiVideos.create({
        ...callInput(context),
        sent,
        name: context.get("idempotency-key"),
      });
    },
    async list(context: Context): Promise<void> {
      context.body = await openAiVideos.list(getKey(context), context.query);
    },
    async retrieve(context: Context): Promise<void> {
      context.body = await openAiVideos.read(getKey(context), getId(context));
    },
    async content(context: Context): Promise<void> {
      const { variant } = context.query;
      const opened = await openAiVideos.open(getKey(context), getId(context), variant ?? "video");
      try {
        await sendMedia(context, opened);
      } finally {
        await opened.file.close();
      }
    },
    async delete(context: Context): Promise<void> {
      context.body = await openAiVideos.delete(getKey(context), getId(context));
    },
  };
}

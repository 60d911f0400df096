import type { OpenAiVideo, OpenAiVideoDeleted } from "../../contract/openai-videos.ts";
import { publicId } from "../tasks/task.ts";
import type { TaskPhase, TaskRecord } from "../tasks/task.ts";
import { estimateLikelySides } from "./video-size.ts";

/**
 * Converts tasks to OpenAI's format (docs/providers/openai.md#videos, docs/clients.md#openais-sdk), which has no
 * cancelled status.
 */
const STATUS: Readonly<Record<TaskPhase, OpenAiVideo["status"]>> = {
  submitting: "queued",
  unknown: "queued",
  submitted: "queued",
  running: "in_progress",
  fetching: "in_progress",
  succeeded: "completed",
  failed: "failed",
  cancelled: "failed",
};

export function toOpenAiVideo(task: TaskRecord): OpenAiVideo {
  const status = STATUS[task.phase];
  const { order, result } = task;
  return {
    id: publicId(task),
    object: "video",
    model: task.model,
    status,
    progress: status === "completed" ? 100 : (task.progress ?? 0),
    created_at: seconds(task.created_at),
    completed_at: status === "completed" && task.finished_at !== null ? seconds(task.finished_at) : null,
    expires_at: status === "completed" && result?.saved !== true ? seconds(task.forgotten_at) : null,
    prompt: order.prompt,
    seconds: String(order.seconds),
    size: estimateLikelySides(order.resolution, order.ratio).join("x"),
    remixed_from_video_id: null,
    error: readError(task),
  };
}

export const toOpenAiDeleted = (id: string): OpenAiVideoDeleted => ({ id, object: "video.deleted", deleted: true });

function readError({ phase, error }: TaskRecord): OpenAiVideo["error"] {
  if (phase === "cancelled") return { code: "cancelled", message: error?.message ?? "The video was cancelled." };
  if (phase !== "failed") return null;
  return error ?? { code: "failed", message: "The provider says that the task failed, and not why." };
}

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1_000);

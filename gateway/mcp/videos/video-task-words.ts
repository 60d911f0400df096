import type { TaskStatus } from "../../contract/videos.ts";
import { publicId, statusOf } from "../../core/tasks/task.ts";
import type { TaskRecord } from "../../core/tasks/task.ts";
import { redact } from "../../lib/redact.ts";

/** Where a finished file is. */
interface File {
  readonly uri: string | null;
  readonly url: string | null;
  readonly provider_url: string | null;
}

const FOLLOW = "Call get_video_task with wait_seconds to follow it.";

/** What has become of a task, and what to do next, for models and people. */
export function taskSentence(task: TaskRecord, video: File | null): string {
  const name = `Task ${publicId(task)}`;
  const words: Readonly<Record<TaskStatus, () => string>> = {
    submitted: () => `${name} is queued. ${FOLLOW}`,
    running: () => `${name} is running${progressWords(task)}. ${FOLLOW}`,
    succeeded: () => `${name} has succeeded. ${fileWords(video)}`,
    failed: () => `${name} has failed${errorWords(task)}${later(task)}`,
    cancelled: () => `${name} was cancelled${errorWords(task)}`,
    unknown: () =>
      `It is not known whether the provider accepted ${name.toLowerCase()}; Postern looks for it there. Do not start it again: ` +
      `it could be made and charged twice. ${FOLLOW}`,
  };
  return words[statusOf(task)]();
}

/** `, 42 %`; nothing where the provider does not report it. */
export const progressWords = ({ progress }: TaskRecord): string =>
  progress === null ? "" : `, ${Math.round(progress)} %`;

function fileWords(video: File | null): string {
  if (video?.url != null) return `The video is saved as ${video.uri ?? ""}, to open for a day: ${video.url}`;
  if (video?.provider_url == null) return "Its file is not in Postern's library, and the provider gives no URL.";
  return `Its file is not in Postern's library; the provider keeps it for about a day: ${video.provider_url}`;
}

const errorWords = ({ error }: TaskRecord): string =>
  error === null ? "." : `: ${error.code}: ${redact(error.message)}`;

/** A timeout is ours: the provider may finish the video after all. */
const later = ({ bill }: TaskRecord): string =>
  bill === null ? " If the provider finishes it after all, it succeeds and is charged." : "";

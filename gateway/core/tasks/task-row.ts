import type { TaskRow } from "../../contract/tasks.ts";
import { publicId, getStatus } from "./task.ts";
import type { TaskRecord } from "./task.ts";

const PROMPT_CHARACTERS = 300;

/** A task as lists of the pages show it. */
export function taskRow(task: TaskRecord): TaskRow {
  const { order, result } = task;
  // The billed figures, once they are known.
  const { seconds, resolution } = result ?? order;
  return {
    id: task.id,
    public_id: publicId(task),
    model: task.model,
    provider: task.provider,
    key: task.key,
    client: task.client,
    status: getStatus(task),
    progress: task.progress,
    created_at: task.created_at,
    finished_at: task.finished_at,
    seconds,
    resolution,
    ratio: order.ratio,
    prompt: firstCharacters(order.prompt),
    nano: task.bill?.receipt.nano ?? null,
    priced: task.price !== null,
    sandbox: task.sandbox,
    error: task.error,
    webhook: task.deliveries.at(-1)?.state ?? null,
    media: result?.saved === true ? result.video_media : null,
  };
}

/** Never half of a character. */
const firstCharacters = (text: string): string => text.slice(0, PROMPT_CHARACTERS).replace(/[\uD800-\uDBFF]$/, "");

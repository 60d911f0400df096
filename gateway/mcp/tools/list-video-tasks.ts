import * as z from "zod";
import { getWholeBetween } from "../../contract/bounds.ts";
import { taskStatusSchema } from "../../contract/videos.ts";
import type { ToolDeps } from "../tool/tool-deps.ts";
import { defineTool } from "../tool/tool.ts";
import type { Tool } from "../tool/tool.ts";
import { taskSchema, createTaskView } from "../videos/video-task-response.ts";
import type { TaskResponseDeps, TaskFacts } from "../videos/video-task-response.ts";

export type ListVideoTasksDeps = Pick<ToolDeps, "readVideos"> & TaskResponseDeps;

const USUALLY = 20;

/** `GET /v1/videos/generations`. */
export function listVideoTasksTool(deps: ListVideoTasksDeps): Tool {
  return defineTool({
    name: "list_video_tasks",
    title: "List video tasks",
    description:
      "Lists the video tasks of this key, newest first, each with its status, prompt, file and cost, for example to find " +
      "a task whose id was lost. Free, and asks no provider; get_video_task returns the newest state of one task.",
    input: z.strictObject({
      limit: getWholeBetween(1, 100).optional().describe("How many tasks, 1 to 100. Default 20."),
      after: z
        .string()
        .max(200)
        .optional()
        .describe("last_id of the previous page, for older tasks. Default: from the newest on."),
      status: taskStatusSchema.optional().describe("Only tasks of this status. Default: all."),
      model: z.string().max(200).optional().describe("Only tasks of this model. Default: all."),
    }),
    output: z.object({
      tasks: z.array(taskSchema).describe("Newest first."),
      has_more: z.boolean().describe("Whether there are older ones: call again with after = last_id."),
      last_id: z.string().nullable().describe("Id of the last task of this page; null when it has none."),
    }),
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    capability: null,
    async run(call, { limit = USUALLY, after, status, model }) {
      const page = await deps.readVideos.page(call.input.key, { limit, after, status, model });
      const views = await Promise.all(page.tasks.map((task) => createTaskView(deps, task)));
      const tasks = views.map(({ facts }) => facts);
      const lastId = tasks.at(-1)?.id ?? null;
      const more = page.hasMore && lastId !== null ? [`There are older ones: call again with after "${lastId}".`] : [];
      const text = tasks.length === 0 ? "There are no such video tasks." : [...tasks.map(getLine), ...more].join("\n");
      return {
        content: [{ type: "text", text }],
        structured: { tasks, has_more: page.hasMore, last_id: lastId },
      };
    },
  });
}

/** `vt_… succeeded, alpha2.6-t2v, 5 s at 720p, 2026-11-20T12:00:00Z, $0.5: "A lighthouse at dusk." postern://media/…` */
function getLine(task: TaskFacts): string {
  const { id, status, model, duration_seconds: seconds, resolution, cost_usd: cost, prompt, video, error } = task;
  const at = new Date(task.created_at * 1_000).toISOString().replace(/\.\d+Z$/, "Z");
  const percent = task.progress_percent === null || status !== "running" ? "" : ` (${task.progress_percent} %)`;
  const paid = cost === null ? "" : `, $${cost}`;
  const ends = [video?.uri ?? video?.provider_url ?? "", error === null ? "" : `${error.code}: ${error.message}`];
  const end = ends.filter((text) => text !== "").join(" ");
  return `${id} ${status}${percent}, ${model}, ${seconds} s at ${resolution}, ${at}${paid}: ${JSON.stringify(prompt)}${end === "" ? "" : ` ${end}`}`;
}

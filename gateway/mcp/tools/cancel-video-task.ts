import * as z from "zod";
import type { ToolDeps } from "../tool/tool-deps.ts";
import { defineTool } from "../tool/tool.ts";
import type { Tool } from "../tool/tool.ts";
import { createTaskContent, taskFields, createTaskView } from "../videos/video-task-response.ts";
import type { TaskResponseDeps } from "../videos/video-task-response.ts";

export type CancelVideoTaskDeps = Pick<ToolDeps, "readVideos"> & TaskResponseDeps;

/** `DELETE /v1/videos/generations/{id}`. */
export function cancelVideoTaskTool(deps: CancelVideoTaskDeps): Tool {
  return defineTool({
    name: "cancel_video_task",
    title: "Cancel a video task",
    description:
      "Cancels a video task at its provider while it is queued there (status submitted); then nothing is charged, and its hold " +
      "is released. Alpha, Beta and Seedance support that. Once it runs, and at providers that cannot cancel (Grok, Sora), the " +
      "error is not_cancellable and the task goes on.",
    input: z.strictObject({
      id: z
        .string("expected the id of a task")
        .min(1, "expected the id of a task")
        .max(200)
        .describe("Id of the task: vt_…, or cgt-… for Seedance. list_video_tasks lists those of this key."),
    }),
    output: z.object(taskFields),
    // Idempotent: the second result is that the task has ended.
    hints: { readOnly: false, destructive: true, idempotent: true, openWorld: true },
    capability: null,
    async run(call, { id }) {
      const { key } = call.input;
      await deps.readVideos.cancel(key, id);
      const task = await deps.readVideos.find(key, id);
      const view = await createTaskView(deps, task);
      return { content: createTaskContent(task, view), structured: view.facts };
    },
  });
}

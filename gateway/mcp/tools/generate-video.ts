import * as z from "zod";
import { videoHold } from "../../core/videos/video-cost.ts";
import type { TaskRecord } from "../../core/tasks/task.ts";
import type { VideoInput } from "../../services/videos/submission/create-video.ts";
import { dollars, usdFromNano } from "../../lib/money.ts";
import type { ToolDeps } from "../tool/tool-deps.ts";
import { defineTool } from "../tool/tool.ts";
import type { Tool, ToolCall } from "../tool/tool.ts";
import { getAddresses } from "../videos/video-addresses.ts";
import { videoArguments } from "../videos/video-arguments.ts";
import { getVideoBody } from "../videos/video-body.ts";
import { createTaskContent, taskSchema, createTaskView } from "../videos/video-task-response.ts";
import type { TaskResponseDeps } from "../videos/video-task-response.ts";

export type GenerateVideoDeps = Pick<ToolDeps, "createVideo"> & TaskResponseDeps;

const output = z.object({
  task: taskSchema,
  expected_cost_usd: z
    .number()
    .nullable()
    .describe("US dollars for its seconds, charged only when it succeeds; null when the model has no known price."),
  max_cost_usd: z
    .number()
    .nullable()
    .describe(
      "US dollars held for it, the most it can cost; null when nothing is held: the key has no spending limit, or the model no known price.",
    ),
  repeated: z.boolean().describe("True when a task with this idempotency_key existed: no second one was made."),
});

/** `POST /v1/videos/generations`, with the same arguments for all families of models. */
export function generateVideoTool(deps: GenerateVideoDeps): Tool {
  return defineTool({
    name: "generate_video",
    title: "Generate a video",
    description:
      "Starts a video from text, images, videos or audio and returns a task at once; the video takes one to several " +
      "minutes. Follow it with get_video_task, which can wait. Costs the model's price for each second of video at its " +
      "resolution, charged only when it succeeds; call quote with the same arguments to estimate the cost, and list_models " +
      "with capability video for models and prices. Give an idempotency_key, so that a call whose result was lost can be " +
      "repeated safely.",
    input: videoArguments,
    output,
    // A second call orders a second video, unless it carries the first one's idempotency_key.
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
    capability: "video",
    estimate: async (call, args) => deps.createVideo.estimate(await getInput(deps, call, args)),
    async run(call, args) {
      const task = await deps.createVideo.run(await getInput(deps, call, args));
      const view = await createTaskView(deps, task);
      const expected = expectedNano(task);
      const repeated = task.request_id !== call.input.requestId;
      const words = [
        ...(expected === null || task.bill !== null ? [] : [`Expected cost: ${dollars(expected)}.`]),
        ...(repeated ? ["A task with this idempotency_key existed; no second one was made."] : []),
      ];
      return {
        content: [
          ...createTaskContent(task, view),
          ...(words.length === 0 ? [] : [{ type: "text" as const, text: words.join(" ") }]),
        ],
        structured: {
          task: view.facts,
          expected_cost_usd: expected === null ? null : usdFromNano(expected),
          max_cost_usd: task.hold_nano === 0 || task.price === null ? null : usdFromNano(task.hold_nano),
          repeated,
        },
      };
    },
  });
}

/** The order as `/v1/videos/generations` takes it. */
async function getInput(
  { createVideo, media }: GenerateVideoDeps,
  call: Pick<ToolCall, "input">,
  args: z.output<typeof videoArguments>,
): Promise<VideoInput> {
  const addresses = await getAddresses(media, call.input.key, args);
  const body = getVideoBody(args, addresses, await createVideo.getModel(args.model));
  return { ...call.input, body, name: args.idempotency_key };
}

function expectedNano({ price, order: { seconds, resolution } }: TaskRecord): number | null {
  return price === null ? null : videoHold({ holdSeconds: seconds, resolution }, price);
}

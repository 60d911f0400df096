import { cancelVideoTaskTool } from "../../gateway/mcp/tools/cancel-video-task.ts";
import { generateVideoTool } from "../../gateway/mcp/tools/generate-video.ts";
import { getVideoTaskTool } from "../../gateway/mcp/tools/get-video-task.ts";
import { listVideoTasksTool } from "../../gateway/mcp/tools/list-video-tasks.ts";
import type { TaskFacts } from "../../gateway/mcp/videos/video-task-response.ts";
import type { Tool } from "../../gateway/mcp/tool/tool.ts";
import { FastTime } from "./fast-time.ts";
import type { TestOptions } from "./running-gateway.ts";
import { toolStage, type ToolCallOptions, type ToolStage } from "./tool-harness.ts";
import { VideoProvider } from "./video-provider.ts";

/** What a prompt alone makes, at the provider with a list and a way to cancel. */
export const LIGHTHOUSE = { model: "alpha2.6-t2v", prompt: "A lighthouse at dusk." } as const;

type Args = Readonly<Record<string, unknown>>;

/** The tools for videos on services whose time runs a hundred times faster, with a provider of every protocol. */
export class VideoToolStage {
  readonly provider: VideoProvider;
  readonly time: FastTime;
  readonly tools: ToolStage;

  private constructor(provider: VideoProvider, time: FastTime, tools: ToolStage) {
    this.provider = provider;
    this.time = time;
    this.tools = tools;
  }

  /** @param connected false: no provider is, which leaves the sandbox. */
  static async open(options: TestOptions = {}, connected = true): Promise<VideoToolStage> {
    const provider = await new VideoProvider().listen();
    const time = new FastTime();
    provider.now = () => time.now();
    const env = { ...(connected ? provider.env() : { POSTERN_SANDBOX: "on" }), ...options.env };
    const tools = await toolStage({ ...options, clock: time, later: time.later, env });
    return new VideoToolStage(provider, time, tools);
  }

  generate(args: Args = LIGHTHOUSE, options?: ToolCallOptions) {
    return this.tools.call(generateVideoTool(this.tools.deps), args, options);
  }

  get(args: Args, options?: ToolCallOptions) {
    return this.tools.call(getVideoTaskTool(this.tools.deps), args, options);
  }

  list(args: Args = {}, options?: ToolCallOptions) {
    return this.tools.call(listVideoTasksTool(this.tools.deps), args, options);
  }

  cancel(args: Args, options?: ToolCallOptions) {
    return this.tools.call(cancelVideoTaskTool(this.tools.deps), args, options);
  }

  /** Orders a video, and fails unless there is a task. */
  async order(args: Args = LIGHTHOUSE, options?: ToolCallOptions): Promise<TaskFacts> {
    const { response } = await this.#answer(generateVideoTool(this.tools.deps), args, options);
    return response.structured["task"] as TaskFacts;
  }

  /** Waits for a task's end. */
  async over(id: string, options?: ToolCallOptions): Promise<TaskFacts> {
    const { response } = await this.#answer(getVideoTaskTool(this.tools.deps), { id, wait_seconds: 600 }, options);
    return response.structured as TaskFacts;
  }

  /** What the provider was sent for the newest task. */
  get sent(): Readonly<Record<string, unknown>> {
    return this.provider.last.ordered.fields;
  }

  async close(): Promise<void> {
    await this.tools.close();
    await this.provider.close();
  }

  #answer(tool: Tool, args: Args, options?: ToolCallOptions) {
    return this.tools.response(tool, args, options);
  }
}

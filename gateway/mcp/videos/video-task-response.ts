import type { ContentBlock, ResourceLink } from "@modelcontextprotocol/server";
import * as z from "zod";
import { taskStatusSchema, videoTaskErrorSchema } from "../../contract/videos.ts";
import type { TaskStatus } from "../../contract/videos.ts";
import { getStatus, publicId } from "../../core/tasks/task.ts";
import type { TaskRecord } from "../../core/tasks/task.ts";
import { dollars, usdFromNano } from "../../lib/money.ts";
import { getMediaDescription, formatMediaName, getMediaUri } from "../media/own-media.ts";
import { getTaskUri } from "../resources/resources-tasks.ts";
import type { ToolDeps } from "../tool/tool-deps.ts";
import { redact } from "../../lib/redact.ts";

/** Locations of a finished file. */
interface File {
  readonly uri: string | null;
  readonly url: string | null;
  readonly provider_url: string | null;
}

const FOLLOW = "Call get_video_task with wait_seconds to follow it.";

/** Describes the state of a task and the next step, for models and users. */
function formatTaskSentence(task: TaskRecord, video: File | null): string {
  const name = `Task ${publicId(task)}`;
  const words: Readonly<Record<TaskStatus, () => string>> = {
    submitted: () => `${name} is queued. ${FOLLOW}`,
    running: () => `${name} is running${formatProgressWords(task)}. ${FOLLOW}`,
    succeeded: () => `${name} has succeeded. ${formatFileWords(video)}`,
    failed: () => `${name} has failed${formatErrorWords(task)}${later(task)}`,
    cancelled: () => `${name} was cancelled${formatErrorWords(task)}`,
    unknown: () =>
      `It is not known whether the provider accepted ${name.toLowerCase()}; Postern looks for it there. Do not start it again: ` +
      `it could be made and charged twice. ${FOLLOW}`,
  };
  return words[getStatus(task)]();
}

/** Formats `, 42 %`; empty if the provider does not report it. */
export const formatProgressWords = ({ progress }: TaskRecord): string =>
  progress === null ? "" : `, ${Math.round(progress)} %`;

function formatFileWords(video: File | null): string {
  if (video?.url != null) return `The video is saved as ${video.uri ?? ""}, to open for a day: ${video.url}`;
  if (video?.provider_url == null) return "Its file is not in Postern's library, and the provider gives no URL.";
  return `Its file is not in Postern's library; the provider keeps it for about a day: ${video.provider_url}`;
}

const formatErrorWords = ({ error }: TaskRecord): string =>
  error === null ? "." : `: ${error.code}: ${redact(error.message)}`;

/** A timeout is ours: the provider may finish the video after all. */
const later = ({ bill }: TaskRecord): string =>
  bill === null ? " If the provider finishes it after all, it succeeds and is charged." : "";

export type TaskResponseDeps = Pick<ToolDeps, "taskViews" | "media" | "origin">;

const fileSchema = z
  .object({
    uri: z
      .string()
      .nullable()
      .describe("postern://media/{id}, for resources/read and other tools; null when it is not in Postern's library."),
    url: z.string().nullable().describe("Download URL on this machine, without a key, for a day."),
    provider_url: z.string().nullable().describe("The provider's own URL, which mostly works for 24 hours."),
    mime_type: z.string().nullable(),
    bytes: z.number().int().nullable(),
  })
  .nullable();

/** A task in the structured results of all tools about tasks. */
export const taskFields = {
  id: z.string().describe("Id for get_video_task and cancel_video_task."),
  uri: z.string().describe("postern://tasks/{id}: the whole task, for resources/read."),
  status: taskStatusSchema.describe(
    "submitted and running go on by themselves; succeeded, failed and cancelled are final. unknown: it is not known whether " +
      "the provider accepted it, and Postern looks for it there; do not start it again meanwhile.",
  ),
  model: z.string(),
  prompt: z.string().describe("Its first 200 characters."),
  progress_percent: z.number().nullable().describe("0 to 100; null when the provider does not report it."),
  duration_seconds: z.number().describe("Length of the video; once it succeeded, the charged length."),
  resolution: z.string(),
  aspect_ratio: z.string(),
  created_at: z.number().int().describe("Unix seconds."),
  updated_at: z.number().int().describe("Unix seconds."),
  error: videoTaskErrorSchema.nullable().describe("Why it failed or was cancelled; null otherwise."),
  video: fileSchema.describe("The result; null until it succeeded."),
  last_frame: fileSchema.describe("The last frame, where it was requested (Seedance); else null."),
  seed: z
    .number()
    .nullable()
    .describe("The provider's seed, else the requested one; null while it runs, and where there is none."),
  cost_usd: z
    .number()
    .nullable()
    .describe(
      "Cost in US dollars: 0 when it failed or was cancelled, an estimate where the provider may have made it all the same. Null until it is known, and for a model without a known price.",
    ),
  held_usd: z.number().describe("US dollars held for it until it ends; 0 for keys without a spending limit."),
  request_id: z.string().describe("Id of the request in Postern's request log."),
  sandbox: z
    .boolean()
    .describe(
      "True when Postern's offline sandbox makes it instead of a provider: nothing real is made, and its cost is not paid.",
    ),
};

export const taskSchema = z.object(taskFields);
export type TaskFacts = z.output<typeof taskSchema>;

/** Prompts are shown so far, in characters. */
const SHOWN = 200;

/** A task in every form in which a client receives it. */
export interface TaskView {
  readonly facts: TaskFacts;
  /** Links to the video and its related library files. */
  readonly links: readonly ResourceLink[];
}

/** Returns the task as shown by all tools, with fresh links to its results. */
export async function createTaskView(deps: TaskResponseDeps, task: TaskRecord): Promise<TaskView> {
  const view = await deps.taskViews.task(task);
  const { content } = view;
  const result = content == null ? null : task.result;
  const saved = result?.saved === true;
  const video = await getFile(deps, saved ? (result?.video_media ?? null) : null, content?.video_url ?? null);
  const frameUrl = content?.last_frame_url ?? null;
  const frame = await getFile(deps, saved && frameUrl !== null ? (result?.last_frame_media ?? null) : null, frameUrl);
  const { prompt, seconds, resolution, ratio } = task.order;
  return {
    links: [video.link, frame.link].flatMap((link) => link ?? []),
    facts: {
      id: view.id,
      uri: getTaskUri(view.id),
      status: view.status,
      model: view.model,
      prompt: prompt.length > SHOWN ? `${prompt.slice(0, SHOWN)}…` : prompt,
      progress_percent: view.progress ?? null,
      duration_seconds: result?.seconds ?? seconds,
      resolution: result?.resolution ?? resolution,
      aspect_ratio: ratio,
      created_at: view.created_at,
      updated_at: view.updated_at,
      error: view.error ?? null,
      video: content == null ? null : video.facts,
      last_frame: frameUrl === null ? null : frame.facts,
      seed: view.seed ?? null,
      cost_usd: computeCost(task),
      held_usd: task.bill === null ? usdFromNano(task.hold_nano) : 0,
      request_id: task.request_id,
      sandbox: task.sandbox,
    },
  };
}

/** Builds the content of a task's result: its state, its files, and the cost. */
export function createTaskContent(task: TaskRecord, { facts, links }: TaskView): readonly ContentBlock[] {
  const { uri } = facts;
  const followed: ResourceLink = {
    type: "resource_link",
    uri,
    name: facts.id,
    mimeType: "application/json",
    description: `Video task of ${task.model}: ${getStatus(task)}${formatProgressWords(task)}`,
  };
  return [
    { type: "text", text: formatTaskSentence(task, facts.video) },
    ...links,
    ...(links.length === 0 ? [followed] : []),
    { type: "text", text: formatMoneyLine(task) },
  ];
}

async function getFile(
  { media, origin }: TaskResponseDeps,
  id: string | null,
  providerUrl: string | null,
): Promise<{ facts: NonNullable<TaskFacts["video"]>; link: ResourceLink | null }> {
  const view = id === null ? null : await media.view(id);
  if (view === null) {
    return { facts: { uri: null, url: null, provider_url: providerUrl, mime_type: null, bytes: null }, link: null };
  }
  const { type, bytes } = view;
  const uri = getMediaUri(view.id);
  const url = `${origin()}${view.link}`;
  const description = getMediaDescription(view);
  return {
    facts: { uri, url, provider_url: providerUrl, mime_type: type, bytes },
    link: { type: "resource_link", uri, name: formatMediaName(view), mimeType: type, size: bytes, description },
  };
}

function computeCost({ bill }: TaskRecord): number | null {
  const nano = bill?.receipt.nano ?? null;
  return nano === null ? null : usdFromNano(nano);
}

/** Formats `Cost: $0.50 (alpha2.6-t2v).`, or the held amount while running. */
function formatMoneyLine(task: TaskRecord): string {
  const { bill, hold_nano: reserved, model, sandbox } = task;
  const by = sandbox ? `${model}, made by the offline sandbox` : model;
  if (bill === null) {
    const what = reserved === 0 ? "nothing is held" : `${dollars(reserved)} is held`;
    return `Cost: not known yet, ${what} (${by}). It is charged only when it succeeds.`;
  }
  const { nano, estimated } = bill.receipt;
  if (nano === null) return `Cost: unknown, the model has no known price (${by}).`;
  return nano === 0 ? `Cost: nothing (${by}).` : `Cost: ${estimated ? "an estimated " : ""}${dollars(nano)} (${by}).`;
}

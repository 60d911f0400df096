import type { TaskDetail, TaskPage, TaskRow } from "../../../gateway/contract/tasks.ts";
import { taskStatusSchema } from "../../../gateway/contract/videos.ts";
import { moneyLabel } from "../../policy/money-label.ts";
import { UsageError } from "../command-errors.ts";
import type { Command } from "../command.ts";
import { table, timeLabel } from "../table.ts";
import { choiceOption, given, integerOption } from "../values.ts";

const PROMPT_CHARACTERS = 40;
const DEFAULT_LIMIT = 20;
const MOST = 500;

function costLabel({ nano, priced }: Pick<TaskRow, "nano" | "priced">): string {
  if (!priced) return "unpriced";
  return nano === null ? "–" : moneyLabel(nano);
}

const percentLabel = (progress: number | null): string => (progress === null ? "–" : `${Math.round(progress)}%`);

const videoLabel = ({ seconds, resolution, ratio }: TaskRow): string => `${seconds} s ${resolution} ${ratio}`;

function firstWords(prompt: string): string {
  const line = prompt.replace(/\s+/g, " ").trim();
  return line.length <= PROMPT_CHARACTERS ? line : `${line.slice(0, PROMPT_CHARACTERS - 1)}…`;
}

const headings = ["ID", "CREATED", "STATUS", ">DONE", "MODEL", "VIDEO", ">COST", "WEBHOOK", "PROMPT"];

/** A row for each task, newest first, times in UTC. */
export function taskTable({ data, total, complete }: TaskPage): string {
  if (data.length === 0)
    return complete ? "There are no such tasks." : "No such task is known yet; older ones are being read.";
  const rows = data.map((task) => [
    task.public_id,
    timeLabel(task.created_at),
    task.status,
    percentLabel(task.progress),
    task.model,
    videoLabel(task),
    costLabel(task),
    task.webhook ?? "–",
    firstWords(task.prompt),
  ]);
  const lines = [table(headings, rows)];
  if (total > data.length) lines.push(`${data.length} of ${total}. --limit shows more.`);
  if (!complete) lines.push("Older tasks are still being read: there may be more.");
  return lines.join("\n");
}

/** A task on its own: its facts, what happened to it, its webhooks and where its video is. */
export function taskText(task: TaskDetail): string {
  const facts: readonly (readonly [string, string | null])[] = [
    ["Task", task.public_id === task.id ? task.id : `${task.public_id} (${task.id})`],
    ["Status", task.progress === null ? task.status : `${task.status}, ${percentLabel(task.progress)}`],
    ["Error", task.error === null ? null : `${task.error.message} (${task.error.code})`],
    ["Model", `${task.model} at ${task.sandbox ? "the sandbox" : task.provider}`],
    ["Video", videoLabel(task)],
    ["Cost", costLabel(task)],
    ["Client", task.client],
    ["Provider's id", task.provider_task_id],
    ["Prompt", task.full_prompt],
    ["In the library", task.media],
  ];
  const known = facts.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
  const width = Math.max(...known.map(([name]) => name.length));
  const moments = task.timeline.map(
    ({ at, status, note }) => `  ${timeLabel(at)}  ${status}${note === null ? "" : `: ${note}`}`,
  );
  const callbacks = task.deliveries.flatMap(({ type, state, url, attempts }) => [
    `  ${type} to ${url}: ${state}`,
    ...attempts.map(
      ({ at, status, error, manual }) =>
        `    ${timeLabel(at)}  ${error ?? `responded ${status}`}${manual ? " (manual)" : ""}`,
    ),
  ]);
  return [
    ...known.map(([name, value]) => `${name.padEnd(width)}  ${value}`),
    "Timeline (UTC)",
    ...moments,
    ...(callbacks.length === 0 ? [] : ["Webhook deliveries (UTC)", ...callbacks]),
  ].join("\n");
}

export const listTasks: Command = {
  name: "tasks",
  about: "video tasks, newest first",
  options: {
    status: { value: "STATUS", about: taskStatusSchema.options.join(", ") },
    model: { value: "MODEL", about: "only those of this model" },
    limit: { value: "N", about: `how many; ${DEFAULT_LIMIT} without it, at most ${MOST}` },
  },
  async run({ control }, values) {
    const limit = integerOption(values, "limit") ?? DEFAULT_LIMIT;
    if (limit < 1 || limit > MOST) throw new UsageError(`--limit takes a number from 1 to ${MOST}.`);
    const filter = given({
      status: choiceOption(values, "status", taskStatusSchema.options),
      model: values.text("model"),
    });
    const page = await control.call("listTasks", { limit, ...filter });
    return { json: page, text: taskTable(page) };
  },
};

export const showTask: Command = {
  name: "tasks show",
  about: "all of one task: what happened, what it cost, its webhook deliveries",
  takesId: true,
  options: {},
  async run({ control }, values) {
    const task = await control.call("getTask", {}, values.id);
    return { json: task, text: taskText(task) };
  },
};

export const cancelTask: Command = {
  name: "tasks cancel",
  about: "end a task that has not ended, where its provider can",
  takesId: true,
  options: {},
  async run({ control }, values) {
    const task = await control.call("cancelTask", {}, values.id);
    return { json: task, text: `Task ${task.public_id} is ${task.status}.` };
  },
};

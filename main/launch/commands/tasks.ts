import { getAppName } from "../../../gateway/contract/apps.ts";
import type { Delivery, TaskDetail, TaskPage, TaskRow, WebhooksView } from "../../../gateway/contract/tasks.ts";
import { taskStatusSchema } from "../../../gateway/contract/videos.ts";
import { moneyLabel } from "../../policy/money-label.ts";
import type { Command } from "../command.ts";
import { mirror } from "../mirror.ts";
import { printFacts, printTable, timeLabel } from "../table.ts";
import { limitRows } from "../values.ts";

const PROMPT_CHARACTERS = 40;

function costLabel({ nano, priced }: Pick<TaskRow, "nano" | "priced">): string {
  if (!priced) return "unpriced";
  return nano === null ? "–" : moneyLabel(nano);
}

const percentLabel = (progress: number | null): string => (progress === null ? "–" : `${Math.round(progress)}%`);

const videoLabel = ({ seconds, resolution, ratio }: TaskRow): string => `${seconds} s ${resolution} ${ratio}`;

function cutPrompt({ prompt }: TaskRow): string {
  const line = prompt.replace(/\s+/g, " ").trim();
  return line.length <= PROMPT_CHARACTERS ? line : `${line.slice(0, PROMPT_CHARACTERS - 1)}…`;
}

/** A row for each task, newest first, times in UTC. */
function printTasks({ data, total, complete }: TaskPage): string {
  if (data.length === 0)
    return complete ? "There are no such tasks." : "No such task is known yet; older ones are being read.";
  const rows = printTable(data, {
    ID: "public_id",
    CREATED: "created_at",
    STATUS: "status",
    ">DONE": ({ progress }) => percentLabel(progress),
    MODEL: "model",
    VIDEO: videoLabel,
    ">COST": costLabel,
    WEBHOOK: "webhook",
    PROMPT: cutPrompt,
  });
  return [
    rows,
    ...(total > data.length ? [`${data.length} of ${total}. --limit shows more.`] : []),
    ...(complete ? [] : ["Older tasks are still being read: there may be more."]),
  ].join("\n");
}

/** A task on its own: its facts, what happened to it, its webhooks and where its video is. */
function printTask(task: TaskDetail): string {
  const facts = printFacts({
    Task: task.public_id === task.id ? task.id : `${task.public_id} (${task.id})`,
    Status: task.progress === null ? task.status : `${task.status}, ${percentLabel(task.progress)}`,
    Error: task.error && `${task.error.message} (${task.error.code})`,
    Model: `${task.model} at ${task.sandbox ? "the sandbox" : task.provider}`,
    Video: videoLabel(task),
    Cost: costLabel(task),
    App: getAppName(task.client),
    "Provider's id": task.provider_task_id,
    Prompt: task.full_prompt,
    "In the library": task.media,
  });
  const moments = task.timeline.map(
    ({ at, status, note }) => `  ${timeLabel(at)}  ${status}${note === null ? "" : `: ${note}`}`,
  );
  const deliveries = task.deliveries.flatMap(({ type, state, url, attempts }) => [
    `  ${type} to ${url}: ${state}`,
    ...attempts.map(
      ({ at, status, error, manual }) =>
        `    ${timeLabel(at)}  ${error ?? `responded ${status}`}${manual ? " (manual)" : ""}`,
    ),
  ]);
  const webhooks = deliveries.length === 0 ? [] : ["Webhook deliveries (UTC)", ...deliveries];
  return [facts, "Timeline (UTC)", ...moments, ...webhooks].join("\n");
}

/** The last attempt in a word: its status, or that there was no response. */
function outcomeLabel({ attempts }: Delivery): string | number {
  const last = attempts.at(-1);
  return last === undefined ? "–" : (last.status ?? "no response");
}

/** A row for each webhook, newest first, times in UTC; then the receivers that want no more. */
function printAttempts({ recent, disabled }: WebhooksView): string {
  const rows = printTable(recent, {
    TASK: "task",
    EVENT: "type",
    AT: "at",
    STATE: "state",
    ">ATTEMPTS": ({ attempts }) => attempts.length,
    LAST: outcomeLabel,
    NEXT: ({ next_at }) => next_at && timeLabel(next_at),
    RECEIVER: "url",
  });
  const refused = disabled.map(({ url, at }) => `Disabled since ${timeLabel(at)}, it responded with 410: ${url}`);
  return [recent.length === 0 ? "No webhook delivery yet." : rows, ...refused].join("\n");
}

/** Prints the secret, and until when an earlier one also signs. */
function printSecret({ secret, from_environment, previous_until }: WebhooksView, isNew: boolean) {
  const lines = [
    secret,
    ...(from_environment && !isNew ? ["It is set by POSTERN_WEBHOOK_SECRET."] : []),
    ...(previous_until === null ? [] : [`The earlier secret signs too until ${timeLabel(previous_until)} UTC.`]),
  ];
  return { json: { secret, from_environment, previous_until }, text: lines.join("\n") };
}

export const taskCommands: readonly Command[] = [
  mirror("tasks", "listTasks", "video tasks, newest first", {
    options: {
      limit: limitRows("how many", 20),
      status: { value: "STATUS", about: taskStatusSchema.options.join(", ") },
      model: { value: "MODEL", about: "only those of this model" },
    },
    print: printTasks,
  }),
  mirror("tasks show", "getTask", "all of one task: what happened, what it cost, its webhook deliveries", {
    print: printTask,
  }),
  mirror("tasks cancel", "cancelTask", "end a task that has not ended, where its provider can", {
    print: ({ public_id: id, status }) => `Task ${id} is ${status}.`,
  }),
  mirror("webhooks secret", "webhooks", "the secret that receivers check signatures with", {
    print: (view) => printSecret(view, false),
  }),
  mirror("webhooks rotate", "rotateWebhookSecret", "make a new secret; the earlier one signs too for 24 hours", {
    print: (view) => printSecret(view, true),
  }),
  mirror("webhooks attempts", "webhooks", "the latest webhook deliveries and their outcome", {
    print: (view) => {
      const { pending, disabled, recent } = view;
      return { json: { pending, disabled, recent }, text: printAttempts(view) };
    },
  }),
  mirror("webhooks resend", "resendWebhook", "resend the latest webhook of a task now", {
    print({ deliveries }) {
      const delivery = deliveries.at(-1);
      const attempt = delivery?.attempts.at(-1);
      if (delivery === undefined || attempt === undefined || attempt.error !== null)
        return { failure: attempt?.error ?? "The webhook was not sent." };
      return `Delivered to ${delivery.url} (${attempt.status}, ${Math.round(attempt.ms)} ms).`;
    },
  }),
];

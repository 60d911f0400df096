import type { Delivery, WebhooksView } from "../../../gateway/contract/tasks.ts";
import type { Command } from "../command.ts";
import { table, timeLabel } from "../table.ts";

/** The last attempt in a word: its status, or that there was no response. */
function outcomeLabel({ attempts }: Delivery): string {
  const last = attempts.at(-1);
  if (last === undefined) return "–";
  return last.status === null ? "no response" : String(last.status);
}

const headings = ["TASK", "EVENT", "AT", "STATE", ">ATTEMPTS", "LAST", "NEXT", "RECEIVER"];

/** A row for each webhook, newest first, times in UTC; then the receivers that want no more. */
export function attemptsTable({ recent, disabled }: Pick<WebhooksView, "recent" | "disabled">): string {
  const rows = recent.map((delivery) => [
    delivery.task,
    delivery.type,
    timeLabel(delivery.at),
    delivery.state,
    String(delivery.attempts.length),
    outcomeLabel(delivery),
    delivery.next_at === null ? "–" : timeLabel(delivery.next_at),
    delivery.url,
  ]);
  const lines = rows.length === 0 ? ["No webhook delivery yet."] : [table(headings, rows)];
  for (const { url, at } of disabled) lines.push(`Disabled since ${timeLabel(at)}, it responded with 410: ${url}`);
  return lines.join("\n");
}

/** Until when two secrets sign, where they do. */
function overlapLine({ previous_until }: WebhooksView): string[] {
  return previous_until === null ? [] : [`The earlier secret signs too until ${timeLabel(previous_until)} UTC.`];
}

export const showSecret: Command = {
  name: "webhooks secret",
  about: "the secret that receivers check signatures with",
  options: {},
  async run({ control }) {
    const view = await control.call("webhooks");
    const { secret, from_environment, previous_until } = view;
    const origin = from_environment ? ["It is set by POSTERN_WEBHOOK_SECRET."] : [];
    const text = [secret, ...origin, ...overlapLine(view)].join("\n");
    return { json: { secret, from_environment, previous_until }, text };
  },
};

export const rotateSecret: Command = {
  name: "webhooks rotate",
  about: "make a new secret; the earlier one signs too for 24 hours",
  options: {},
  async run({ control }) {
    const view = await control.call("rotateWebhookSecret");
    const { secret, from_environment, previous_until } = view;
    return { json: { secret, from_environment, previous_until }, text: [secret, ...overlapLine(view)].join("\n") };
  },
};

export const listAttempts: Command = {
  name: "webhooks attempts",
  about: "the latest webhook deliveries and their outcome",
  options: {},
  async run({ control }) {
    const { pending, disabled, recent } = await control.call("webhooks");
    return { json: { pending, disabled, recent }, text: attemptsTable({ recent, disabled }) };
  },
};

export const resendWebhook: Command = {
  name: "webhooks resend",
  about: "resend the latest webhook of a task now",
  takesId: true,
  options: {},
  async run({ control }, values) {
    const task = await control.call("resendWebhook", {}, values.id);
    const delivery = task.deliveries.at(-1);
    const attempt = delivery?.attempts.at(-1);
    const receiver = delivery?.url ?? "its receiver";
    if (attempt === undefined || attempt.error !== null) {
      return { json: task, text: "", failure: attempt?.error ?? "The webhook was not sent." };
    }
    return {
      json: task,
      text: `Delivered to ${receiver} (${attempt.status}, ${Math.round(attempt.ms)} ms).`,
    };
  },
};

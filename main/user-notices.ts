import type { GatewayEvent } from "../gateway/contract/events.ts";
import type { TaskRow } from "../gateway/contract/tasks.ts";
import type { Gateway } from "../gateway/index.ts";
import type { Clock } from "../gateway/lib/clock.ts";
import type { DesktopMemory } from "./desktop-memory.ts";
import { listBudgetNotices, getBudgets, createBudgetStep } from "./policy/budget-notices.ts";
import type { Notice } from "./policy/notice.ts";
import { lockedNotice, listOutageNotices, createOutageStep, type Outages } from "./policy/outage-notices.ts";
import { listTaskNotices, ReportedTasks } from "./policy/task-notices.ts";
import type { Words } from "./policy/words.ts";

/** Events within this time share a notice. */
const TOGETHER_MS = 2_000;

/** Events that may have changed a budget or a connection. */
const LOOKED_AT: ReadonlySet<GatewayEvent["type"]> = new Set([
  "request.settled",
  "connections.changed",
  "keys.changed",
  "budgets.changed",
  "settings.changed",
]);

export interface UserNoticesOptions {
  readonly gateway: Pick<Gateway, "events" | "state" | "connections" | "keys" | "budgets">;
  readonly memory: DesktopMemory;
  readonly words: Words;
  readonly clock: Clock;
  readonly show: (notice: Notice) => void;
}

/**
 * Watches the gateway for events that need the user's attention: finished videos, nearly used budgets, provider
 * outages, locked keys. Each is shown once. While notifications are off they count as shown, so that enabling them
 * shows no old ones.
 * @returns a function that stops it.
 */
export function watchForNotices(options: UserNoticesOptions): () => void {
  const { gateway, memory, words, clock } = options;
  const reportedTasks = new ReportedTasks();
  let ended: TaskRow[] = [];
  let outages: Outages = new Map();
  let timer: NodeJS.Timeout | null = null;

  const tell = (notices: readonly Notice[]): void => {
    if (memory.value.notifications) for (const notice of notices) options.show(notice);
  };
  const look = (): void => {
    timer = null;
    const tasks = ended;
    ended = [];
    tell(listTaskNotices(tasks, words));
    const all = getBudgets(gateway.state(), gateway.keys(), gateway.budgets(), clock.now());
    const budgets = createBudgetStep(memory.value.toldBudgets, all);
    if (budgets.reported !== memory.value.toldBudgets) memory.update({ toldBudgets: budgets.reported });
    tell(listBudgetNotices(budgets.reached, words));
    const step = createOutageStep(outages, gateway.connections(), clock.monotonic());
    outages = step.known;
    tell(listOutageNotices(step, words));
  };
  const lookSoon = (): void => {
    timer ??= setTimeout(look, TOGETHER_MS);
  };
  const unsubscribe = gateway.events.subscribe((event) => {
    if (event.type === "task.changed") {
      if (!reportedTasks.isNews(event.task, clock.now()) || !memory.value.notifications) return;
      ended.push(event.task);
      lookSoon();
    } else if (LOOKED_AT.has(event.type)) {
      lookSoon();
    }
  });
  const locked = lockedNotice(gateway.connections(), words);
  if (locked !== null) tell([locked]);
  lookSoon();
  return () => {
    unsubscribe();
    if (timer !== null) clearTimeout(timer);
  };
}

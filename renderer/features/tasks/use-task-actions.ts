import { useState } from "react";
import type { ControlInput } from "../../../gateway/contract/control.ts";
import type { TaskDetail } from "../../../gateway/contract/tasks.ts";
import { useGateway } from "../../api/gateway.tsx";
import { useTaskResponse } from "../../api/task-queries.ts";
import { useNotify } from "../../components/ui/toasts.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { replaceParams } from "../../lib/router.ts";

type Action = "refresh" | "repeat" | "resolve" | "resend";

export interface TaskActions {
  /** Action that is in progress. */
  readonly busy: Action | null;
  /** Each resolves `true` when the gateway did it. */
  refresh(): Promise<boolean>;
  /** Submits it again and shows the new task. */
  repeat(): Promise<boolean>;
  resolve(verdict: ControlInput<"resolveTask">): Promise<boolean>;
  resend(): Promise<boolean>;
}

export function useTaskActions(id: string): TaskActions {
  const t = useMessages();
  const notify = useNotify();
  const { client } = useGateway();
  const take = useTaskResponse();
  const [busy, setBusy] = useState<Action | null>(null);

  const run = async (action: Action, ask: () => Promise<TaskDetail>, say: () => string): Promise<TaskDetail | null> => {
    setBusy(action);
    try {
      const task = await ask();
      take(task);
      notify.confirm(say());
      return task;
    } catch (error) {
      notify.showError(error);
      return null;
    } finally {
      setBusy(null);
    }
  };

  return {
    busy,
    refresh: async () =>
      (await run(
        "refresh",
        () => client.call("refreshTask", {}, id),
        () => t.tasks.refreshed,
      )) !== null,
    async repeat() {
      const made = await run(
        "repeat",
        () => client.call("repeatTask", {}, id),
        () => t.tasks.repeated,
      );
      if (made !== null) replaceParams({ task: made.id });
      return made !== null;
    },
    resolve: async (verdict) =>
      (await run(
        "resolve",
        () => client.call("resolveTask", verdict, id),
        () => ("never_arrived" in verdict ? t.tasks.released : t.tasks.resolved),
      )) !== null,
    resend: async () =>
      (await run(
        "resend",
        () => client.call("resendWebhook", {}, id),
        () => t.tasks.resent,
      )) !== null,
  };
}

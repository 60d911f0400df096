import type { TaskRecord } from "../../core/tasks/task.ts";
import type { Connection, Credential } from "../connections/connection.ts";
import type { Connections } from "../connections/connections.ts";

/** Where a task lives: its connection, and the provider key whose account it belongs to. */
export interface TaskAccount {
  readonly connection: Connection;
  readonly credential: Credential;
}

/**
 * Finds a task's account again. A key that was replaced meanwhile is mostly of the same account, so another of the
 * connection's keys is taken when the one that submitted is gone.
 * @returns a sentence when it cannot be asked.
 */
export function accountOf(task: TaskRecord, connections: Connections): TaskAccount | string {
  const connection = connections.get(task.connection);
  if (connection === undefined) return "The connection that took this task was removed. Add it again to go on.";
  const usable = connection.credentials.filter(({ locked }) => !locked);
  const credential = usable.find(({ hint }) => hint === task.credential) ?? usable[0];
  if (credential === undefined) return `The keys of ${connection.name} cannot be opened. Enter them again.`;
  return { connection, credential };
}

/** What must not be shown of a response of this account. */
export const secretsOf = ({ credential }: Pick<TaskAccount, "credential">): readonly string[] =>
  credential.secret === null ? [] : [credential.secret];

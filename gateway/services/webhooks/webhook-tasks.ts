import type { TaskRecord } from "../../core/tasks/task.ts";

/** What delivering needs of the repository of tasks. */
export interface WebhookTasks {
  /** Tasks in the document: every one whose webhook is pending is among them. */
  live(): Iterable<TaskRecord>;
  /** Called after each durable change. Returns the unsubscribe. */
  onChange(listener: (task: TaskRecord) => void): () => void;
  /**
   * One change of one task at a time; `make` gives the next record, or null for no change. Null when there is no such
   * task. @throws when the disk refuses: then nothing is changed
   */
  change(
    id: string,
    make: (task: TaskRecord) => TaskRecord | null,
  ): Promise<{ readonly task: TaskRecord; readonly changed: boolean } | null>;
  /** Also of tasks that are in the archive. @param key null for those of all keys */
  find(id: string, key: string | null): Promise<TaskRecord | null>;
}

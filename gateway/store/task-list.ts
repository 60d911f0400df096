import type { TaskEntry } from "../core/task-entry.ts";
import type { TaskIndexLine, TaskPlace } from "./task-lines.ts";

/** A task of the archive: what is known of it in memory, and where its record is. */
export interface ArchivedTask {
  readonly entry: TaskEntry;
  readonly place: TaskPlace;
}

/** The archive's list in memory. */
export class TaskList {
  readonly tasks = new Map<string, ArchivedTask>();
  /** One string for each word that many tasks share, not one for each task. */
  readonly #words = new Map<string, string>();

  /** The newest record of a task is the one further back in its month's file, in whatever order they are told. */
  note({ entry, ...place }: TaskIndexLine): void {
    if (entry === undefined) return;
    const known = this.tasks.get(entry.id);
    if (known?.place.month === place.month && known.place.offset > place.offset) return;
    const { month, offset, length } = place;
    this.tasks.set(entry.id, {
      entry: {
        ...entry,
        publicId: entry.publicId === entry.id ? entry.id : entry.publicId,
        key: this.#word(entry.key),
        model: this.#word(entry.model),
        status: this.#word(entry.status) as TaskEntry["status"],
      },
      place: { month: this.#word(month), offset, length },
    });
  }

  /** Takes out what is said to lie in a month's file. */
  forget(month: string): void {
    for (const [id, { place }] of this.tasks) if (place.month === month) this.tasks.delete(id);
  }

  #word(text: string): string {
    const known = this.#words.get(text);
    if (known !== undefined) return known;
    this.#words.set(text, text);
    return text;
  }
}

import type { TaskEntry } from "../../core/tasks/task-entry.ts";
import type { TaskIndexLine, TaskPlace } from "./task-lines.ts";

/** A task of the archive: what is known of it in memory, and where its record is. */
export interface ArchivedTask {
  readonly entry: TaskEntry;
  readonly place: TaskPlace;
}

/** The archive's list in memory. */
export class TaskList {
  readonly tasks = new Map<string, ArchivedTask>();
  /** Interns words that many tasks share: one string for each word, not one for each task. */
  readonly #words = new Map<string, string>();

  /** Notes a line. The newest record of a task is the last one in its month's file, in any order of the calls. */
  note({ entry, ...place }: TaskIndexLine): void {
    if (entry === undefined) return;
    const known = this.tasks.get(entry.id);
    if (known?.place.month === place.month && known.place.offset > place.offset) return;
    // The entry is not shared yet.
    const own: { -readonly [F in keyof TaskEntry]: TaskEntry[F] } = entry;
    if (own.publicId === own.id) own.publicId = own.id;
    own.key = this.#word(own.key);
    own.model = this.#word(own.model);
    own.status = this.#word(own.status) as TaskEntry["status"];
    const { month, offset, length } = place;
    this.tasks.set(own.id, { entry, place: { month: this.#word(month), offset, length } });
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

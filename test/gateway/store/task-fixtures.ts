import { TaskArchive } from "../../../gateway/store/task-archive.ts";
import type { TaskArchiveOptions } from "../../../gateway/store/task-archive.ts";
import { FixedClock } from "./fixtures.ts";

export const openTasks = (options: Partial<TaskArchiveOptions> & { dir: string }): Promise<TaskArchive> =>
  TaskArchive.open({ clock: new FixedClock(), log: () => undefined, readOnly: false, ...options });

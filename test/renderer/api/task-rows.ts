import type { TaskRow } from "../../../gateway/contract/tasks.ts";

/** Task number `index` in the order of submission, for tests that care about a part of it. */
export function taskRow(index: number, change: Partial<TaskRow> = {}): TaskRow {
  const id = `vt_${String(index).padStart(8, "0")}`;
  return {
    id,
    public_id: id,
    model: "m1",
    provider: "dashscope",
    key: "k1",
    client: "curl",
    status: "running",
    progress: null,
    created_at: 1_000 + index,
    finished_at: null,
    seconds: 5,
    resolution: "720p",
    ratio: "16:9",
    prompt: `Task ${index}`,
    nano: null,
    priced: true,
    sandbox: false,
    error: null,
    webhook: null,
    media: null,
    ...change,
  };
}

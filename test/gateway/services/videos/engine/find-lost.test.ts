import { describe, expect, it } from "vitest";
import type { ListedTask } from "../../../../../gateway/core/tasks/task-match.ts";
import type { TaskRecord } from "../../../../../gateway/core/tasks/task.ts";
import { FindLost } from "../../../../../gateway/services/videos/engine/find-lost.ts";
import { TASK_AT, taskId } from "../../../../support/tasks.ts";
import { EngineParts, HOUR, MINUTE, SILENCE } from "./engine-parts.ts";

const LOST: Partial<TaskRecord> = {
  phase: "unknown",
  operation: null,
  timeline: [{ at: TASK_AT, phase: "unknown", note: null }],
};

function listed(id: string, changes: Partial<ListedTask> = {}): ListedTask {
  return { id, upstreamModel: null, createdAt: TASK_AT, seconds: 5, resolution: null, seed: null, ...changes };
}

/** A lost task, and a provider whose list has these tasks. */
function lose(tasks: readonly ListedTask[] = [], changes: Partial<TaskRecord> = {}) {
  const parts = new EngineParts();
  const find = new FindLost(parts.deps);
  const task = parts.add({ ...LOST, ...changes });
  parts.respond = () => ({ body: { tasks, next: null } });
  /** @returns what a look finds after so much time */
  const look = async (looks: number, ms = 0, lost = task) => {
    await parts.pass(ms);
    const after = await find.find(parts.now(lost), looks);
    expect(after).toBe(parts.now(lost));
    const { phase, error, operation, bill, timeline } = after;
    const { outcome, nano } = bill?.receipt ?? {};
    return { phase, code: error?.code, operation: operation?.id, outcome, nano, note: timeline.at(-1)?.note ?? "" };
  };
  return { parts, find, task, look };
}

const UNKNOWN = { phase: "unknown", nano: undefined, note: "" };
const NEVER_ARRIVED = { phase: "failed", code: "not_submitted", outcome: "failed", nano: 0 };
const TOO_OLD = { phase: "failed", code: "unknown_outcome", outcome: "unknown", nano: 500_000_000 };

describe("a list without the lost task", () => {
  it.each([
    [0, 0, UNKNOWN],
    [0, 2 * MINUTE, UNKNOWN],
    [1, 2 * MINUTE - 1, UNKNOWN],
    [1, 2 * MINUTE, NEVER_ARRIVED],
    [1, 24 * HOUR - 1, NEVER_ARRIVED],
    [1, 24 * HOUR, TOO_OLD],
  ])("at look %d, after %d ms: %j", async (looks, ms, expected) => {
    expect(await lose().look(looks, ms)).toMatchObject(expected);
  });

  it("counts from when the response was given up, not from the submission", async () => {
    const { look } = lose([], { timeline: [{ at: TASK_AT + MINUTE, phase: "unknown", note: null }] });
    expect([await look(1, 3 * MINUTE - 1), await look(1, 1)]).toMatchObject([UNKNOWN, NEVER_ARRIVED]);
  });

  it.each([
    [{}, false],
    [{ phase: "unknown", operation: null }, true],
    [{ connection: "connection_2" }, true],
    [{ credential: "…5678" }, true],
    [{ upstream_model: "another" }, true],
    [{ created_at: TASK_AT + 10 * MINUTE }, true],
    [{ created_at: TASK_AT + 10 * MINUTE - 1 }, false],
    [{ created_at: TASK_AT - 10 * MINUTE }, true],
    [{ created_at: TASK_AT - 10 * MINUTE + 1 }, false],
  ] as const)("nor another task %j is believed: %j", async (other, isBelieved) => {
    const { parts, look } = lose();
    parts.add({ order: { ...parts.add().order, prompt: "Another" }, ...other, id: taskId(77) });
    parts.tasks.delete(taskId(2));
    const { phase, note } = await look(1, 5 * MINUTE);
    expect([phase, note.includes("not all that the provider is known to have")]).toEqual(
      isBelieved ? ["failed", false] : ["unknown", true],
    );
  });

  it("says nothing where the clock was set back by more than ten minutes", async () => {
    const { parts, look } = lose();
    parts.time.jump(-10 * MINUTE);
    expect(await look(1)).toMatchObject(UNKNOWN);
    parts.time.jump(-1);
    expect((await look(1)).note).toContain("set back");
  });
});

describe("the pages of a list", () => {
  it.each([
    [1, "failed", 1],
    [20, "failed", 20],
    [21, "unknown", 20],
  ])("%d without the task leave it %s, after %d requests", async (pages, phase, requests) => {
    const { parts, look } = lose();
    parts.respond = (requested) => {
      const page = Number(/list\/(\d+)/.exec(requested)?.[1]);
      return { body: { tasks: [], next: page < pages ? String(page + 1) : null } };
    };
    expect((await look(1, 5 * MINUTE)).phase).toBe(phase);
    expect(parts.requests).toHaveLength(requests);
    const span = `${TASK_AT - 10 * MINUTE}-${TASK_AT + 15 * MINUTE}`;
    expect(parts.requests.at(-1)).toBe(`GET /list/${requests}?${span}`);
  });

  it("hold the task on any of them", async () => {
    const { parts, look } = lose();
    parts.respond = (requested) =>
      requested.includes("list/1")
        ? { status: 299, body: { tasks: [listed("t-9")], next: "2" } }
        : { status: 200, body: { tasks: [], next: null } };
    expect(await look(0)).toMatchObject({
      phase: "submitted",
      operation: "t-9",
      note: "Found in the provider's list.",
    });
  });

  it.each([[SILENCE], [{ status: 300 }], [{ status: 199 }], [{ status: 500 }], [{ body: null }]])(
    "that end with %j say nothing",
    async (response) => {
      const { parts, look } = lose();
      parts.respond = () => (response instanceof Error ? response : { body: { tasks: [], next: null }, ...response });
      expect(await look(1, 5 * MINUTE)).toMatchObject(UNKNOWN);
    },
  );
});

describe("a list with what may be the lost task", () => {
  it("is no news where the only one is another task's", async () => {
    const { parts, look } = lose([listed("t-2")]);
    parts.add();
    expect(await look(0)).toMatchObject(UNKNOWN);
  });

  it("leaves the choice between two to the owner", async () => {
    const { look } = lose([listed("t-8"), listed("t-9")]);
    expect((await look(0)).note).toContain("2 tasks of the provider's list");
  });

  it.each([
    [{ phase: "submitting" }, "unknown", ""],
    [{ phase: "unknown", key: "key_2" }, "unknown", "another lost one"],
    [{ phase: "unknown" }, "submitted", "Found in the provider's list."],
  ] as const)("and a rival %j leaves it %s", async (rival, phase, note) => {
    const { parts, look } = lose([listed("t-9")]);
    parts.add({ ...LOST, ...rival });
    expect(await look(0)).toMatchObject({ phase, note: expect.stringContaining(note) });
    if (note === "") expect((await look(0)).note).toBe("");
  });

  it("changes nothing when another task takes it meanwhile", async () => {
    const { parts, look } = lose([listed("t-9")]);
    parts.respond = () => {
      parts.add({ operation: { id: "t-9" } });
      return { body: { tasks: [listed("t-9")], next: null } };
    };
    const { repository } = parts.deps;
    Object.assign(repository, { live: () => [parts.tasks.get(taskId(1))].values() });
    expect(await look(0)).toMatchObject(UNKNOWN);
  });
});

describe("a lost task that cannot be looked for", () => {
  it.each([
    [{ connection: "gone" }, "was removed"],
    [{ connection: "none" }, "no list of tasks"],
  ])("%j is noted, reported once in an hour, and given up an hour after it was forgotten", async (changes, why) => {
    const { parts, look } = lose([], changes);
    parts.connect("none", { listing: null });
    const others = [1, 2, 3].map(() => parts.add({ ...LOST, ...changes }));
    expect(await look(0)).toMatchObject({ phase: "unknown", note: expect.stringContaining(why) });
    await look(0);
    await look(0, HOUR - 1, others[0]);
    expect(parts.notices).toEqual([expect.stringContaining(taskId(1))]);
    await look(0, 1, others[0]);
    expect(parts.notices).toHaveLength(1);
    await look(0, 0, others[1]);
    expect(parts.notices).toHaveLength(2);
    await look(0, 23 * HOUR);
    expect(await look(0, HOUR - 1)).toMatchObject({ phase: "unknown" });
    expect(await look(0, 1)).toMatchObject(TOO_OLD);
  });

  it("stays as it is where its provider is known to have it by then", async () => {
    const { parts, look, task } = lose([listed("t-9")], { forgotten_at: TASK_AT });
    await look(0);
    parts.tasks.set(task.id, { ...parts.now(task), phase: "unknown", operation: null });
    expect((await look(0, HOUR)).phase).toBe("submitted");
  });

  it("and has ended meanwhile is neither noted nor ended again", async () => {
    const { parts, find, task } = lose([], { connection: "gone", forgotten_at: TASK_AT });
    await find.find(task, 0);
    const ended = { ...task, phase: "failed" as const };
    parts.tasks.set(task.id, ended);
    expect(await find.find(task, 0)).toBe(ended);
    await parts.pass(HOUR);
    expect(await find.find(task, 0)).toBe(ended);
  });
});

describe("the owner's word", () => {
  it("that it never arrived ends it without a charge", async () => {
    const { find, task } = lose();
    expect(await find.decide(task, null)).toMatchObject({
      phase: "failed",
      error: { code: "not_submitted" },
      bill: { receipt: { nano: 0 } },
    });
  });

  it("that it is a task of the provider's takes it up, unless it is another's", async () => {
    const { parts, find, task } = lose();
    parts.add();
    const refused = { code: "conflict", message: expect.stringContaining("right id") };
    await expect(find.decide(task, "t-2")).rejects.toMatchObject(refused);
    expect(await find.decide(task, "t-9")).toMatchObject({ phase: "submitted", operation: { id: "t-9" } });
    expect(parts.now(task).timeline.at(-1)?.note).toBe("Named by the owner.");
    const known = { code: "conflict", message: expect.stringContaining("it is submitted") };
    await expect(find.decide(task, null)).rejects.toMatchObject(known);
    parts.tasks.clear();
    await expect(find.decide(task, null)).rejects.toMatchObject({ message: expect.stringContaining("it is gone") });
  });
});

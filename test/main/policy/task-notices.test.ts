import { describe, expect, it } from "vitest";
import { listTaskNotices, ReportedTasks } from "../../../main/policy/task-notices.ts";
import { english } from "../../../main/policy/words.ts";
import { taskRow } from "../fakes/rows.ts";

describe("ToldTasks", () => {
  it.each([
    ["submitted", false],
    ["running", false],
    ["succeeded", true],
    ["failed", true],
    ["cancelled", false],
    ["unknown", true],
  ] as const)("%s is news: %s", (status, expected) => {
    expect(new ReportedTasks().isNews(taskRow({ status }), 2_000)).toBe(expected);
  });

  it("is reported once, however often the task changes, and its true end after an unclear one", () => {
    const reported = new ReportedTasks();
    const unclear = taskRow({ status: "unknown", finished_at: null });
    expect([reported.isNews(unclear, 2_000), reported.isNews(unclear, 2_000)]).toStrictEqual([true, false]);
    expect([
      reported.isNews(taskRow(), 3_000),
      reported.isNews(taskRow({ webhook: "delivered" }), 4_000),
    ]).toStrictEqual([true, false]);
  });

  it("is no news ten minutes later", () => {
    expect(new ReportedTasks().isNews(taskRow(), 2_000 + 10 * 60_000)).toBe(true);
    expect(new ReportedTasks().isNews(taskRow(), 2_001 + 10 * 60_000)).toBe(false);
  });
});

describe("taskNotices", () => {
  it.each([
    [{}, "Video ready", "wan2.5-t2v · Cost $0.42\nA gate opens"],
    [{ nano: null, priced: false }, "Video ready", "wan2.5-t2v · Cost unknown: the model has no price\nA gate opens"],
    [{ sandbox: true }, "Video ready", "wan2.5-t2v · Sandbox: no real cost\nA gate opens"],
    [{ prompt: "" }, "Video ready", "wan2.5-t2v · Cost $0.42"],
    [{ prompt: "a\u202Eb\n\nc\0" }, "Video ready", "wan2.5-t2v · Cost $0.42\na b c"],
    [
      { status: "failed", nano: null, error: { code: "provider_error", message: "Out of tune." } },
      "Video failed",
      "wan2.5-t2v · Cost $0.00\nOut of tune.",
    ],
    [{ status: "unknown" }, "A video needs you", "wan2.5-t2v: it is not known whether the provider took the order."],
  ] as const)("of %j says %s: %s", (change, title, body) => {
    const opens = { page: "tasks", params: { task: "vt_1" } };
    expect(listTaskNotices([taskRow(change as never)], english)).toStrictEqual([{ title, body, opens }]);
  });

  it("bounds a long prompt", () => {
    expect(listTaskNotices([taskRow({ prompt: "word ".repeat(5_000) })], english)[0]?.body.length).toBeLessThan(200);
  });

  it("says many in one", () => {
    const three = [1, 2, 3].map((n) => taskRow({ id: `vt_${n}` }));
    expect(listTaskNotices([], english)).toStrictEqual([]);
    expect(listTaskNotices(three, english)).toHaveLength(3);
    expect(listTaskNotices([...three, taskRow({ id: "vt_4", status: "failed" })], english)).toStrictEqual([
      { title: "4 videos ended", body: "3 ready, 1 failed", opens: { page: "tasks" } },
    ]);
  });
});

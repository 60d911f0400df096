import { describe, expect, it, test } from "vitest";
import { refusal, startFakeControl, runWith } from "./fake-control.ts";
import { postern } from "./run.ts";
import { sampleTask, sampleTaskRow } from "./samples.ts";

const page = (data: readonly object[], more: object = {}) => ({
  "GET /control/tasks": { body: { data, total: data.length, complete: true, active: 0, ...more } },
});

describe("tasks", () => {
  it("are one row each, with what they cost and what became of their callback", async () => {
    const others = [
      { ...sampleTaskRow, public_id: "cgt-7", status: "running", progress: 41.6, nano: null, webhook: null },
      { ...sampleTaskRow, priced: false, progress: null, prompt: `${"word ".repeat(20)}end` },
    ];
    await using control = await startFakeControl(page([sampleTaskRow, ...others]));
    const { code, out } = await control.run(["tasks"]);
    expect(code).toBe(0);
    const [head, first, second, third] = out.split("\n");
    expect(head).toMatch(/^ID +CREATED +STATUS +DONE +MODEL +VIDEO +COST +WEBHOOK +PROMPT$/);
    expect(first).toMatch(
      /^vt_01 +2026-09-21 14:13 +succeeded +100% +alpha2\.6-t2v +5 s 720p 16:9 +\$0\.50 +delivered +A lighthouse at dusk\.$/,
    );
    expect(second).toMatch(/^cgt-7 .* running +42% .* – +– +A lighthouse/);
    expect(third).toMatch(/ – +alpha2\.6-t2v .* unpriced +delivered +(word ){7}word…$/);
    expect(control.calls[0]?.address).toBe("/control/tasks?limit=20");
  });

  it("are asked for as the options say", async () => {
    await using control = await startFakeControl(page([]));
    const argv = ["tasks", "--status", "failed", "--model", "beta1.0-t2v", "--limit", "3"];
    const { out } = await control.run(argv);
    expect(control.calls[0]?.address).toBe("/control/tasks?limit=3&status=failed&model=beta1.0-t2v");
    expect(out).toBe("There are no such tasks.");
  });

  it("say when there are more, and when older ones are still being read", async () => {
    const { out } = await runWith(page([sampleTaskRow], { total: 900, complete: false }), ["tasks"]);
    expect(out.split("\n").slice(-2)).toEqual([
      "1 of 900. --limit shows more.",
      "Older tasks are still being read: there may be more.",
    ]);
  });

  it("never bring a client's control characters to the terminal", async () => {
    const prompt = "A \u001b[31mred\u001b[0m\nlight\u0007house\u009b1m";
    const task = {
      ...sampleTask,
      prompt,
      full_prompt: prompt,
      status: "failed",
      error: { code: "x", message: prompt },
    };
    for (const argv of [["tasks"], ["tasks", "show", "vt_01"]]) {
      const { out } = await runWith(
        {
          ...page([{ ...sampleTaskRow, prompt }]),
          "GET /control/tasks/vt_01": { body: task },
        },
        argv,
      );
      expect(out).toContain("red");
      expect(out).not.toMatch(/[^\P{Cc}\n]/u);
    }
  });

  test.each([
    [["tasks", "--status", "done"], "--status takes submitted, running, succeeded, failed, cancelled, unknown"],
    [["tasks", "--limit", "0"], "--limit takes a number from 1 to 500"],
    [["tasks", "--limit", "501"], "--limit takes a number from 1 to 500"],
    [["tasks", "extra"], "does not take"],
    [["tasks", "show"], "needs an ID"],
    [["tasks", "cancel"], "needs an ID"],
  ])("%j ends with 2 and a sentence", async (argv, sentence) => {
    const ended = await postern(argv);
    expect(ended).toMatchObject({ code: 2, out: "" });
    expect(ended.error).toContain(sentence);
  });
});

describe("one task", () => {
  it("is shown with what happened to it and to its callbacks", async () => {
    await using control = await startFakeControl({ "GET /control/tasks/vt_01": { body: sampleTask } });
    const { out } = await control.run(["tasks", "show", "vt_01"]);
    for (const line of [
      /^Task +vt_01$/m,
      /^Status +succeeded, 100%$/m,
      /^Cost +\$0\.50$/m,
      /^Provider's id +provider-1$/m,
      /^In the library +media_1$/m,
      /^ {2}2026-09-21 14:14 {2}succeeded: The file came at the second try\.$/m,
      /^ {2}video\.task\.succeeded to https:\/\/receiver\.example\/hook: delivered$/m,
      /^ {4}2026-09-21 14:14 {2}The receiver responded with 503\.$/m,
      /^ {4}2026-09-21 14:15 {2}responded 200 \(manual\)$/m,
    ]) {
      expect(out).toMatch(line);
    }
    expect(out).not.toContain("Error");
    const json = await control.run(["tasks", "show", "vt_01", "--json"]);
    expect(JSON.parse(json.out)).toEqual(sampleTask);
  });

  it("is cancelled, or the gateway says why not", async () => {
    await using control = await startFakeControl({
      "POST /control/tasks/vt_01/cancel": { body: { ...sampleTask, status: "cancelled" } },
      "POST /control/tasks/vt_02/cancel": { status: 409, body: refusal("not_cancellable", "It has ended.") },
    });
    const done = await control.run(["tasks", "cancel", "vt_01"]);
    expect(done).toEqual({ code: 0, out: "Task vt_01 is cancelled.", error: "" });
    const refused = await control.run(["tasks", "cancel", "vt_02"]);
    expect(refused).toEqual({ code: 1, out: "", error: "It has ended." });
  });
});

import { beforeEach, describe, expect, it } from "vitest";
import { GatewayError } from "../../../../../gateway/core/errors.ts";
import type { TaskRecord } from "../../../../../gateway/core/tasks/task.ts";
import { FetchResult, TaskResults } from "../../../../../gateway/services/videos/engine/fetch-result.ts";
import { MediaRefused } from "../../../../../gateway/store/media/media-incoming.ts";
import { StoreWriteError } from "../../../../../gateway/store/store.ts";
import { TASK_AT, taskResult } from "../../../../support/tasks.ts";
import { EngineParts, HOUR, MINUTE, SECOND, SECRET, SILENCE } from "./engine-parts.ts";

let parts: EngineParts;
beforeEach(() => (parts = new EngineParts()));

const result = taskResult({ saved: null });
const made = (changes: Partial<TaskRecord> = {}): TaskRecord => parts.add({ phase: "fetching", result, ...changes });

/** Fetches the file of a task. @returns what became of it, `"under way"` until then */
async function fetchResult(task: TaskRecord, resumed = false, fetch = new FetchResult(parts.deps)) {
  const state: { saved: unknown } = { saved: "under way" };
  fetch.fetch(task, resumed).then(
    (saved) => (state.saved = saved),
    (error: Error) => (state.saved = error.message),
  );
  await parts.settle();
  return state;
}

describe("a file at an address", () => {
  it.each([
    ["has no result", { result: null }, false],
    ["is in the library already", { result: taskResult({ video_media: "media_here" }) }, true],
    ["has no connection", { connection: "gone" }, null],
    ["has no connection, and is forgotten", { connection: "gone", forgotten_at: TASK_AT }, false],
  ])("of a task that %s is not fetched", async (_what, changes, saved) => {
    parts.saved.add("media_here");
    expect(await fetchResult(made(changes))).toEqual({ saved });
    expect([parts.fetched, parts.requests]).toEqual([[], []]);
  });

  it("is fetched with the last frame", async () => {
    const frame = { last_frame_url: "https://results.example/1.png", last_frame_media: "media_2" };
    expect(await fetchResult(made({ result: { ...result, ...frame } }))).toEqual({ saved: true });
    expect(parts.fetched.toSorted()).toEqual([
      "media_1 https://results.example/1.mp4",
      "media_2 https://results.example/1.png",
    ]);
    expect(parts.requests).toEqual([]);
  });

  it.each([
    [{ last_frame_url: "https://results.example/1.png", last_frame_media: null }],
    [{ last_frame_url: null, last_frame_media: "media_2" }],
  ])("has no last frame with %j", async (frame) => {
    await fetchResult(made({ result: { ...result, ...frame } }));
    expect(parts.fetched).toHaveLength(1);
  });

  const NEW = "https://results.example/new.mp4";
  const tell = (url: string | null, state = "succeeded") => {
    parts.respond = () => ({ body: { state, key: SECRET, result: { url, lastFrameUrl: null } } });
  };

  it.each([
    [false, [result.video_url, NEW], ["GET /tasks/t-1"]],
    [true, [NEW], ["GET /tasks/t-1", "GET /tasks/t-1"]],
  ])(
    "is asked for again when its address has expired; first of all when resumed: %j",
    async (resumed, urls, requests) => {
      tell(NEW);
      const states = [false, true];
      parts.fetchAs = async () => (resumed ? false : (states.shift() as boolean));
      const task = made();
      expect(await fetchResult(task, resumed)).toEqual({ saved: !resumed });
      expect(parts.fetched).toEqual(urls.map((url) => `media_1 ${url}`));
      expect(parts.requests).toEqual(requests);
      expect(parts.now(task)).toMatchObject({ result: { video_url: NEW }, native: { state: "succeeded" } });
      expect(JSON.stringify(parts.now(task))).not.toContain(SECRET);
    },
  );

  it.each([
    ["the same", () => tell(result.video_url)],
    ["none", () => tell(null)],
    ["one of a task that is not made", () => tell(NEW, "running")],
    ["no state", () => (parts.respond = () => ({ status: 500, body: {} }))],
    ["nothing", () => (parts.respond = () => SILENCE)],
  ])("is given up where the provider gives %s as a new address", async (_what, respond) => {
    respond();
    parts.fetchAs = async () => false;
    const task = made();
    expect(await fetchResult(task)).toEqual({ saved: false });
    expect([parts.fetched.length, parts.now(task)]).toEqual([1, task]);
  });

  it("is given up where the provider has named no task", async () => {
    parts.fetchAs = async () => false;
    expect(await fetchResult(made({ operation: null }))).toEqual({ saved: false });
    expect(parts.requests).toEqual([]);
  });

  it.each([
    ["shutting_down", null],
    ["storage_unavailable", "no"],
  ] as const)("is %s: %j", async (code, saved) => {
    parts.fetchAs = async () => Promise.reject(new GatewayError(code, "no"));
    expect(await fetchResult(made())).toEqual({ saved });
  });

  it("is left to the next start when Postern stops", async () => {
    parts.fetchAs = () => new Promise(() => {});
    const state = await fetchResult(made());
    expect(state.saved).toBe("under way");
    parts.stop.abort();
    await parts.settle();
    expect(state.saved).toBeNull();
  });
});

describe("a file after the provider's key", () => {
  const after = (changes: Partial<TaskRecord> = {}) => made({ result: { ...result, video_url: null }, ...changes });
  const count = () => parts.requests.filter((requested) => requested === "GET /content/t-1").length;

  it("is saved with its origin", async () => {
    parts.respond = () => ({ body: "the video" });
    const saved: string[] = [];
    parts.saveAs = async (id, bytes) => saved.push(`${id} ${bytes.toString()}`) > 0;
    expect(await fetchResult(after())).toEqual({ saved: true });
    expect([saved, parts.aborted, parts.timeouts]).toEqual([['media_1 "the video"'], 0, [[120_000, 300_000]]]);
    await parts.pass(HOUR);
    expect(parts.aborted).toBe(0);
  });

  it.each([
    [404, false],
    [201, false],
    [428, false],
    [430, false],
    [499, false],
    [429, "under way"],
    [500, "under way"],
    [503, "under way"],
  ])("with status %d is %j", async (status, saved) => {
    parts.respond = () => ({ status });
    expect(await fetchResult(after())).toEqual({ saved });
    expect([count(), parts.aborted]).toEqual([1, 1]);
  });

  it.each([
    ["type", false],
    ["size", false],
    ["empty", false],
    ["room", "under way"],
    ["disk", "under way"],
  ] as const)("that the library refuses for its %s is %j", async (kind, saved) => {
    parts.respond = () => ({ body: "x" });
    parts.saveAs = async () => Promise.reject(new MediaRefused(kind, "no"));
    expect(await fetchResult(after())).toEqual({ saved });
    expect(parts.warnings).toEqual([expect.stringContaining("video.not_fetched")]);
  });

  it("that breaks for an unknown reason is reported", async () => {
    parts.respond = () => ({ body: "x" });
    parts.saveAs = async () => Promise.reject(new Error("a bug"));
    expect(await fetchResult(after())).toEqual({ saved: "a bug" });
  });

  it.each([
    ["provider has no way to it", { connection: "none" }],
    ["task has no id there", { operation: null }],
  ])("does not exist where the %s", async (_what, changes) => {
    parts.connect("none", { toContentRequest: null });
    expect(await fetchResult(after(changes))).toEqual({ saved: false });
    expect(parts.requests).toEqual([]);
  });

  it("is tried after 1 s, 5 s, 30 s, 2 min and then each 10 min until it is forgotten, and five times after that", async () => {
    const state = await fetchResult(after({ forgotten_at: TASK_AT + 6 * HOUR }));
    const pauses = [SECOND, 5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 10 * MINUTE];
    for (const [index, ms] of pauses.entries()) {
      await parts.pass(ms - 1);
      expect(count()).toBe(index + 1);
      await parts.pass(1);
      expect(count()).toBe(index + 2);
    }
    await parts.pass(6 * HOUR - (parts.time.now() - TASK_AT) - 1);
    const before = count();
    expect(before).toBeGreaterThan(30);
    // The first try that comes late; its pauses begin with the short ones.
    await parts.pass(10 * MINUTE);
    expect(count()).toBeGreaterThan(before + 1);
    await parts.pass(HOUR);
    expect([count(), state.saved]).toEqual([before + 5, false]);
  });

  it.each([
    [TASK_AT, [1, 2, 3, 4, 5]],
    [TASK_AT + 1, [1, 2, 3, 4, 5, 6]],
  ])("forgotten at %d is asked for until %j", async (forgotten_at, counts) => {
    const state = await fetchResult(after({ forgotten_at }));
    const late = [SECOND, 5 * SECOND, 30 * SECOND, 2 * MINUTE];
    const pauses = forgotten_at > TASK_AT ? [SECOND, ...late] : late;
    const seen = [count()];
    for (const ms of pauses) {
      await parts.pass(ms);
      seen.push(count());
    }
    expect([seen, state.saved]).toEqual([counts, false]);
  });

  it("is broken off after half an hour", async () => {
    parts.respond = () => ({ body: "x" });
    parts.saveAs = () => new Promise(() => {});
    await fetchResult(after());
    await parts.pass(HOUR / 2 - 1);
    expect(parts.aborted).toBe(0);
    await parts.pass(1);
    expect(parts.aborted).toBe(1);
  });

  it("is asked for by four at the same time for each connection", async () => {
    parts.connect("connection_2");
    const release = Promise.withResolvers<Error>();
    parts.respond = () => release.promise;
    const fetch = new FetchResult(parts.deps);
    for (let task = 0; task < 6; task += 1) await fetchResult(after(), false, fetch);
    await fetchResult(after({ connection: "connection_2" }), false, fetch);
    expect(parts.requests).toHaveLength(5);
    // After a stop nothing more is asked for.
    parts.stop.abort();
    release.resolve(SILENCE);
    await parts.settle();
    expect(parts.requests).toHaveLength(5);
  });

  it("is not tried again when Postern stops", async () => {
    const state = await fetchResult(after());
    parts.stop.abort();
    await parts.settle();
    await parts.pass(HOUR);
    expect([state.saved, count()]).toEqual([null, 1]);
  });
});

describe("a task whose file is brought", () => {
  const putOff: unknown[] = [];
  const results = () => new TaskResults({ ...parts.deps, putOff: (id, error) => void putOff.push(id, error) });
  const slow = () => Promise.withResolvers<boolean>();
  beforeEach(() => void putOff.splice(0));

  it.each([
    [true, "succeeded", null],
    [false, "succeeded", "could not be fetched"],
  ])("ends when that is over, saved: %j", async (saved, phase, note) => {
    parts.fetchAs = async () => saved;
    const task = made({ webhook_url: "https://receiver.example/hook" });
    await results().bring(task, false);
    expect(parts.now(task)).toMatchObject({ phase, result: { saved }, finished_at: TASK_AT });
    expect(parts.now(task).timeline.at(-1)?.note ?? null).toEqual(note === null ? null : expect.stringContaining(note));
    expect([parts.now(task).deliveries.length, putOff]).toEqual([1, []]);
    await parts.pass(HOUR);
    expect(parts.now(task).finished_at).toBe(TASK_AT);
  });

  it("is fetched once, regardless of who asks, and again when that has failed", async () => {
    const file = slow();
    parts.fetchAs = () => file.promise;
    const task = made();
    const bringing = results();
    const first = bringing.bring(task, false);
    await bringing.bring(task, false);
    await parts.settle();
    expect(parts.fetched).toHaveLength(1);
    const error = new Error("no disk");
    file.reject(error);
    await first;
    expect(putOff).toEqual([task.id, error]);
    await parts.pass(HOUR);
    expect(parts.now(task)).toBe(task);
    parts.fetchAs = async () => true;
    await bringing.bring(task, false);
    expect(parts.now(task).phase).toBe("succeeded");
  });

  it("is put off where the disk refuses its end", async () => {
    const task = made();
    const error = new StoreWriteError("full");
    parts.diskFaults.push(error);
    await results().bring(task, false);
    expect([putOff, parts.now(task)]).toEqual([[task.id, error], task]);
  });

  it("is put off where nothing can be said yet", async () => {
    const task = made({ connection: "gone" });
    await results().bring(task, false);
    expect([putOff, parts.now(task)]).toEqual([[task.id, null], task]);
  });

  it.each([true, false])("ends after ten minutes without its file, which may come later: %j", async (saved) => {
    const file = slow();
    parts.fetchAs = () => file.promise;
    const task = made();
    const bringing = results().bring(task, false);
    await parts.pass(10 * MINUTE - 1);
    expect(parts.now(task).phase).toBe("fetching");
    await parts.pass(1);
    const slowly = { phase: "succeeded", result: { saved: null }, finished_at: TASK_AT + 10 * MINUTE };
    expect(parts.now(task)).toMatchObject(slowly);
    expect(parts.now(task).timeline.at(-1)?.note).toContain("takes long");
    const { updated_at } = parts.now(task);
    await parts.pass(HOUR);
    expect(parts.now(task).updated_at).toBe(updated_at);
    file.resolve(saved);
    await bringing;
    expect(parts.now(task)).toMatchObject({ ...slowly, result: { saved } });
  });

  it("ends 5 s later where the disk refuses", async () => {
    parts.fetchAs = () => slow().promise;
    const task = made();
    void results().bring(task, false);
    await parts.pass(10 * MINUTE - 1);
    parts.diskFaults.push(new StoreWriteError("full"), new Error("a bug"));
    await parts.pass(1);
    expect([parts.now(task).phase, parts.warnings]).toEqual(["fetching", []]);
    await parts.pass(5 * SECOND);
    expect(parts.warnings).toEqual([expect.stringContaining("a bug")]);
    await parts.pass(5 * SECOND - 1);
    expect(parts.now(task).phase).toBe("fetching");
    await parts.pass(1);
    expect(parts.now(task).phase).toBe("succeeded");
  });

  it("does not end when Postern stops", async () => {
    parts.fetchAs = () => slow().promise;
    const task = made();
    void results().bring(task, false);
    await parts.pass(MINUTE);
    parts.stop.abort();
    await parts.pass(HOUR);
    expect([parts.now(task), putOff]).toEqual([task, [task.id, null]]);
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { TaskDetail } from "../../../../gateway/contract/tasks.ts";
import { until, type TestOptions } from "../../../support/running-gateway.ts";
import { VideoStage } from "../../../support/video-acts.ts";
import { mp4 } from "../../../support/video-provider.ts";
import { WireProvider, replyBytes, type WireAct } from "../../../support/wire-provider.ts";

/** A provider that breaks every promise of DashScope's protocol. */
const wire = new WireProvider();
let stage: VideoStage;
beforeAll(() => wire.listen());
afterAll(() => wire.close());
afterEach(async () => {
  await stage.close();
  wire.reset();
});

const KEY_OF_PROVIDER = "c0ffee00-5ec2-e7c0-ffee-00000000beef";
const SUBMIT = "POST /api/v1/services/aigc/video-generation/video-synthesis";
const STATUS = "GET /api/v1/tasks/t-1";
/** Larger than anything that a provider has to say about a task. */
const KEPT_BYTES = 100_000;

const json = (body: unknown): WireAct => replyBytes("application/json", JSON.stringify(body));
const text = (body: string): WireAct => replyBytes("application/json", body);
const received = json({ output: { task_status: "PENDING", task_id: "t-1" }, request_id: "r" });
const running = json({ output: { task_status: "RUNNING", task_id: "t-1" }, request_id: "r" });
const made = (fields: object = {}, usage: object = { duration: 5, SR: 720 }): WireAct =>
  json({ output: { task_status: "SUCCEEDED", task_id: "t-1", video_url: `${wire.origin}/1.mp4`, ...fields }, usage });

async function open(options: TestOptions = {}): Promise<void> {
  stage = await VideoStage.open({
    ...options,
    env: {
      POSTERN_DASHSCOPE_BASE_URL: wire.origin,
      POSTERN_DASHSCOPE_API_KEY: KEY_OF_PROVIDER,
      POSTERN_ALLOW_TARGETS: wire.origin.slice("http://".length),
      ...options.env,
    },
  });
  wire
    .on(SUBMIT, received)
    .on(STATUS, made())
    .on("GET /1.mp4", replyBytes("video/mp4", mp4("1")));
}

const detailOf = (id: string): Promise<TaskDetail> => stage.gateway.ask<TaskDetail>("GET", `/tasks/${id}`);

/** 40,000 levels: parsers take it, and writers that recurse do not. */
const DEEP = `${'{"a":'.repeat(40_000)}1${"}".repeat(40_000)}`;
const BIG = "x".repeat(3_000_000);

describe("what a provider says too much of", () => {
  it.each<[string, string, string]>([
    ["a submission's answer of 3 MB", SUBMIT, `{"output":{"task_id":"t-1","task_status":"PENDING"},"more":"${BIG}"}`],
    ["a submission's answer without end to its depth", SUBMIT, `{"output":{"task_id":"t-1"},"more":${DEEP}}`],
    [
      "a result of 3 MB",
      STATUS,
      `{"output":{"task_id":"t-1","task_status":"SUCCEEDED","video_url":"ORIGIN/1.mp4"},"usage":{"duration":5,"SR":720},"more":"${BIG}"}`,
    ],
    [
      "a result without end to its depth",
      STATUS,
      `{"output":{"task_id":"t-1","task_status":"SUCCEEDED","video_url":"ORIGIN/1.mp4"},"usage":{"duration":5,"SR":720},"more":${DEEP}}`,
    ],
    [
      "usage of 3 MB",
      STATUS,
      `{"output":{"task_id":"t-1","task_status":"SUCCEEDED","video_url":"ORIGIN/1.mp4"},"usage":{"duration":5,"SR":720,"more":"${BIG}"}}`,
    ],
    [
      "usage without end to its depth",
      STATUS,
      `{"output":{"task_id":"t-1","task_status":"SUCCEEDED","video_url":"ORIGIN/1.mp4"},"usage":{"duration":5,"SR":720,"more":${DEEP}}}`,
    ],
  ])("%s is left out of the record; the task succeeds, over a restart too", async (_name, route, body) => {
    await open();
    wire.on(route, text(body.replaceAll("ORIGIN", wire.origin)));
    const task = await stage.submit();
    const done = await stage.over(task.id);
    expect(done).toMatchObject({ status: "succeeded", usage: { duration_seconds: 5, resolution: "720p" } });
    expect(JSON.stringify(done).length).toBeLessThan(KEPT_BYTES);
    expect(done.content?.local_url).toContain("/media/");
    await stage.restart();
    expect(await stage.read(task.id)).toMatchObject({ status: "succeeded", native: done.native });
  });

  it("a failure's code and words are cut", async () => {
    await open();
    wire.on(
      STATUS,
      json({
        output: {
          task_status: "FAILED",
          task_id: "t-1",
          code: BIG.slice(0, 2_000_000),
          message: BIG.slice(0, 1_000_000),
        },
      }),
    );
    const task = await stage.submit();
    const failed = await stage.over(task.id);
    expect(failed.error?.code.length).toBeLessThanOrEqual(200);
    expect(JSON.stringify(await detailOf(task.id)).length).toBeLessThan(KEPT_BYTES);
    expect(JSON.stringify(await stage.gateway.receipts()).length).toBeLessThan(KEPT_BYTES);
  });

  it("a response of 10 MB, of HTML, of half a JSON is invalid: it is asked again", async () => {
    await open();
    wire.on(
      STATUS,
      text(`{"more":"${BIG.repeat(4)}"}`),
      replyBytes("text/html", "<html><script>alert(1)</script></html>"),
      text('{"output":{"task_status":"SUCC'),
      text("[".repeat(3_000_000)),
      running,
      made(),
    );
    const task = await stage.submit();
    expect((await stage.over(task.id)).status).toBe("succeeded");
    expect(wire.seen.filter(({ path }) => path.endsWith("/t-1"))).toHaveLength(6);
  });
});

describe("an invalid address", () => {
  it.each<[string, string]>([
    ["javascript:", "javascript:alert(document.cookie)"],
    ["file:", "file:///etc/passwd"],
    ["data: with a page", "data:text/html,<script>alert(1)</script>"],
    ["data: of 3 MB", `data:video/mp4;base64,${"A".repeat(3_000_000)}`],
    ["20 kB", `https://provider.example/${"x".repeat(20_000)}`],
    ["words", "not an address"],
    ["without a scheme", "//provider.example/1.mp4"],
    ["with a line of its own", "https://provider.example/\r\nx-injected: 1"],
    ["with half a character", "https://provider.example/\ud800"],
  ])("(%s) is not passed on, and the task says what is wrong", async (_name, address) => {
    await open();
    wire.on(STATUS, made({ video_url: address }));
    const task = await stage.submit();
    const failed = await stage.over(task.id);
    expect(failed).toMatchObject({ status: "failed", error: { code: "result_missing" } });
    expect(JSON.stringify(failed).length).toBeLessThan(KEPT_BYTES);
    expect(await stage.gateway.receipts()).toMatchObject([{ outcome: "failed", nano: 0 }]);
  });
});

describe("a response about something else", () => {
  it("that names another task is not this one's", async () => {
    await open();
    wire.on(STATUS, made({ task_id: "t-2", video_url: `${wire.origin}/of-somebody-else.mp4` }), running, made());
    const task = await stage.submit();
    const done = await stage.over(task.id);
    expect(done).toMatchObject({ status: "succeeded", content: { video_url: `${wire.origin}/1.mp4` } });
  });

  it.each([302, 401, 403, 429, 500, 502, 503])("with status %i decides nothing, whatever it says", async (status) => {
    await open();
    const message = { output: { task_status: "FAILED", task_id: "t-1", code: "Busy", message: "try again" } };
    wire.on(STATUS, replyBytes("application/json", JSON.stringify(message), status), running, made());
    const task = await stage.submit();
    expect((await stage.over(task.id)).status).toBe("succeeded");
  });
});

describe("figures that are invalid", () => {
  it.each<[unknown, number]>([
    [1e12, 5],
    [-5, 5],
    [0, 5],
    ["5; DROP", 5],
    ["NaN", 5],
    [null, 5],
    [[5], 5],
    [4.5, 4.5],
    [0.3333333333, 0.3333333333],
  ])("a length of %j is billed as %d s", async (duration, billed) => {
    await open();
    wire.on(STATUS, made({}, { duration, SR: 720 }));
    const done = await stage.over((await stage.submit()).id);
    expect(done.usage?.duration_seconds).toBe(billed);
    const receipt = await stage.gateway.receipt();
    expect(receipt.estimated).toBe(billed !== duration);
    expect(Number.isSafeInteger(receipt.nano)).toBe(true);
    expect(receipt.nano).toBeGreaterThan(0);
  });

  it.each([4321, "4321", "768p", "9k", "<b>720p</b>", "../../etc", {}, -1])(
    "a resolution of %j is billed as the one that was ordered",
    async (resolution) => {
      await open();
      const usual = await stage.over((await stage.submit()).id);
      wire
        .on(SUBMIT, json({ output: { task_status: "PENDING", task_id: "t-2" }, request_id: "r" }))
        .on("GET /api/v1/tasks/t-2", made({ task_id: "t-2" }, { duration: 5, SR: resolution }));
      const done = await stage.over((await stage.submit()).id);
      expect(done.usage?.cost_usd).toBe(usual.usage?.cost_usd);
      expect(JSON.stringify(done.usage?.resolution)).toMatch(/^"\d{1,4}[pk]"$/);
    },
  );
});

describe("a provider's key that its provider repeats", () => {
  it("is in no response, no page, no record and no line of the log", async () => {
    const logged: string[] = [];
    await open({ logged });
    const leak = `The key ${KEY_OF_PROVIDER} is bad`;
    wire.on(SUBMIT, json({ output: { task_id: "t-1" }, request_id: leak, [KEY_OF_PROVIDER]: 1 }));
    wire.on(
      STATUS,
      replyBytes("application/json", JSON.stringify({ code: "Throttling", message: leak }), 429),
      replyBytes("application/json", JSON.stringify({ code: "InternalError", message: leak }), 500),
      replyBytes("application/json", JSON.stringify({ code: "InternalError", message: leak }), 500),
      replyBytes("application/json", JSON.stringify({ code: "InternalError", message: leak }), 500),
      json({ output: { task_id: "t-1", task_status: "RUNNING", note: leak } }),
      json({ output: { task_id: "t-1", task_status: "FAILED", code: leak, message: leak }, more: [leak] }),
    );
    const seen: string[] = [];
    stage.gateway.gateway.events?.subscribe?.((event: unknown) => seen.push(JSON.stringify(event)));
    const task = await stage.submit();
    seen.push(JSON.stringify(task));
    await until(async () => {
      const now = await stage.read(task.id);
      seen.push(JSON.stringify(now), JSON.stringify(await detailOf(task.id)));
      return now.status === "failed";
    }, 20_000);
    seen.push(JSON.stringify(await stage.gateway.receipts()), ...logged);
    expect(seen.join("\n")).toContain("[redacted]");
    expect(seen.filter((one) => one.includes(KEY_OF_PROVIDER))).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { readFilm } from "./mp4-reader.ts";
import { useFilms, within, type Answer, type Json } from "./running-films.ts";

const films = useFilms();
const PATH = "/dashscope/api/v1/services/aigc/video-generation/video-synthesis";
const TASKS = "/dashscope/api/v1/tasks";
const ASYNC = { "x-dashscope-async": "enable" };
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const url = "https://example.com/a.png";

const submit = (model: string, input: object, parameters?: object): Promise<Answer> =>
  films.post(PATH, { model, input, ...(parameters && { parameters }) }, ASYNC);
const t2v = (prompt: string, parameters?: object): Promise<Answer> => submit("wan2.7-t2v", { prompt }, parameters);

async function idOf(answer: Promise<Answer>): Promise<string> {
  const { status, json } = await answer;
  expect(status, JSON.stringify(json)).toBe(200);
  return String(within(json, "output", "task_id"));
}

async function task(id: string): Promise<Json> {
  const { status, json } = await films.get(`${TASKS}/${id}`);
  expect(status).toBe(200);
  return json;
}

const statusOf = async (id: string): Promise<unknown> => within(await task(id), "output", "task_status");

/** The finished task. */
async function finished(answer: Promise<Answer>): Promise<Json> {
  const id = await idOf(answer);
  films.now += 3_000;
  return task(id);
}

describe("a submission to DashScope (upstreams reference 3.2)", () => {
  it("is answered with an id and PENDING, and nothing else", async () => {
    const { status, json } = await t2v("a red fox");
    expect([status, json]).toEqual([
      200,
      {
        output: { task_status: "PENDING", task_id: expect.stringMatching(UUID) as string },
        request_id: expect.stringMatching(UUID) as string,
      },
    ]);
  });

  it("is refused unless it asks for a task", async () => {
    const { status, json } = await films.post(PATH, { model: "wan2.7-t2v", input: { prompt: "a fox" } });
    expect([status, json]).toEqual([
      403,
      {
        code: "AccessDenied",
        message: "current user api does not support synchronous calls",
        request_id: expect.stringMatching(UUID) as string,
      },
    ]);
  });

  it.each<[string, string, object | undefined, object | undefined, string]>([
    ["no prompt", "wan2.7-t2v", {}, {}, "Field required: input.prompt"],
    ["no input", "wan2.7-t2v", undefined, {}, "Field required: input"],
    ["no picture, before 2.7", "wan2.6-i2v", { prompt: "x" }, {}, "Field required: input.img_url"],
    ["no references, before 2.7", "wan2.6-r2v", { prompt: "x" }, {}, "Field required: input.reference_urls"],
    ["no media", "wan2.7-i2v", { prompt: "x" }, {}, "Field required: input.media"],
    ["no media, at HappyHorse", "happyhorse-1.0-i2v", { prompt: "x" }, {}, "Field required: input.media"],
    [
      "media without an address",
      "wan2.7-i2v",
      { media: [{ type: "first_frame" }] },
      {},
      "Field required: input.media.0.url",
    ],
    [
      "no address",
      "wan2.6-i2v",
      { img_url: "a.png" },
      {},
      "The provided URL does not appear to be valid: input.img_url",
    ],
    [
      "another kind of media",
      "happyhorse-1.0-r2v",
      { prompt: "x", media: [{ type: "video", url }] },
      {},
      "Input should be 'reference_image': input.media.0.type",
    ],
    [
      "two first frames",
      "happyhorse-1.0-i2v",
      { media: [1, 2].map(() => ({ type: "first_frame", url })) },
      {},
      "Value error, media must hold exactly one first_frame: input.media",
    ],
    [
      "ten references",
      "happyhorse-1.0-r2v",
      { prompt: "x", media: Array.from({ length: 10 }, () => ({ type: "reference_image", url })) },
      {},
      "Value error, media must hold 1 to 9 references: input.media",
    ],
    [
      "a last frame alone",
      "wan2.7-i2v",
      { media: [{ type: "last_frame", url }] },
      {},
      "Value error, media must hold one first_frame or first_clip, and what may go with it: input.media",
    ],
    [
      "an edit of nothing",
      "happyhorse-1.0-video-edit",
      { prompt: "x", media: [{ type: "reference_image", url }] },
      {},
      "Value error, media must hold exactly one video and at most 5 reference_image: input.media",
    ],
    [
      "a resolution that it has not",
      "wan2.7-t2v",
      { prompt: "x" },
      { resolution: "480P" },
      "Input should be '720P' or '1080P': parameters.resolution",
    ],
    [
      "a ratio that it has not",
      "wan2.7-t2v",
      { prompt: "x" },
      { ratio: "2:1" },
      "Input should be '16:9', '9:16', '1:1', '4:3' or '3:4': parameters.ratio",
    ],
    [
      "too many seconds",
      "wan2.7-t2v",
      { prompt: "x" },
      { duration: 16 },
      "Input should be less than or equal to 15: parameters.duration",
    ],
    [
      "too few seconds",
      "happyhorse-1.0-t2v",
      { prompt: "x" },
      { duration: 2 },
      "Input should be greater than or equal to 3: parameters.duration",
    ],
    [
      "too many seconds with films",
      "wan2.7-r2v",
      { prompt: "x", media: [{ type: "reference_video", url }] },
      { duration: 11 },
      "Input should be less than or equal to 10: parameters.duration",
    ],
    [
      "seconds as text",
      "wan2.7-t2v",
      { prompt: "x" },
      { duration: "5" },
      "Input should be a valid integer: parameters.duration",
    ],
    [
      "seconds between",
      "wan2.5-t2v-preview",
      { prompt: "x" },
      { duration: 7 },
      "Input should be 5 or 10: parameters.duration",
    ],
    [
      "what 2.7 has no more",
      "wan2.7-t2v",
      { prompt: "x" },
      { size: "1280*720" },
      "Extra inputs are not permitted: parameters.size",
    ],
    [
      "a size in the other spelling",
      "wan2.6-t2v",
      { prompt: "x" },
      { size: "1280x720" },
      "The size is not match 1280x720: parameters.size",
    ],
    [
      "a size that 2.6 has not",
      "wan2.6-t2v",
      { prompt: "x" },
      { size: "832*480" },
      "The size is not match 832*480: parameters.size",
    ],
    [
      "a switch as text",
      "wan2.7-t2v",
      { prompt: "x" },
      { watermark: "yes" },
      "Input should be a valid boolean: parameters.watermark",
    ],
    [
      "a seed below",
      "wan2.7-t2v",
      { prompt: "x" },
      { seed: -1 },
      "Input should be greater than or equal to 0: parameters.seed",
    ],
  ])("is refused with %s", async (_name, model, input, parameters, message) => {
    const { status, json } = await films.post(PATH, { model, input, parameters }, ASYNC);
    expect([status, json]).toMatchObject([400, { message, request_id: expect.stringMatching(UUID) as string }]);
    expect(json["code"]).toMatch(/^Invalid(Parameter|URL)$/);
  });

  it.each(["wan9.9-t2v", "doubao-seedance-2-0-260128", "gpt-5"])("is refused for the model %s", async (model) => {
    const { status, json } = await submit(model, { prompt: "x" });
    expect([status, json]).toMatchObject([404, { code: "ModelNotFound", message: "Model not exist." }]);
  });

  it.each([
    [429, "Throttling.RateQuota"],
    [402, "Arrearage"],
    [503, "ServiceUnavailable"],
  ])("fails with %d when its prompt asks for it, and makes no task", async (status, code) => {
    const before = (await films.get(`${TASKS}/`)).json["total"];
    const answer = await t2v(`sandbox:error=${status} sandbox:fail`);
    expect([answer.status, answer.json["code"]]).toEqual([status, code]);
    expect((await films.get(`${TASKS}/`)).json["total"]).toBe(before);
  });

  it("breaks off when its prompt asks for it, and makes no task", async () => {
    const before = (await films.get(`${TASKS}/`)).json["total"];
    await expect(t2v("sandbox:cut")).rejects.toThrow("fetch failed");
    expect((await films.get(`${TASKS}/`)).json["total"]).toBe(before);
  });
});

describe("a task at DashScope", () => {
  it("waits a second, runs for two and is done", async () => {
    films.now = Date.UTC(2026, 0, 22, 15, 24, 46, 520);
    const id = await idOf(t2v("a red fox", { resolution: "720P", duration: 10 }));
    films.now += 999;
    const begun = { task_id: id, submit_time: "2026-01-22 23:24:46.520" };
    expect((await task(id))["output"]).toEqual({ ...begun, task_status: "PENDING" });
    films.now += 1;
    const scheduled = { ...begun, scheduled_time: "2026-01-22 23:24:47.520" };
    expect((await task(id))["output"]).toEqual({ ...scheduled, task_status: "RUNNING" });
    films.now += 1_999;
    expect(await statusOf(id)).toBe("RUNNING");
    films.now += 1;
    expect(await task(id)).toEqual({
      request_id: expect.stringMatching(UUID) as string,
      output: {
        ...scheduled,
        task_status: "SUCCEEDED",
        end_time: "2026-01-22 23:24:49.520",
        orig_prompt: "a red fox",
        video_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/dashscope\/results\/videos\/.*\.mp4$/) as string,
      },
      usage: {
        duration: 10,
        input_video_duration: 0,
        output_video_duration: 10,
        video_count: 1,
        SR: 720,
        ratio: "16:9",
      },
    });
  });

  it("takes as long as its prompt says", async () => {
    const id = await idOf(t2v("sandbox:slow=60000"));
    films.now += 59_999;
    expect(await statusOf(id)).toBe("RUNNING");
    films.now += 1;
    expect(await statusOf(id)).toBe("SUCCEEDED");
  });

  it("fails inside an answer that says 200", async () => {
    expect(await finished(t2v("sandbox:fail"))).toMatchObject({
      output: { task_status: "FAILED", code: "InternalError.Algo", message: expect.any(String) as string },
    });
  });

  it.each<[string, object, object, object, readonly [number, number, number]]>([
    ["wan2.7-t2v", { prompt: "x" }, {}, { duration: 5, SR: 1080, ratio: "16:9" }, [1920, 1080, 5]],
    [
      "wan2.7-t2v",
      { prompt: "x" },
      { resolution: "720P", ratio: "4:3", duration: 2 },
      { SR: 720, ratio: "4:3" },
      [1104, 832, 2],
    ],
    [
      "wan2.7-i2v",
      { media: [{ type: "first_frame", url }] },
      { resolution: "720P", ratio: "9:16" },
      { SR: 720, ratio: "16:9" },
      [1280, 720, 5],
    ],
    [
      "wan2.7-r2v",
      { prompt: "x", media: [{ type: "reference_video", url }] },
      { resolution: "720P" },
      { duration: 10, input_video_duration: 5, output_video_duration: 5 },
      [1280, 720, 5],
    ],
    [
      "wan2.6-t2v",
      { prompt: "x" },
      { size: "832*1088", duration: 3 },
      { duration: 3, SR: 720, size: "832*1088" },
      [832, 1088, 3],
    ],
    [
      "wan2.6-i2v-flash",
      { img_url: url },
      { resolution: "720P", audio: false, shot_type: "multi" },
      { duration: 5, SR: 720 },
      [1280, 720, 5],
    ],
    [
      "wan2.6-r2v",
      { prompt: "x", reference_urls: ["https://example.com/a.mp4"] },
      { size: "1280*720" },
      { duration: 10, size: "1280*720", input_video_duration: 5 },
      [1280, 720, 5],
    ],
    [
      "wan2.5-t2v-preview",
      { prompt: "x" },
      { size: "624*624", duration: 10 },
      { duration: 10, SR: 480, video_count: 1, size: "624*624" },
      [624, 624, 10],
    ],
    [
      "wan2.5-i2v-preview",
      { img_url: url },
      { resolution: "480P" },
      { duration: 5, SR: 480, video_count: 1 },
      [832, 480, 5],
    ],
    [
      "happyhorse-1.0-t2v",
      { prompt: "x" },
      { resolution: "720P", ratio: "1:1", duration: 15 },
      { duration: 15, ratio: "1:1" },
      [960, 960, 15],
    ],
    [
      "happyhorse-1.0-video-edit",
      { prompt: "x", media: [{ type: "video", url }] },
      { resolution: "720P" },
      { duration: 10, input_video_duration: 5, output_video_duration: 5 },
      [1280, 720, 5],
    ],
  ])("of %s with %j and %j is billed and filmed as asked", async (model, input, parameters, usage, film) => {
    const done = await finished(submit(model, input, parameters));
    expect(done["usage"]).toMatchObject(usage);
    const file = await films.file(within(done, "output", "video_url"));
    expect([file.status, file.headers.get("content-type")]).toEqual([200, "video/mp4"]);
    const { width, height, seconds } = readFilm(file.bytes);
    expect([width, height, seconds]).toEqual(film);
  });

  it("has an id of its own, and the same film for the same request", async () => {
    const [first, second, other] = await Promise.all([t2v("the same"), t2v("the same"), t2v("another")].map(idOf));
    films.now += 3_000;
    expect(new Set([first, second, other]).size).toBe(3);
    const addresses = await Promise.all(
      [first, second, other].map(async (id) => within(await task(id ?? ""), "output", "video_url")),
    );
    expect(addresses[1]).toBe(addresses[0]);
    const [one, two, three] = await Promise.all(addresses.map((address) => films.file(address)));
    expect(two?.bytes.equals(one?.bytes ?? Buffer.alloc(0))).toBe(true);
    expect(three?.bytes.equals(one?.bytes ?? Buffer.alloc(0))).toBe(false);
  });

  it("outlives the sandbox, with its times, its failure and its film", async () => {
    const [queued, running, failing, done] = await Promise.all(
      ["sandbox:slow=60000", "sandbox:slow=2000", "sandbox:fail", "a fox sandbox:slow=900"].map((prompt) =>
        idOf(t2v(prompt)),
      ),
    );
    films.now += 950;
    const before = await task(done ?? "");
    const film = await films.file(within(before, "output", "video_url"));
    await films.restart();
    const after = await task(done ?? "");
    expect(within(after, "output")).toMatchObject({
      task_status: "SUCCEEDED",
      end_time: within(before, "output", "end_time"),
    });
    expect((await films.file(within(after, "output", "video_url"))).bytes.equals(film.bytes)).toBe(true);
    expect(await Promise.all([queued, running, failing].map((id) => statusOf(id ?? "")))).toEqual([
      "PENDING",
      "RUNNING",
      "PENDING",
    ]);
    films.now += 2_100;
    expect(await statusOf(failing ?? "")).toBe("FAILED");
  });

  it("that was never given is UNKNOWN, as is one after a day", async () => {
    const never = "0385dc79-5ff8-4d82-bcb6-0385dc795ff8";
    expect(await task(never)).toEqual({
      request_id: expect.stringMatching(UUID) as string,
      output: { task_id: never, task_status: "UNKNOWN" },
    });
    const id = await idOf(t2v("an old one"));
    expect(await statusOf(`${id.slice(0, -1)}${id.endsWith("0") ? "1" : "0"}`)).toBe("UNKNOWN");
    films.now += 86_400_000;
    expect(await statusOf(id)).toBe("SUCCEEDED");
    films.now += 1;
    expect(await statusOf(id)).toBe("UNKNOWN");
  });

  it("is taken back while it waits, and only then", async () => {
    const id = await idOf(t2v("a fox"));
    expect((await films.post(`${TASKS}/${id}/cancel`, {})).json).toEqual({
      request_id: expect.stringMatching(UUID) as string,
    });
    films.now += 5_000;
    expect(await statusOf(id)).toBe("CANCELED");
    const running = await idOf(t2v("a fox"));
    films.now += 1_500;
    const { status, json } = await films.post(`${TASKS}/${running}/cancel`, {});
    expect([status, json]).toMatchObject([400, { code: "UnsupportedOperation" }]);
    expect(await statusOf(running)).toBe("RUNNING");
  });

  it("is listed by model, state and time, page by page", async () => {
    films.now += 86_400_000;
    const [old, failed, other] = [
      await idOf(t2v("one")),
      await idOf(t2v("sandbox:fail")),
      await idOf(submit("happyhorse-1.0-t2v", { prompt: "two" })),
    ];
    films.now += 3_000;
    const listed = async (query: string): Promise<unknown> => {
      const { json } = await films.get(`${TASKS}/?start_time=20260123000000&${query}`);
      return (json["data"] as Json[]).map((row) => row["task_id"]);
    };
    expect(await listed("model_name=wan2.7-t2v&page_size=2")).toEqual([failed, old]);
    expect(await listed("page_size=2&page_no=2")).toEqual([old]);
    expect(await listed("status=FAILED")).toEqual([failed]);
    expect(await listed("model_name=happyhorse-1.0-t2v")).toEqual([other]);
    expect(await listed("end_time=20260123000001")).toEqual([]);
    const { json } = await films.get(`${TASKS}?page_size=1`);
    expect(json).toMatchObject({ page_no: 1, page_size: 1, data: [{ task_id: other, status: "SUCCEEDED" }] });
    expect(json["total_page"]).toBe(json["total"]);
  });
});

describe("a result's address", () => {
  it("gives parts of the file, as players ask for them", async () => {
    const address = within(await finished(t2v("a fox")), "output", "video_url");
    const whole = await films.file(address);
    const length = whole.bytes.length;
    for (const [range, from, to] of [
      ["bytes=0-99", 0, 99],
      ["bytes=100-", 100, length - 1],
      ["bytes=-10", length - 10, length - 1],
      [`bytes=5-${length * 2}`, 5, length - 1],
    ] as const) {
      const part = await films.file(address, range);
      expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes ${from}-${to}/${length}`]);
      expect(part.bytes.equals(whole.bytes.subarray(from, to + 1))).toBe(true);
    }
    const beyond = await films.file(address, `bytes=${length}-`);
    expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, `bytes */${length}`]);
  });

  it.each([
    "0000000-1281x720-10.mp4",
    "0000000-1280x720-0.mp4",
    "0000000-1280x720-9999.mp4",
    "0000000-9998x720-10.mp4",
    "x.mp4",
  ])("that no answer has named (%s) is not there", async (name) => {
    expect((await films.file(`${films.origin}/dashscope/results/videos/${name}`)).status).toBe(404);
  });
});

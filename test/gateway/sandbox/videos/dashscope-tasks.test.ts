import { describe, expect, it } from "vitest";
import { readFilm } from "./mp4-reader.ts";
import { useFilms, within, type Json } from "./running-films.ts";
import { TASKS, UUID, WanClient } from "./wan-client.ts";

const films = useFilms();
const wan = new WanClient(films);
const X = { prompt: "x" };
const url = "https://example.com/a.png";

describe("a task at DashScope", () => {
  it("waits a second, runs for two and is done", async () => {
    films.now = Date.UTC(2026, 0, 22, 15, 24, 46, 520);
    const id = await wan.idOf(wan.t2v("a red fox", { resolution: "720P", duration: 10 }));
    films.now += 999;
    const started = { task_id: id, submit_time: "2026-01-22 23:24:46.520" };
    expect((await wan.task(id))["output"]).toEqual({ ...started, task_status: "PENDING" });
    films.now += 1;
    const scheduled = { ...started, scheduled_time: "2026-01-22 23:24:47.520" };
    expect((await wan.task(id))["output"]).toEqual({ ...scheduled, task_status: "RUNNING" });
    films.now += 1_999;
    expect(await wan.statusOf(id)).toBe("RUNNING");
    films.now += 1;
    expect(await wan.task(id)).toEqual({
      request_id: expect.stringMatching(UUID) as string,
      output: {
        ...scheduled,
        task_status: "SUCCEEDED",
        end_time: "2026-01-22 23:24:49.520",
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
    const id = await wan.idOf(wan.t2v("sandbox:slow=60000"));
    films.now += 59_999;
    expect(await wan.statusOf(id)).toBe("RUNNING");
    films.now += 1;
    expect(await wan.statusOf(id)).toBe("SUCCEEDED");
  });

  it("fails inside a response that says 200", async () => {
    expect(await wan.finished(wan.t2v("sandbox:fail"))).toMatchObject({
      output: { task_status: "FAILED", code: "InternalError.Algo", message: expect.any(String) as string },
    });
  });

  it.each<[string, object, object, object, readonly [number, number, number]]>([
    ["wan2.7-t2v", X, {}, { duration: 5, SR: 1080, ratio: "16:9" }, [1920, 1080, 5]],
    ["wan2.7-t2v", X, { resolution: "720P", ratio: "4:3", duration: 2 }, { SR: 720, ratio: "4:3" }, [1104, 832, 2]],
    [
      "wan2.7-i2v",
      { media: [{ type: "first_frame", url }] },
      { resolution: "720P", ratio: "9:16" },
      { SR: 720, ratio: "9:16" },
      [720, 1280, 5],
    ],
    [
      "wan2.7-r2v",
      { ...X, media: [{ type: "reference_video", url }] },
      { resolution: "720P" },
      { duration: 10, input_video_duration: 5, output_video_duration: 5 },
      [1280, 720, 5],
    ],
    ["wan2.6-t2v", X, { size: "832*1088", duration: 3 }, { duration: 3, SR: 720, size: "832*1088" }, [832, 1088, 3]],
    [
      "wan2.6-i2v-flash",
      { img_url: url },
      { resolution: "720P", audio: false, shot_type: "multi" },
      { duration: 5, SR: 720 },
      [1280, 720, 5],
    ],
    [
      "wan2.6-r2v",
      { ...X, reference_urls: ["https://example.com/a.mp4"] },
      { size: "1280*720" },
      { duration: 10, size: "1280*720", input_video_duration: 5 },
      [1280, 720, 5],
    ],
    [
      "wan2.5-t2v-preview",
      X,
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
      X,
      { resolution: "720P", ratio: "1:1", duration: 15 },
      { duration: 15, ratio: "1:1" },
      [960, 960, 15],
    ],
    [
      "happyhorse-1.0-video-edit",
      { ...X, media: [{ type: "video", url }] },
      { resolution: "720P" },
      { duration: 10, input_video_duration: 5, output_video_duration: 5 },
      [1280, 720, 5],
    ],
  ])("of %s with %j and %j is billed and filmed as asked", async (model, input, parameters, usage, film) => {
    const done = await wan.finished(wan.submit(model, input, parameters));
    expect(done["usage"]).toMatchObject(usage);
    const file = await films.file(within(done, "output", "video_url"));
    expect([file.status, file.headers.get("content-type")]).toEqual([200, "video/mp4"]);
    const { width, height, seconds } = readFilm(file.bytes);
    expect([width, height, seconds]).toEqual(film);
  });

  it("has an id of its own, however many are asked for in one millisecond", async () => {
    const ids = await Promise.all(Array.from({ length: 100 }, () => wan.idOf(wan.t2v("the same"))));
    expect(new Set(ids).size).toBe(100);
  });

  it("has an id of its own, and the same film for the same request", async () => {
    const [first, second, other] = await Promise.all(
      [wan.t2v("the same"), wan.t2v("the same"), wan.t2v("another")].map((response) => wan.idOf(response)),
    );
    films.now += 3_000;
    expect(new Set([first, second, other]).size).toBe(3);
    const addresses = await Promise.all(
      [first, second, other].map(async (id) => within(await wan.task(id ?? ""), "output", "video_url")),
    );
    expect(addresses[1]).toBe(addresses[0]);
    const [one, two, three] = await Promise.all(addresses.map((address) => films.file(address)));
    expect(two?.bytes.equals(one?.bytes ?? Buffer.alloc(0))).toBe(true);
    expect(three?.bytes.equals(one?.bytes ?? Buffer.alloc(0))).toBe(false);
  });

  it("outlives the sandbox, with its times, its failure and its film", async () => {
    const [queued, running, failing, done] = await Promise.all(
      ["sandbox:slow=60000", "sandbox:slow=2000", "sandbox:fail", "a fox sandbox:slow=900"].map((prompt) =>
        wan.idOf(wan.t2v(prompt)),
      ),
    );
    films.now += 950;
    const before = await wan.task(done ?? "");
    const film = await films.file(within(before, "output", "video_url"));
    await films.restart();
    const after = await wan.task(done ?? "");
    expect(within(after, "output")).toMatchObject({
      task_status: "SUCCEEDED",
      end_time: within(before, "output", "end_time"),
    });
    expect((await films.file(within(after, "output", "video_url"))).bytes.equals(film.bytes)).toBe(true);
    expect(await Promise.all([queued, running, failing].map((id) => wan.statusOf(id ?? "")))).toEqual([
      "PENDING",
      "RUNNING",
      "PENDING",
    ]);
    films.now += 2_100;
    expect(await wan.statusOf(failing ?? "")).toBe("FAILED");
  });

  it("that was never given is UNKNOWN, as is one after a day", async () => {
    const never = "0385dc79-5ff8-4d82-bcb6-0385dc795ff8";
    expect(await wan.task(never)).toEqual({
      request_id: expect.stringMatching(UUID) as string,
      output: { task_id: never, task_status: "UNKNOWN" },
    });
    const id = await wan.idOf(wan.t2v("an old one"));
    expect(await wan.statusOf(`${id.slice(0, -1)}${id.endsWith("0") ? "1" : "0"}`)).toBe("UNKNOWN");
    films.now += 86_400_000;
    expect(await wan.statusOf(id)).toBe("SUCCEEDED");
    films.now += 1;
    expect(await wan.statusOf(id)).toBe("UNKNOWN");
  });

  it("is taken back while it waits, and only then", async () => {
    const id = await wan.idOf(wan.t2v("a fox"));
    expect((await films.post(`${TASKS}/${id}/cancel`, {})).json).toEqual({
      request_id: expect.stringMatching(UUID) as string,
    });
    films.now += 5_000;
    expect(await wan.statusOf(id)).toBe("CANCELED");
    const running = await wan.idOf(wan.t2v("a fox"));
    films.now += 1_500;
    const { status, json } = await films.post(`${TASKS}/${running}/cancel`, {});
    expect([status, json]).toMatchObject([400, { code: "UnsupportedOperation" }]);
    expect(await wan.statusOf(running)).toBe("RUNNING");
  });

  it("is listed by model, state and time, page by page", async () => {
    films.now += 86_400_000;
    const [old, failed, other] = [
      await wan.idOf(wan.t2v("one")),
      await wan.idOf(wan.t2v("sandbox:fail")),
      await wan.idOf(wan.submit("happyhorse-1.0-t2v", { prompt: "two" })),
    ];
    films.now += 3_000;
    const listed = async (query: string): Promise<unknown> => {
      const { json } = await films.get(`${TASKS}/?start_time=20260123000000&${query}`);
      return (json["data"] as Json[]).map((row) => row["task_id"]);
    };
    expect(await listed("model_name=wan2.7-t2v&page_size=2")).toEqual([failed, old]);
    expect(await listed("page_size=2&page_no=2")).toEqual([old]);
    expect(await listed("model_name=happyhorse-1.0-t2v")).toEqual([other]);
    expect(await listed("end_time=20260123000001")).toEqual([]);
    const { json } = await films.get(`${TASKS}?page_size=1`);
    expect(json).toMatchObject({ page_no: 1, page_size: 1, data: [{ task_id: other, status: "SUCCEEDED" }] });
    expect(json["total_page"]).toBe(json["total"]);
  });
});

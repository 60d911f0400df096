import { describe, expect, it } from "vitest";
import { decoded } from "../images/decoded.ts";
import { readFilm } from "./mp4-reader.ts";
import { useFilms, within, type HttpResponse, type Json } from "./running-films.ts";

const films = useFilms();
const TASKS = "/ark/api/v3/contents/generations/tasks";
const OLDER = "doubao-seedance-1-0-pro-250528";
const NEWER = "doubao-seedance-2-0-260128";
const MODEL = "doubao-seedance-1-5-pro-251215";
const url = "https://example.com/a.png";
const text = (prompt: string): object => ({ type: "text", text: prompt });
const image = (role?: string): object => ({ type: "image_url", image_url: { url }, ...(role && { role }) });

const submit = (content: unknown, fields: object = {}): Promise<HttpResponse> =>
  films.post(TASKS, { model: MODEL, content, ...fields });
const task = async (id: string): Promise<Json> => (await films.get(`${TASKS}/${id}`)).json;

async function idOf(response: Promise<HttpResponse>): Promise<string> {
  const { status, json } = await response;
  expect(status, JSON.stringify(json)).toBe(200);
  return String(json["id"]);
}

async function finished(response: Promise<HttpResponse>): Promise<Json> {
  const id = await idOf(response);
  films.now += 3_000;
  return task(id);
}

describe("a submission to Ark", () => {
  it("is answered with an id, and nothing else", async () => {
    const { status, json } = await submit([text("a kitten")]);
    expect([status, json]).toEqual([200, { id: expect.stringMatching(/^cgt-[\w-]{20,170}$/) as string }]);
  });

  it.each([
    [[text("x")], { resolution: "999p" }, "InvalidParameter"],
    [[text("x")], { ratio: "5:4" }, "InvalidParameter"],
    [[{ type: "image_url", image_url: { url: "a.png" } }], {}, "InvalidURL"],
  ])("is refused with %j and %j", async (content, fields, code) => {
    const { status, json } = await submit(content, fields);
    expect([status, json["error"]]).toMatchObject([400, { code, type: "BadRequest" }]);
  });

  it.each(["doubao-seedance-9", "gpt-5"])("is refused for the model %s", async (model) => {
    const { status, json } = await submit([text("x")], { model });
    expect([status, json["error"]]).toMatchObject([404, { code: "InvalidEndpointOrModel.NotFound", type: "NotFound" }]);
  });

  it.each([
    [429, "ModelAccountRpmRateLimitExceeded"],
    [500, "InternalServiceError"],
  ])("fails with %d when its prompt asks for it, and makes no task", async (status, code) => {
    const before = (await films.get(TASKS)).json["total"];
    const response = await submit([text(`sandbox:error=${status}`)]);
    expect([response.status, response.json["error"]]).toMatchObject([status, { code }]);
    await expect(submit([text("sandbox:cut")])).rejects.toThrow("fetch failed");
    expect((await films.get(TASKS)).json["total"]).toBe(before);
  });
});

describe("a task at Ark", () => {
  it("is queued for a second, runs for two and is done", async () => {
    const id = await idOf(submit([text("a kitten")], { resolution: "720p", seed: 10, return_last_frame: true }));
    const startedAt = Math.floor(films.now / 1_000);
    expect(await task(id)).toMatchObject({
      id,
      model: MODEL,
      status: "queued",
      created_at: startedAt,
      updated_at: startedAt,
    });
    films.now += 1_000;
    expect(await task(id)).toMatchObject({ status: "running", updated_at: startedAt + 1 });
    films.now += 2_000;
    const done = await task(id);
    const address = (type: string): string =>
      expect.stringMatching(
        new RegExp(`^http://127\\.0\\.0\\.1:\\d+/ark/results/(videos|images)/.*\\.${type}$`),
      ) as string;
    expect(done).toEqual({
      id,
      model: MODEL,
      status: "succeeded",
      error: null,
      content: { video_url: address("mp4"), last_frame_url: address("png") },
      usage: { completion_tokens: 108_900, total_tokens: 108_900 },
      created_at: startedAt,
      updated_at: startedAt + 3,
      seed: 10,
      resolution: "720p",
      ratio: "16:9",
      duration: 5,
      framespersecond: 24,
    });
    const film = readFilm((await films.file(within(done, "content", "video_url"))).bytes);
    expect([film.width, film.height, film.seconds]).toEqual([1_280, 720, 5]);
    const last = await films.file(within(done, "content", "last_frame_url"));
    expect(last.headers.get("content-type")).toBe("image/png");
    expect(await decoded(last.bytes)).toMatchObject({ width: 1_280, height: 720 });
  });

  it.each<[string, readonly unknown[], object, Json, readonly [number, number, number]]>([
    [
      MODEL,
      [image()],
      { ratio: "adaptive", duration: 4 },
      { resolution: "720p", ratio: "16:9", duration: 4 },
      [1280, 720, 4],
    ],
    [MODEL, [text("x")], { resolution: "480p", duration: -1 }, { resolution: "480p", duration: 5 }, [832, 480, 5]],
    [
      OLDER,
      [text("x")],
      { resolution: "1080p" },
      { resolution: "1080p", usage: { completion_tokens: 246_840, total_tokens: 246_840 } },
      [1920, 1080, 5],
    ],
    [OLDER, [text("x")], { frames: 29, resolution: "480p" }, { frames: 29 }, [832, 480, 29 / 24]],
    [
      OLDER,
      [text("a fox --rs 480p --rt 1:1 --dur 2 --seed 7")],
      {},
      { resolution: "480p", ratio: "1:1", duration: 2, seed: 7 },
      [624, 624, 2],
    ],
    [
      NEWER,
      [text("x"), image("first_frame"), image("last_frame")],
      { ratio: "21:9", duration: 15, seed: 4_294_967_295 },
      { ratio: "21:9", duration: 15, seed: 4_294_967_295 },
      [1472, 624, 15],
    ],
    [
      NEWER,
      [text("x")],
      { resolution: "4k", ratio: "9:16", duration: 4 },
      { resolution: "4k", ratio: "9:16" },
      [2160, 3840, 4],
    ],
  ])("of %s with %j and %j is reported and filmed as asked", async (model, content, fields, reported, size) => {
    const done = await finished(submit(content, { model, ...fields }));
    expect(done).toMatchObject({ status: "succeeded", model, ...reported });
    expect(within(done, "content", "last_frame_url")).toBeUndefined();
    const film = readFilm((await films.file(within(done, "content", "video_url"))).bytes);
    expect([film.width, film.height, film.seconds]).toEqual(size);
  });

  it("fails inside a response that says 200", async () => {
    expect(await finished(submit([text("sandbox:fail")]))).toMatchObject({
      status: "failed",
      error: { code: "InternalServiceError", message: expect.any(String) as string },
    });
  });

  it("chooses the same seed for the same request", async () => {
    const [one, two, other] = [
      await finished(submit([text("the same")])),
      await finished(submit([text("the same")], {})),
      await finished(submit([text("the same")], { seed: 5 })),
    ];
    expect(two["id"]).not.toBe(one["id"]);
    expect([two["seed"], within(two, "content", "video_url")]).toEqual([
      one["seed"],
      within(one, "content", "video_url"),
    ]);
    expect(within(other, "content", "video_url")).not.toBe(within(one, "content", "video_url"));
  });

  it("that was never given is 404, as is one after seven days", async () => {
    const id = await idOf(submit([text("x")]));
    for (const never of ["cgt-20250622134237-plkgw", `${id.slice(0, 4)}2${id.slice(4, -1)}`]) {
      const { status, json } = await films.get(`${TASKS}/${never}`);
      expect([status, json["error"]]).toMatchObject([404, { type: "NotFound" }]);
    }
    films.now += 7 * 86_400_000 + 1;
    expect((await films.get(`${TASKS}/${id}`)).status).toBe(404);
  });

  it("is taken back while it is queued, and kept afterwards", async () => {
    const remove = async (id: string): Promise<HttpResponse> => films.ask("DELETE", `${TASKS}/${id}`);
    const id = await idOf(submit([text("x")]));
    expect(await remove(id)).toMatchObject({ status: 200, json: {} });
    films.now += 9_000;
    expect(await task(id)).toMatchObject({ status: "cancelled" });
    const other = await idOf(submit([text("x")]));
    films.now += 1_500;
    expect(await remove(other)).toMatchObject({
      status: 403,
      json: { error: { code: "OperationDenied.InvalidState" } },
    });
    films.now += 1_500;
    expect((await remove(other)).status).toBe(200);
    expect(await task(other)).toMatchObject({ status: "succeeded" });
  });

  it("is listed by what is asked for, newest first, page by page", async () => {
    await films.restart();
    const [one, two] = [await idOf(submit([text("x")])), await idOf(submit([text("sandbox:fail")]))];
    const three = await idOf(submit([text("x")], { model: NEWER }));
    films.now += 3_000;
    const listed = async (query: string): Promise<unknown> => {
      const { items, total } = (await films.get(`${TASKS}?${query}`)).json;
      return [(items as Json[]).map(({ id }) => id), total];
    };
    expect(await listed("")).toEqual([[three, two, one], 3]);
    expect(await listed("page_size=1&page_num=2")).toEqual([[two], 3]);
    expect(await listed(`filter.model=${MODEL}`)).toEqual([[two, one], 2]);
    expect(await listed(`filter.task_ids=${one}&filter.task_ids=${three}`)).toEqual([[one, three], 2]);
  });
});

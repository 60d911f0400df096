import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { readFilm } from "./mp4-reader.ts";
import { useFilms, within, type HttpResponse, type Json } from "./running-films.ts";

const films = useFilms();
const VIDEOS = "/openai/v1/videos";

const submit = (body: object): Promise<HttpResponse> => films.post(VIDEOS, body);

async function idOf(response: Promise<HttpResponse>): Promise<string> {
  const { status, json } = await response;
  expect(status, JSON.stringify(json)).toBe(200);
  return String(json["id"]);
}

function form(fields: Readonly<Record<string, string | Blob>>): FormData {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  return body;
}

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe("a submission to OpenAI", () => {
  it("is answered with the queued video", async () => {
    const { status, json } = await submit({ prompt: "a fox", model: "sora-2", seconds: "8", size: "1280x720" });
    expect([status, json]).toEqual([
      200,
      {
        id: expect.stringMatching(/^video_[\w-]+$/) as string,
        object: "video",
        model: "sora-2",
        status: "queued",
        progress: 0,
        created_at: Math.floor(films.now / 1_000),
        completed_at: null,
        expires_at: null,
        size: "1280x720",
        seconds: "8",
        remixed_from_video_id: null,
        error: null,
      },
    ]);
  });

  it("takes a form with a picture, and says the same of the same one", async () => {
    const fields = {
      model: "sora-2",
      prompt: "a fox",
      seconds: "4",
      input_reference: new Blob([PIXEL], { type: "image/png" }),
    };
    const [one, two] = [await submit(form(fields)), await submit(form(fields))];
    expect(one.json).toMatchObject({ model: "sora-2", size: "720x1280", seconds: "4" });
    films.now += 3_000;
    const [first, second] = await Promise.all(
      [one, two].map(({ json }) => films.get(`${VIDEOS}/${String(json["id"])}/content`)),
    );
    expect(second?.bytes.equals(first?.bytes ?? Buffer.alloc(0))).toBe(true);
  });

  it.each<[string, object, number, string]>([
    ["another model", { prompt: "x", model: "sora-9" }, 404, "model"],
    ["a model that makes no videos", { prompt: "x", model: "gpt-5" }, 404, "model"],
    ["a size of which there is no film", { prompt: "x", model: "sora-2", size: "640x480" }, 400, "size"],
  ])("is refused with %s", async (_name, body, status, param) => {
    const response = await submit(body);
    expect([response.status, response.json["error"]]).toMatchObject([status, { param, type: "invalid_request_error" }]);
  });

  it("fails and breaks off when its prompt asks for it", async () => {
    expect((await submit({ model: "sora-2", prompt: "sandbox:error=503" })).status).toBe(503);
    await expect(submit({ model: "sora-2", prompt: "sandbox:cut" })).rejects.toThrow("fetch failed");
  });
});

describe("a video at OpenAI", () => {
  it("is queued, in progress, completed and fetched, by the SDK", async () => {
    const { origin, key } = films;
    const client = new OpenAI({ baseURL: `${origin}/openai/v1`, apiKey: key, maxRetries: 0 });
    const { id } = await client.videos.create({ prompt: "a fox", model: "sora-2", seconds: "4", size: "1280x720" });
    expect(await client.videos.retrieve(id)).toMatchObject({ status: "queued", progress: 0 });
    expect((await films.get(`${VIDEOS}/${id}/content`)).status).toBe(404);
    films.now += 2_000;
    expect(await client.videos.retrieve(id)).toMatchObject({ status: "in_progress", progress: 50 });
    films.now += 1_000;
    const done = await client.videos.retrieve(id);
    expect(done).toMatchObject({ status: "completed", progress: 100, completed_at: Math.floor(films.now / 1_000) });
    const content = await client.videos.downloadContent(id);
    expect(content.headers.get("content-type")).toBe("video/mp4");
    const { width, height, seconds } = readFilm(Buffer.from(await content.arrayBuffer()));
    expect([width, height, seconds]).toEqual([1_280, 720, 4]);
    expect((await client.videos.list({ limit: 1 })).data.map((video) => video.id)).toEqual([id]);
  });

  it("of the larger model has the larger sizes, for a day", async () => {
    const id = await idOf(submit({ prompt: "x", model: "sora-2-pro", size: "1792x1024", seconds: "12" }));
    films.now += 3_000;
    const film = readFilm((await films.get(`${VIDEOS}/${id}/content`)).bytes);
    expect([film.width, film.height, film.seconds]).toEqual([1_792, 1_024, 12]);
    films.now += 86_400_001;
    expect((await films.get(`${VIDEOS}/${id}/content`)).status).toBe(404);
  });

  it("fails as asked", async () => {
    const id = await idOf(submit({ model: "sora-2", prompt: "sandbox:fail sandbox:slow=100" }));
    films.now += 100;
    const { json } = await films.get(`${VIDEOS}/${id}`);
    expect(json).toMatchObject({ status: "failed", completed_at: null, error: { code: "internal_error" } });
    expect((await films.get(`${VIDEOS}/${id}/content`)).status).toBe(404);
  });

  it("that was never given is 404", async () => {
    for (const end of ["", "/content"]) {
      expect((await films.get(`${VIDEOS}/video_68d7512d07848190b3e45da0ecbebcde004da08e1e0678d5${end}`)).status).toBe(
        404,
      );
    }
  });

  it("is listed page by page, the newest first", async () => {
    await films.restart();
    const ids = [];
    for (const prompt of ["a", "b", "c"]) ids.push(await idOf(submit({ model: "sora-2", prompt })));
    const listed = async (query: string): Promise<unknown> => {
      const { data, has_more } = (await films.get(`${VIDEOS}?${query}`)).json;
      return [(data as Json[]).map((video) => video["id"]), has_more];
    };
    expect(await listed("")).toEqual([ids.toReversed(), false]);
    expect(await listed("limit=2")).toEqual([[ids[2], ids[1]], true]);
    expect(await listed(`limit=2&after=${ids[1]}`)).toEqual([[ids[0]], false]);
  });

  it("is made by compatible servers of any model that makes them", async () => {
    const body = { prompt: "x", model: "wan2.7-t2v", seconds: "5", size: "1280x720" };
    const { json } = await films.post("/openai-compatible/v1/videos", body);
    expect(json).toMatchObject({ status: "queued", model: "wan2.7-t2v", seconds: "5" });
    expect(within((await films.get(`/openai-compatible/v1/videos/${String(json["id"])}`)).json, "id")).toBe(json["id"]);
  });
});

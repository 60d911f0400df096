import { describe, expect, it } from "vitest";
import { readFilm } from "./mp4-reader.ts";
import { useFilms, within, type HttpResponse } from "./running-films.ts";

const films = useFilms();
const VIDEOS = "/xai/v1/videos";
const MODEL = "grok-imagine-video";
const url = "https://example.com/a.png";

const submit = (fields: object, operation = "generations"): Promise<HttpResponse> =>
  films.post(`${VIDEOS}/${operation}`, { model: MODEL, ...fields });

async function idOf(response: Promise<HttpResponse>): Promise<string> {
  const { status, json } = await response;
  expect(status, JSON.stringify(json)).toBe(200);
  return String(json["request_id"]);
}

const task = (id: string): Promise<HttpResponse> => films.get(`${VIDEOS}/${id}`);

describe("a submission to xAI", () => {
  it("is answered with a request id and nothing else", async () => {
    const { status, json } = await submit({ prompt: "a fox" });
    expect([status, json]).toEqual([200, { request_id: expect.any(String) as string }]);
  });

  it.each([
    ["another model", { prompt: "x", model: "grok-9" }, 404],
    ["a picture from nowhere", { prompt: "x", image: { url: "a.png" } }, 400],
    ["another ratio", { prompt: "x", aspect_ratio: "5:4" }, 400],
    ["a resolution of which there is no film", { prompt: "x", resolution: "999p" }, 400],
  ])("is refused with %s", async (_name, fields, status) => {
    const response = await submit(fields);
    expect([response.status, response.json]).toEqual([
      status,
      { code: expect.any(String) as string, error: expect.any(String) as string },
    ]);
  });

  it("fails and breaks off when its prompt asks for it", async () => {
    expect((await submit({ prompt: "sandbox:error=429" })).status).toBe(429);
    await expect(submit({ prompt: "sandbox:cut" })).rejects.toThrow("fetch failed");
  });
});

describe("a request at xAI", () => {
  it("is pending, at first without a word, then with progress, and done", async () => {
    const id = await idOf(submit({ prompt: "a fox", duration: 6 }));
    const waiting = await task(id);
    expect([waiting.status, waiting.bytes.length]).toEqual([202, 0]);
    films.now += 1_840;
    expect(await task(id)).toMatchObject({ status: 202, json: { status: "pending", progress: 42 } });
    films.now += 1_160;
    const { status, json } = await task(id);
    expect([status, json]).toEqual([
      200,
      {
        status: "done",
        model: MODEL,
        progress: 100,
        video: {
          url: expect.stringContaining(`${films.origin}/xai/results/videos/`) as string,
          duration: 6,
          respect_moderation: true,
        },
        usage: { cost_in_usd_ticks: 3_000_000_000 },
      },
    ]);
  });

  it.each<[string, object, readonly [number, number, number]]>([
    ["generations", {}, [832, 480, 6]],
    ["generations", { resolution: "720p", aspect_ratio: "2:3", duration: 15, image: { url } }, [768, 1152, 15]],
    ["generations", { aspect_ratio: "1:1", duration: 1, reference_images: [{ url }] }, [624, 624, 1]],
    ["edits", { video: { url } }, [832, 480, 6]],
    ["extensions", { video: { url }, duration: 3 }, [832, 480, 3]],
  ])("by %s with %j is filmed as asked", async (operation, fields, size) => {
    const id = await idOf(submit({ prompt: "x", ...fields }, operation));
    films.now += 3_000;
    const file = await films.file(within((await task(id)).json, "video", "url"));
    const { width, height, seconds } = readFilm(file.bytes);
    expect([width, height, seconds]).toEqual(size);
  });

  it("fails inside a response that says 200", async () => {
    const id = await idOf(submit({ prompt: "sandbox:fail" }));
    films.now += 3_000;
    expect(await task(id)).toMatchObject({
      status: 200,
      json: { status: "failed", error: { code: "internal_error", message: expect.any(String) as string } },
    });
  });

  it("that was never given is 404", async () => {
    const { status, json } = await task("d97415a1-0000-4000-8000-000000000000");
    expect([status, json]).toMatchObject([404, { error: expect.any(String) as string }]);
  });
});

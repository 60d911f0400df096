import { describe, expect, it } from "vitest";
import { useFilms } from "./running-films.ts";
import { SYNTHESIS, TASKS, UUID, WanClient } from "./wan-client.ts";

const films = useFilms();
const wan = new WanClient(films);

describe("a submission to DashScope", () => {
  it("is answered with an id and PENDING, and nothing else", async () => {
    const { status, json } = await wan.t2v("a red fox");
    expect([status, json]).toEqual([
      200,
      {
        output: { task_status: "PENDING", task_id: expect.any(String) as string },
        request_id: expect.stringMatching(UUID) as string,
      },
    ]);
  });

  it("is refused unless it asks for a task", async () => {
    const { status, json } = await films.post(SYNTHESIS, { model: "wan2.7-t2v", input: { prompt: "a fox" } });
    expect([status, json]).toEqual([
      403,
      {
        code: "AccessDenied",
        message: "current user api does not support synchronous calls",
        request_id: expect.stringMatching(UUID) as string,
      },
    ]);
  });

  it("is refused with a size of which there is no film", async () => {
    const { status, json } = await wan.submit("wan2.6-t2v", { prompt: "x" }, { size: "1281*720" });
    expect([status, json]).toMatchObject([
      400,
      { code: "InvalidParameter", request_id: expect.stringMatching(UUID) as string },
    ]);
  });

  it.each([
    ["wan2.6-i2v", { img_url: "a.png" }],
    ["wan2.7-i2v", { media: [{ type: "first_frame", url: "nonsense" }] }],
    ["wan2.6-r2v", { reference_urls: ["https://example.com/a.mp4", "b"] }],
  ])("is refused for %s with what is no address: %j", async (model, input) => {
    const { status, json } = await wan.submit(model, { prompt: "x", ...input });
    expect([status, json]).toMatchObject([400, { code: "InvalidURL" }]);
  });

  it.each(["wan9.9-t2v", "gpt-5"])("is refused for the model %s", async (model) => {
    const { status, json } = await wan.submit(model, { prompt: "x" });
    expect([status, json]).toMatchObject([404, { code: "ModelNotFound" }]);
  });

  it.each([
    [429, "Throttling.RateQuota"],
    [402, "Arrearage"],
    [503, "ServiceUnavailable"],
  ])("fails with %d when its prompt asks for it, and makes no task", async (status, code) => {
    const before = (await films.get(`${TASKS}/`)).json["total"];
    const response = await wan.t2v(`sandbox:error=${status} sandbox:fail`);
    expect([response.status, response.json["code"]]).toEqual([status, code]);
    expect((await films.get(`${TASKS}/`)).json["total"]).toBe(before);
  });

  it("breaks off when its prompt asks for it, and makes no task", async () => {
    const before = (await films.get(`${TASKS}/`)).json["total"];
    await expect(wan.t2v("sandbox:cut")).rejects.toThrow("fetch failed");
    expect((await films.get(`${TASKS}/`)).json["total"]).toBe(before);
  });
});

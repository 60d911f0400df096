import { afterEach, describe, expect, it } from "vitest";
import { until } from "../../../support/running-gateway.ts";
import { T2V, VideoStage } from "../../../support/video-acts.ts";

/** Answers to submissions of which nobody can tell whether a task came of them. */
let stage: VideoStage;
afterEach(() => stage.close());

it.each([10, 60])(
  "an answer that says 200 and breaks off after %i bytes is no refusal: the task is found",
  async (bytes) => {
    stage = await VideoStage.open();
    const { vendor } = stage;
    vendor.fault("submit", { do: "cut", bytes });
    const task = await stage.submit();
    expect(task.status).toBe("unknown");
    expect((await stage.over(task.id)).status).toBe("succeeded");
    expect(vendor.count("submit")).toBe(1);
  },
);

it.each<[string, unknown]>([
  ["half of its JSON", '{"output":{"task_st'],
  ["no id", { request_id: "r", output: { task_status: "PENDING" } }],
  ["a list", []],
  ["nothing", undefined],
])("an answer that says 200 and holds %s is no refusal either", async (_name, body) => {
  stage = await VideoStage.open();
  const { vendor } = stage;
  vendor.fault("submit", { do: "answer", status: 200, body, after: true });
  const task = await stage.submit();
  expect(task.status).toBe("unknown");
  expect((await stage.over(task.id)).status).toBe("succeeded");
  expect(vendor.count("submit")).toBe(1);
});

it("a page in place of an answer is a wrong address, and no task", async () => {
  stage = await VideoStage.open();
  const headers = { "content-type": "text/html; charset=utf-8" };
  stage.vendor.fault("submit", { do: "answer", status: 200, body: "<html>", headers });
  const response = await stage.gateway.post("/videos/generations", T2V);
  expect(response.status).toBe(502);
  expect(response.headers.get("x-should-retry")).toBe("false");
  expect(await (await stage.get("/videos/generations")).json()).toMatchObject({ data: [] });
});

describe("a status", () => {
  it.each([500, 502, 504])(
    "%i may have come after the vendor had taken the task: SDKs do not send it again",
    async (status) => {
      stage = await VideoStage.open();
      stage.vendor.fault("submit", { do: "answer", status, body: { code: "InternalError", message: "oops" } });
      await expect(stage.gateway.sdk().post("/videos/generations", { body: T2V, maxRetries: 2 })).rejects.toMatchObject(
        { status: expect.any(Number) },
      );
      expect(stage.vendor.count("submit")).toBe(1);
    },
  );

  it.each([429, 503])("%i is a refusal, which SDKs may try again", async (status) => {
    stage = await VideoStage.open();
    const body = { code: status === 429 ? "Throttling" : "ServiceUnavailable", message: "too fast" };
    stage.vendor.fault("submit", { do: "answer", status, body, headers: { "retry-after": "0" } });
    const response = await stage.gateway.post("/videos/generations", T2V);
    expect(response.status).toBe(status);
    expect(response.headers.get("x-should-retry")).not.toBe("false");
  });
});

it("a task that is lost is looked for in the account of the key that was asked last", async () => {
  // Slower than elsewhere: for the time of the test the refused key has to be left alone.
  const env = { POSTERN_DASHSCOPE_API_KEY: "first-vendor-key,second-vendor-key" };
  stage = await VideoStage.open({ env }, 20);
  const { vendor } = stage;
  vendor.fault("submit", { do: "answer", status: 401, body: { code: "InvalidApiKey", message: "no" } }, null);
  vendor.fault("submit", { do: "drop", after: true });
  const taken = await stage.submit();
  expect(vendor.last.key).toBe("second-vendor-key");
  // The first key is left alone by now; it is the second one's account that has the lost task.
  const lost = await stage.submit();
  expect(lost.status).toBe("unknown");
  expect(vendor.last.key).toBe("second-vendor-key");
  await until(() => vendor.seen.some(({ operation }) => operation === "list"));
  expect(vendor.seen.filter(({ operation }) => operation === "list").map(({ key }) => key)).toEqual([
    "second-vendor-key",
  ]);
  for (const { id } of [taken, lost]) expect((await stage.over(id)).status).toBe("succeeded");
});

import { afterEach, expect, it } from "vitest";
import { until } from "../../../support/running-gateway.ts";
import { T2V, VideoStage } from "../../../support/video-acts.ts";
import type { Fault } from "../../../support/video-provider.ts";

/** Answers to submissions of which no one can tell whether a task came of them. */
let stage: VideoStage;
afterEach(() => stage.close());

const PAGE = { body: "<html>Bad gateway</html>", headers: { "content-type": "text/html; charset=utf-8" } };
const own = (code: string) => ({ body: { code, message: "oops", request_id: "r" } });

type Words = Pick<Fault & { do: "answer" }, "body" | "headers">;

/** What may have been said after the task was taken: by the provider itself, or by something that stands before it. */
const DOUBTFUL: readonly [string, number, Words][] = [
  ["500 of the provider", 500, own("InternalError")],
  ["502 of a proxy", 502, PAGE],
  ["503 of a proxy", 503, PAGE],
  ["503 of a gateway in JSON", 503, { body: { message: "Service Unavailable" } }],
  ["503 whose code is the status", 503, { body: { error: { code: 503, message: "unavailable" } } }],
  ["504 of the provider", 504, own("InternalError.Timeout")],
  ["504 without a body", 504, {}],
  ["408", 408, PAGE],
  ["520 of a proxy", 520, PAGE],
  ["524 of a proxy", 524, PAGE],
  ["529 of a proxy", 529, PAGE],
  ["200 with a server error inside", 200, own("InternalError")],
  ["200 with a page", 200, PAGE],
  ["200 with half of its JSON", 200, { body: '{"output":{"task_st' }],
  ["200 without an id", 200, { body: { request_id: "r", output: { task_status: "PENDING" } } }],
  ["200 with a list", 200, { body: [] }],
  ["200 with nothing", 200, { body: undefined }],
];

it.each(DOUBTFUL)("after %s the task is looked for and found, made and billed once", async (_name, status, words) => {
  stage = await VideoStage.open();
  stage.provider.fault("submit", { do: "answer", status, ...words, after: true });
  const task = await stage.submit();
  expect(task.status).toBe("unknown");
  expect((await stage.over(task.id)).status).toBe("succeeded");
  expect(stage.provider.count("submit")).toBe(1);
  await until(async () => (await stage.gateway.receipts()).length > 0);
  expect(await stage.gateway.receipts()).toMatchObject([{ outcome: "completed", estimated: false }]);
});

it.each([10, 60])(
  "an answer that says 200 and breaks off after %i bytes is no refusal: the task is found",
  async (bytes) => {
    stage = await VideoStage.open();
    const { provider } = stage;
    provider.fault("submit", { do: "cut", bytes });
    const task = await stage.submit();
    expect(task.status).toBe("unknown");
    expect((await stage.over(task.id)).status).toBe("succeeded");
    expect(provider.count("submit")).toBe(1);
  },
);

it.each<[string, number, Words]>([
  ["400 of the provider", 400, own("InvalidParameter")],
  ["403 of a proxy", 403, PAGE],
  ["404 of a proxy", 404, PAGE],
  ["413 of a proxy", 413, PAGE],
  ["429 of the provider", 429, own("Throttling")],
  ["500 with a code of the caller's fault", 500, own("InvalidParameter")],
  ["503 in the provider's own words", 503, own("ServiceUnavailable")],
  ["529 in the provider's own words", 529, own("ModelUnavailable")],
  ["200 with a refusal inside", 200, own("InvalidParameter.DataInspection")],
  ["307", 307, { headers: { location: "https://elsewhere.example/" } }],
])("%s is a refusal: there is no task, and nothing is held", async (_name, status, words) => {
  stage = await VideoStage.open();
  stage.provider.fault("submit", { do: "answer", status, ...words });
  const response = await stage.gateway.post("/videos/generations", T2V);
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(await (await stage.get("/videos/generations")).json()).toMatchObject({ data: [] });
  expect(await stage.gateway.receipts()).toMatchObject([{ outcome: "failed", nano: 0 }]);
  expect(stage.provider.count("submit")).toBe(1);
});

it("a provider that cannot be reached has taken nothing", async () => {
  stage = await VideoStage.open();
  const { port } = stage.provider;
  await stage.provider.close();
  const response = await stage.gateway.post("/videos/generations", T2V);
  expect(response.status).toBe(503);
  await stage.provider.listen(port);
  expect(await (await stage.get("/videos/generations")).json()).toMatchObject({ data: [] });
});

it("a task that is lost is looked for in the account of the key that was asked last", async () => {
  const env = { POSTERN_DASHSCOPE_API_KEY: "first-provider-key,second-provider-key" };
  stage = await VideoStage.open({ env });
  const { provider } = stage;
  provider.refusedKey = "first-provider-key";
  provider.fault("submit", null, { do: "drop", after: true });
  const received = await stage.submit();
  expect(provider.last.key).toBe("second-provider-key");
  // The first key is refused or left alone; it is the second one's account that has the lost task.
  const lost = await stage.submit();
  expect(lost.status).toBe("unknown");
  expect(provider.last.key).toBe("second-provider-key");
  await until(() => provider.seen.some(({ operation }) => operation === "list"));
  const requests = provider.seen.filter(({ operation }) => operation === "list").map(({ key }) => key);
  expect(new Set(requests)).toEqual(new Set(["second-provider-key"]));
  for (const { id } of [received, lost]) expect((await stage.over(id)).status).toBe("succeeded");
});

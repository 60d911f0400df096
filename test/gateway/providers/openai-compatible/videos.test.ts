import { describe, expect, it } from "vitest";
import { videos } from "../../../../gateway/providers/openai-compatible/videos.ts";
import { videoCall } from "../dialect-call.ts";

const ID = "video_68d7512d07848190b3e45da0ecbebcde004da08e1e0678d5";

/** docs/providers/openai.md#videos */
const TASK = {
  id: ID,
  object: "video",
  model: "sora-2",
  status: "queued",
  progress: 0,
  created_at: 1_758_941_485,
  completed_at: null,
  expires_at: null,
  prompt: "A cat",
  size: "1280x720",
  seconds: "8",
  remixed_from_video_id: null,
  error: null,
};
const RESULT = { url: null, lastFrameUrl: null, seconds: 8, resolution: null, seed: null, usage: {} };

const BODY = { prompt: 'A "cat"\r\nruns', seconds: "8", size: "1280x720" };

describe("the submission", () => {
  it.each([
    BODY,
    { ...BODY, input_reference: { image_url: "https://example.com/a.png" } },
    { ...BODY, input_reference: { file_id: "file-1" }, seed: 0, loop: false, extra: null },
    { ...BODY, input_reference: "data:image/png,plain" },
    { ...BODY, input_reference: "data:" },
  ])("is JSON: %j", (body) => {
    const wire = videos.toRequest(videoCall("sora-2", body), "sk-1");
    expect(wire).toMatchObject({
      method: "POST",
      path: "/videos",
      headers: { authorization: "Bearer sk-1", "content-type": "application/json" },
    });
    expect(JSON.parse(String(wire.body))).toEqual({ ...body, model: "sora-2" });
  });

  it("names a picture's address in an object, as OpenAI's JSON has it", () => {
    const body = { ...BODY, input_reference: "https://example.com/a.png" };
    const wire = videos.toRequest(videoCall("sora-2", body), "sk-1");
    expect(JSON.parse(String(wire.body))).toEqual({
      ...body,
      model: "sora-2",
      input_reference: { image_url: "https://example.com/a.png" },
    });
  });

  it.each(["image/png", "image/jpeg", "image/svg+xml", "video/mp4"])(
    "is a form where a picture came inside it: %s",
    async (type) => {
      const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
      const input_reference = `data:${type};base64,${bytes.toString("base64")}`;
      const wire = videos.toRequest(
        videoCall("sora-2", { ...BODY, seed: 0, loop: false, none: null, 'a"b': "c", input_reference }),
        "sk-1",
      );
      const sent = new Response(new Uint8Array(Buffer.concat(wire.body as readonly Buffer[])), {
        headers: { "content-type": wire.headers["content-type"] ?? "" },
      });
      const form = await sent.formData();
      const [file, ...others] = form.getAll("input_reference");
      expect(others).toEqual([]);
      form.delete("input_reference");
      expect(Object.fromEntries(form)).toEqual({ ...BODY, model: "sora-2", seed: "0", loop: "false", 'a"b': "c" });
      if (!(file instanceof File)) throw new Error("it is no file");
      expect(file.type).toBe(type);
      expect(file.name).toBe(`input_reference.${type.split("/")[1] ?? ""}`);
      expect(Buffer.from(await file.arrayBuffer())).toEqual(bytes);
      expect(wire.headers["authorization"]).toBe("Bearer sk-1");
    },
  );

  it("lets no media type write headers", () => {
    const input_reference = 'data:image/png"\r\nX-Evil: 1;base64,AAAA';
    const wire = videos.toRequest(videoCall("sora-2", { ...BODY, input_reference }), "sk-1");
    expect(JSON.parse(String(wire.body))).toMatchObject({ input_reference });
  });

  it("is answered with the task", () => {
    expect(videos.fromResponse(TASK)).toEqual({ id: ID });
    expect(videos.fromResponse({ task_id: "task_1", status: "queued" })).toEqual({ id: "task_1" });
    for (const body of [null, {}, { id: null }, { id: "" }]) expect(videos.fromResponse(body)).toBeNull();
  });
});

/** OpenAI's words first, then those of other servers (docs/providers/openai.md#videos). */
it.each([
  [{ status: "queued" }, { state: "queued", progress: 0 }],
  [
    { status: "in_progress", progress: 42 },
    { state: "running", progress: 42 },
  ],
  [
    { status: "in_progress", progress: null },
    { state: "running", progress: null },
  ],
  [{ status: "completed" }, { state: "succeeded", result: RESULT }],
  [
    { status: "completed", seconds: 8 },
    { state: "succeeded", result: RESULT },
  ],
  [
    { status: "completed", seconds: null },
    { state: "succeeded", result: { ...RESULT, seconds: null } },
  ],
  [{ status: "pending" }, { state: "queued", progress: 0 }],
  [
    { status: "running", progress: "42%" },
    { state: "running", progress: 42 },
  ],
  [
    { status: "processing", progress: 30 },
    { state: "running", progress: 30 },
  ],
  [
    { status: "succeeded", usage: { total_tokens: 5 } },
    { state: "succeeded", result: { ...RESULT, usage: { total_tokens: 5 } } },
  ],
  [{ status: "cancelled" }, { state: "cancelled" }],
  [{ status: "expired" }, { state: "expired" }],
])("%j is %j", (changes, state) => {
  expect(videos.toState(200, { ...TASK, ...changes })).toEqual(state);
});

it("is a failure in the provider's words", () => {
  const error = { code: "moderation_blocked", message: "The request was blocked." };
  expect(videos.toState(200, { ...TASK, status: "failed", error })).toEqual({ state: "failed", ...error });
  expect(videos.toState(200, { ...TASK, status: "failed" })).toMatchObject({ state: "failed", code: "failed" });
  expect(videos.toState(200, { ...TASK, status: "failed", error: "No." })).toMatchObject({ message: "No." });
});

it("does not know a task in its own envelope only", () => {
  const error = { message: "Video not found.", type: "invalid_request_error", param: null, code: null };
  expect(videos.toState(404, { error })).toEqual({ state: "absent" });
  for (const body of [undefined, { detail: "Not Found" }]) expect(videos.toState(404, body)).toBeNull();
});

it.each([undefined, null, [], "x", {}, { status: 5 }])("%j says nothing of a task", (body) => {
  expect(videos.toState(200, body)).toBeNull();
});

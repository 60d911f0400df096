import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { providers } from "../../../gateway/providers/registry.ts";
import type { VideosAdapter } from "../../../gateway/providers/videos.ts";

/** Whatever a provider says, it is read without a throw; and what is over never looks as if it went on. */

type VideoProviderId = "dashscope" | "ark" | "xai" | "openai" | "openai-compatible";

/** Words for what is over, and where they stand. */
const TERMINAL: Readonly<Record<VideoProviderId, readonly string[]>> = {
  dashscope: ["SUCCEEDED", "FAILED", "CANCELED", "UNKNOWN"],
  ark: ["succeeded", "failed", "cancelled", "canceled", "expired"],
  xai: ["done", "failed", "expired"],
  openai: ["completed", "failed"],
  "openai-compatible": ["completed", "succeeded", "failed", "cancelled", "expired"],
};

const inAnyCase = (word: string): readonly string[] => [word, word.toUpperCase(), word.toLowerCase()];

const anything = fc.jsonValue();
/** The fields of all these providers, with anything in them: a body that gets past the first look. */
const fields = fc.record(
  {
    status: anything,
    progress: anything,
    video: fc.oneof(anything, fc.record({ url: anything, duration: anything, respect_moderation: anything })),
    content: fc.oneof(anything, fc.record({ video_url: anything, last_frame_url: anything })),
    error: fc.oneof(anything, fc.record({ code: anything, message: anything })),
    usage: fc.oneof(anything, fc.record({ duration: anything, SR: anything, video_duration: anything })),
    code: anything,
    message: anything,
    duration: anything,
    frames: anything,
    framespersecond: anything,
    seconds: anything,
    seed: anything,
    resolution: anything,
    id: anything,
    task_id: anything,
    request_id: anything,
    items: fc.oneof(anything, fc.array(fc.record({ id: fc.oneof(fc.string(), anything), created_at: anything }))),
    data: fc.oneof(
      anything,
      fc.array(fc.record({ task_id: fc.string(), gmt_create: fc.oneof(fc.string(), anything) })),
    ),
    total_page: anything,
    page_no: anything,
    total: anything,
  },
  { requiredKeys: [] },
);
const output = fc.record(
  {
    task_status: anything,
    task_id: anything,
    video_url: anything,
    code: anything,
    message: anything,
    results: anything,
  },
  { requiredKeys: [] },
);
const wrapped = fc.tuple(fields, output).map(([outer, output]) => ({ ...outer, output }));
const status = fc.constantFrom(200, 201, 202, 404);

function adapterOf(id: VideoProviderId): VideosAdapter {
  const { videos } = providers[id];
  if (videos === null) throw new Error(`${id} makes no videos`);
  return videos;
}

describe.each(Object.keys(TERMINAL) as VideoProviderId[])("%s", (id) => {
  const adapter = adapterOf(id);

  it("reads any JSON without a throw, and money and addresses from it only where they make sense", () => {
    fc.assert(
      fc.property(status, fc.oneof(fc.constant(undefined), anything, fields, wrapped), (http, body) => {
        const message = adapter.toState(http, body);
        if (message?.state === "failed") {
          expect(message.code).not.toBe("");
          expect(message.message).not.toBe("");
        }
        if (message?.state === "queued" || message?.state === "running") {
          expect(message.progress ?? 0).toBeGreaterThanOrEqual(0);
          expect(message.progress ?? 0).toBeLessThanOrEqual(100);
        }
        if (message?.state !== "succeeded") return;
        const { url, seconds, resolution } = message.result;
        expect(url === null).toBe(adapter.toContentRequest !== null);
        expect(url).not.toBe("");
        expect(seconds ?? 1).toBeGreaterThan(0);
        expect(seconds ?? 1).toBeLessThanOrEqual(3_600);
        expect(resolution ?? "720p").toMatch(/^(\d{3,4}p|\dk)$/);
      }),
    );
  });

  it("never takes a task that is over for one that goes on", () => {
    fc.assert(
      fc.property(status, wrapped, fc.constantFrom(...TERMINAL[id].flatMap(inAnyCase)), (http, body, word) => {
        const over =
          id === "dashscope" ? { ...body, output: { ...body.output, task_status: word } } : { ...body, status: word };
        const message = adapter.toState(id === "dashscope" || http !== 404 ? http : 200, over);
        expect(["succeeded", "failed", "cancelled", "expired", "absent"]).toContain(message?.state);
      }),
    );
  });

  it("makes requests of every id that it reads, each of which stays within one segment of the path", () => {
    const ids = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("..", ".", "a/../../b", "%2e%2e", "a?b#c"));
    fc.assert(
      fc.property(fc.oneof(ids, anything), (value) => {
        const operation = adapter.fromResponse({ output: { task_id: value }, id: value, request_id: value });
        if (operation === null) return;
        expect(operation.id).toBe(value);
        const base = adapter.toStatusRequest({ id: "x" }, null).path;
        const { path } = adapter.toStatusRequest(operation, null);
        const seen = new URL(path, "http://provider.example").pathname;
        expect(seen.split("/")).toHaveLength(base.split("/").length);
        expect(seen.startsWith(base.slice(0, -1))).toBe(true);
        expect(path).not.toMatch(/[?#]/);
      }),
    );
  });

  it("reads any list without a throw", () => {
    fc.assert(
      fc.property(fc.oneof(anything, fields), (body) => {
        const query = { upstreamModel: "m", from: 0, to: 1, page: null };
        adapter.batch?.fromResponse(body);
        for (const { createdAt } of adapter.listing?.fromResponse(body, query)?.tasks ?? [])
          expect(createdAt === null || Number.isSafeInteger(createdAt)).toBe(true);
      }),
    );
  });
});

import { afterEach, describe, expect, it } from "vitest";
import type { TaskDetail } from "../../../../gateway/contract/tasks.ts";
import type { VideoTask, VideoTaskList } from "../../../../gateway/contract/videos.ts";
import { until, providersAt } from "../../../support/running-gateway.ts";
import { VideoStage } from "../../../support/video-acts.ts";
import { reply } from "../../../support/wire-provider.ts";
import { useWire } from "../../../support/use-gateway.ts";

/** A provider that names its tasks as it should not. */
const OTHER = "sk-test-another-key-000001";
const FOX = { model: "doubao-seedance-2-0-260128", input: { prompt: "A fox" } } as const;
const TASKS = "/api/v3/contents/generations/tasks";
const wire = useWire();
let stage: VideoStage;
afterEach(async () => {
  await stage.close();
  wire.reset();
});

async function open(): Promise<void> {
  const target = wire.origin.slice("http://".length);
  stage = await VideoStage.open({
    keys: [{ key: OTHER, name: "other" }],
    env: { ...providersAt({ ARK: `${wire.origin}/api/v3` }), POSTERN_ALLOW_TARGETS: target },
  });
  wire.on(`GET ${TASKS}`, reply(500, { error: { message: "no list today" } }));
}

/** The next submissions are answered with these ids. */
const named = (...ids: readonly unknown[]): void => {
  wire.on(`POST ${TASKS}`, ...ids.map((id) => reply(200, { id })));
};
const detailOf = (id: string): Promise<TaskDetail> => stage.gateway.ask<TaskDetail>("GET", `/tasks/${id}`);

describe("a provider that gives two tasks one id", () => {
  it("is believed once: whether it took the other is not known, and no one is charged twice", async () => {
    await open();
    named("cgt-1");
    const tasks = await Promise.all(
      Array.from({ length: 6 }, (_nothing, at) => stage.submit(FOX, at % 2 === 0 ? {} : { key: OTHER })),
    );
    const statuses = tasks.map(({ status }) => status).toSorted();
    expect(statuses).toEqual(["submitted", ...Array.from({ length: 5 }, () => "unknown")]);
    expect(new Set(tasks.map(({ id }) => id)).size).toBe(6);
    wire.on("GET /1.mp4", reply(404, {}));
    const content = { video_url: `${wire.origin}/1.mp4` };
    wire.on(`GET ${TASKS}/cgt-1`, reply(200, { id: "cgt-1", status: "succeeded", content, duration: 5 }));
    await until(async () => (await stage.gateway.receipts()).length === 1);
    // Who walks through a list comes to its end.
    const walked: string[] = [];
    for (let after = ""; walked.length < 20;) {
      const response = await stage.get(`/videos/generations?limit=1${after}`);
      const page = (await response.json()) as VideoTaskList;
      walked.push(...page.data.map(({ id }) => id));
      if (!page.has_more) break;
      after = `&after=${page.last_id}`;
    }
    expect(walked).toHaveLength(3);
  });
});

describe("a provider that names a task as another one is named here", () => {
  it("takes no one's place: each key and the owner read what they asked for, and webhooks are made", async () => {
    await open();
    named("cgt-1", "x");
    const first = await stage.submit({ ...FOX, webhook_url: `${wire.origin}/hook` });
    const ours = (await detailOf(first.id)).id;
    expect(ours).toMatch(/^vt_/);
    named(ours, "cgt-2");
    const thief = await stage.submit({ ...FOX, input: { prompt: "The thief" } }, { key: OTHER });
    const later = await stage.submit({ ...FOX, input: { prompt: "And another" } });
    expect((await detailOf(ours)).full_prompt).toBe("A fox");
    expect((await stage.read(ours)).id).toBe("cgt-1");
    expect((await stage.read(thief.id, OTHER)).id).toBe(thief.id);
    expect((await stage.get(`/videos/generations/cgt-1`, OTHER)).status).toBe(404);
    expect((await stage.read(later.id)).id).toBe("cgt-2");
    wire.on("POST /hook", (_seen, outgoing) => void outgoing.writeHead(204).end());
    wire.on(`GET ${TASKS}/cgt-1`, reply(200, { id: "cgt-1", status: "failed", error: { code: "c", message: "m" } }));
    await until(() => wire.seen.some(({ path }) => path === "/hook"));
    const event = wire.seen.find(({ path }) => path === "/hook")?.json as { data: VideoTask };
    expect(event.data.id).toBe("cgt-1");
  });
});

describe("an invalid id", () => {
  it.each<[string, unknown]>([
    ["a way out of the path", ".."],
    ["a line break", "x\r\nx-injected: 1"],
    ["half a character", "\ud800"],
    ["10,000 characters", "x".repeat(10_000)],
    ["nothing", ""],
    ["a number", 5],
    ["null", null],
    ["an object", { id: "x" }],
    ["a space", "a b"],
    ["other letters", "é".repeat(3)],
  ])("(%s) leads nowhere: whether the provider took the task is not known", async (_name, id) => {
    await open();
    named(id);
    const task = await stage.submit(FOX);
    expect(task).toMatchObject({ status: "unknown", id: expect.stringMatching(/^vt_/) });
    await until(() => wire.seen.some(({ method }) => method === "GET"));
    expect(wire.seen.filter(({ method }) => method === "POST")).toHaveLength(1);
    expect(new Set(wire.seen.map(({ path }) => path))).toEqual(new Set([TASKS]));
  });

  it.each(["../../admin", "a/../../b", "..%2f..%2fadmin", "a?b=c#d", "a\\b", "%00", "cgt-<script>"])(
    "%s leads nowhere else, and is found by the name that its client was informed",
    async (id) => {
      await open();
      named(id);
      const task = await stage.submit(FOX);
      await until(() => wire.seen.some(({ method }) => method === "GET"));
      const requests = wire.seen.filter(({ method }) => method === "GET");
      for (const { path } of requests) expect(path).toBe(`${TASKS}/${encodeURIComponent(id)}`);
      expect((await stage.read(encodeURIComponent(task.id))).id).toBe(task.id);
      expect((await stage.read(encodeURIComponent(id))).id).toBe(task.id);
    },
  );
});

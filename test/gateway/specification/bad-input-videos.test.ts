import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { TaskPage } from "../../../gateway/contract/tasks.ts";
import { field, file, multipart } from "../../support/forms.ts";
import { png } from "../../support/pictures.ts";
import { Poster, type Posted } from "../../support/poster.ts";
import { KEY } from "../../support/running-gateway.ts";
import { VideoStage } from "../../support/video-acts.ts";
import { HOSTILE_TEXTS, hostileBodiesAt } from "./hostile-bodies.ts";
import { OPENAI_VIDEO_BASES, VIDEO_BASES } from "./hostile-videos.ts";
import { thin } from "../../support/dose.ts";

/**
 * Bad input on both endpoints that take orders for videos: refused with a name, or made as it is billed. Time is the
 * machine's own here, so that the many tasks that are accepted stay at rest.
 */

const logged: string[] = [];
const poster = new Poster();
let stage: VideoStage;
beforeAll(async () => {
  stage = await VideoStage.open({ logged }, 1);
});
beforeEach(() => {
  stage.provider.reset();
  stage.provider.plan = ["running"];
});
afterAll(() => {
  poster.close();
  return stage.close();
});

function send(path: string, body: string | Buffer, type = "application/json"): Promise<Posted> {
  const headers = { authorization: `Bearer ${KEY}`, "content-type": type };
  return poster.post(`${stage.gateway.url}/v1${path}`, headers, body);
}

/** What is wrong with a response; null when nothing is. @param before submissions that the provider had seen. */
async function faultIn({ status, text }: Posted, before: number): Promise<string | null> {
  const { provider } = stage;
  const submitted = provider.count("submit") - before;
  if (status === 202 || status === 200)
    return submitted === 1 ? await billedOtherwise() : "taken, and not submitted once";
  if (status < 400 || status > 499) return "an error of ours";
  const { error } = JSON.parse(text) as { error?: { message?: string; type?: string } };
  if (error?.type !== "invalid_request_error" || typeof error.message !== "string") return "no nested envelope";
  // What reached the provider and was refused there is in the provider's words.
  if (submitted === 0) return error.message.length > 1_000 ? "a long message" : null;
  const message = provider.complaints.splice(0).join();
  return message === "" || THEIRS.test(message) ? null : message;
}

/** What is the provider's to refuse: fields that we do not know, and what is inside of its own objects. */
const THEIRS = /: (unknown fields: |a block says no type, or holds nothing of it$|video\.url is missing$)/;

/** What is billed is what the provider read. */
async function billedOtherwise(): Promise<string | null> {
  const [row] = (await stage.gateway.ask<TaskPage>("GET", "/tasks?limit=1")).data;
  const { seconds, resolution, fields } = stage.provider.last.ordered;
  const parameters = (fields["parameters"] ?? {}) as Record<string, unknown>;
  // A video that is changed keeps what it has, and the provider tells the length afterwards.
  if (fields["video"] !== undefined) return null;
  const ordered = fields["frames"] === undefined && fields["duration"] !== -1;
  if (ordered && row?.seconds !== seconds) return `billed ${row?.seconds} s, ordered ${seconds} s`;
  // Sizes that are in no table are the provider's to read.
  const plain = parameters["size"] === undefined && fields["size"] === undefined;
  return !plain || row?.resolution === resolution ? null : `billed at ${row?.resolution}, ordered at ${resolution}`;
}

async function faultsOf(path: string, base: Readonly<Record<string, unknown>>, position: number): Promise<string> {
  const faults: string[] = [];
  for (const body of hostileBodiesAt(position, base)) {
    const before = stage.provider.count("submit");
    stage.provider.complaints.length = 0;
    const response = await send(path, body);
    const found = await faultIn(response, before);
    if (found !== null)
      faults.push(`${found}: ${body.slice(0, 200)} → ${response.status} ${response.text.slice(0, 300)}`);
  }
  return faults.join("\n");
}

const internal = (): string[] => logged.filter((line) => /internal_error|\.ts:\d+/.test(line));

describe.each(VIDEO_BASES.map((one, position) => [...one, position + 1] as const))(
  "POST /v1/videos/generations, %s",
  (_name, base, position) => {
    it("refuses any value in any field with a name, or makes what it bills", { timeout: 300_000 }, async () => {
      expect(await faultsOf("/videos/generations", base, position)).toBe("");
      expect(internal()).toEqual([]);
      expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    });
  },
);

describe.each(OPENAI_VIDEO_BASES.map((one, position) => [...one, position + 1] as const))(
  "POST /v1/videos as JSON, %s",
  (_name, base, position) => {
    it("refuses any value in any field with a name, or makes what it bills", { timeout: 300_000 }, async () => {
      expect(await faultsOf("/videos", base, position)).toBe("");
      expect(internal()).toEqual([]);
    });
  },
);

const FORM_FIELDS = [
  "model",
  "prompt",
  "seconds",
  "size",
  "input_reference",
  "duration",
  "resolution",
  "aspect_ratio",
  "input",
  "parameters",
  "webhook_url",
  "wait",
  "user",
  "input[prompt]",
  "input[media][][url]",
  "input_reference[image_url]",
  "parameters[duration]",
  "parameters[resolution]",
  "parameters[__proto__][polluted]",
];
const FORM_VALUES = [...HOSTILE_TEXTS, '{"__proto__":{"polluted":true}}', '{"prompt":5}', "[[]]", "5", "true"];

describe("POST /v1/videos as a form", () => {
  it.each(FORM_FIELDS)("any value of %s is taken or refused by a name", { timeout: 300_000 }, async (name) => {
    const faults: string[] = [];
    for (const model of ["alpha2.7-t2v", "grok-imagine-video", "sora-2"]) {
      for (const value of thin(FORM_VALUES, 5, FORM_FIELDS.indexOf(name) % 5)) {
        const good = { model, prompt: "A kite.", seconds: model === "sora-2" ? "4" : "5", size: "1280x720" };
        const parts = Object.entries({ ...good, [name]: value }).map(([one, text]) => field(one, text));
        const before = stage.provider.count("submit");
        stage.provider.complaints.length = 0;
        const response = await send("/videos", multipart("b", parts), "multipart/form-data; boundary=b");
        const found = await faultIn(response, before);
        if (found !== null)
          faults.push(`${found}: ${model} ${value.slice(0, 60)} → ${response.status} ${response.text.slice(0, 300)}`);
      }
    }
    expect(faults.join("\n")).toBe("");
    expect(internal()).toEqual([]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it.each([
    ["no picture", file("input_reference", Buffer.from("hello")), "input_reference"],
    ["half a PNG's head", file("input_reference", png().subarray(0, 6)), "input_reference"],
    [
      "sound",
      file("input_reference", Buffer.from("ID3\x04\0\0\0\0\0\0", "latin1"), "a.mp3", "audio/mpeg"),
      "input_reference",
    ],
    ["the prompt twice", field("prompt", "Another kite."), "prompt"],
  ])("a file that is %s is refused", async (_name, part, param) => {
    const parts = [field("model", "alpha2.7-t2v"), field("prompt", "A kite."), part];
    const response = await send("/videos", multipart("b", parts), "multipart/form-data; boundary=b");
    expect([response.status, response.text]).toEqual([400, expect.stringContaining(`"param":"${param}"`)]);
    expect(stage.provider.count("submit")).toBe(0);
  });
});

it.each([
  ["/videos/generations", "[]", "application/json", 400],
  ["/videos/generations", "null", "application/json", 400],
  ["/videos/generations", "", "application/json", 400],
  ["/videos/generations", "{}", "text/plain", 415],
  ["/videos/generations", "--b--", "multipart/form-data; boundary=b", 415],
  ["/videos", "[]", "application/json", 400],
  ["/videos", "null", "application/json", 400],
  ["/videos", "", "application/json", 400],
  ["/videos", "{}", "text/plain", 415],
  ["/videos", "--b--", "multipart/form-data; boundary=b", 400],
  ["/videos", "", "multipart/form-data", 400],
])("%s refuses what is no order: %j as %s", async (path, body, type, status) => {
  const response = await send(path, body, type);
  expect([response.status, response.text]).toEqual([status, expect.stringContaining("invalid_request_error")]);
  expect(stage.provider.count("submit")).toBe(0);
});

import { describe, expect, it } from "vitest";
import type { MediaView } from "../../../../gateway/contract/media.ts";
import { mediaCurl, mediaJson, mediaTsv, getRequest } from "../../../../renderer/features/library/media-texts.ts";
import { en } from "../../../../renderer/locales/en.ts";
import { mediaOrigin } from "../../../support/media-samples.ts";

const view = (change: Parameters<typeof mediaOrigin>[0] = {}): MediaView => ({
  id: "med_1",
  at: Date.UTC(2026, 10, 23),
  kind: "image",
  type: "image/png",
  bytes: 10,
  sha256: "ab",
  width: 1,
  height: 1,
  duration_ms: null,
  available: true,
  link: "/media/med_1?signature=secret",
  link_expires_at: 1,
  poster: null,
  path: "/data/media/ab/ab.png",
  origin: mediaOrigin({
    model: "gpt-image-1",
    endpoint: "images",
    prompt: "A fox",
    parameters: { size: "1x1" },
    ...change,
  }),
});

describe("results as text", () => {
  it("are JSON without links that expire", () => {
    expect(JSON.parse(mediaJson([view()]))).toMatchObject({ id: "med_1", origin: { prompt: "A fox" } });
    expect(mediaJson([view(), view()])).not.toContain("signature");
    expect(JSON.parse(mediaJson([view(), view()]))).toHaveLength(2);
  });

  it("are lines for a spreadsheet that run nothing in it", () => {
    const lines = mediaTsv([view({ prompt: "=HYPERLINK(1)", nano: 40_000_000 })], en).split("\n");
    expect(lines).toHaveLength(2);
    expect(lines[1]?.split("\t").slice(1, 7)).toEqual([
      "Image",
      "gpt-image-1",
      mediaOrigin().provider,
      "'=HYPERLINK(1)",
      '{"size":"1x1"}',
      "0.040000000",
    ]);
  });

  it("are the request that made them, once for all results of a request", () => {
    expect(getRequest(view())).toEqual({
      path: "/v1/images/generations",
      body: { model: "gpt-image-1", prompt: "A fox", size: "1x1" },
    });
    expect(getRequest(view({ endpoint: "speech", parameters: { voice: "ash" } }))?.body).toEqual({
      model: "gpt-image-1",
      input: "A fox",
      voice: "ash",
    });
    const curl = mediaCurl(
      [view(), view(), view({ request_id: "req_other", prompt: "A hare" })],
      "http://127.0.0.1:6174",
    );
    expect(curl.match(/curl /g)).toHaveLength(2);
    expect(curl).toContain("http://127.0.0.1:6174/v1/images/generations");
  });

  it("have no request where it cannot be made again", () => {
    expect(getRequest(view({ endpoint: "edits" }))).toBe(null);
    expect(getRequest(view({ endpoint: "constructor" }))).toBe(null);
    expect(mediaCurl([{ ...view(), origin: null }], "http://127.0.0.1:6174")).toBe("");
  });
});

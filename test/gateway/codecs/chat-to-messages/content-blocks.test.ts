import { describe, expect, it } from "vitest";
import type { Document } from "../../../../gateway/codecs/translation.ts";
import { claudeBodyOf, refusalOf } from "../support/translating.ts";

const text = (words: string, rest: Document = {}): Document => ({ type: "text", text: words, ...rest });
const contentOf = (content: unknown): unknown =>
  (claudeBodyOf({ messages: [{ role: "user", content }] })["messages"] as readonly Document[])[0]?.["content"];
const image = (url: unknown): Document => ({ type: "image_url", image_url: url });
const file = (fields: Document): Document => ({ type: "file", file: fields });
/** A block with its source: data of a type, or a URL. */
const data = (type: string, media_type: string, base64: string, rest: Document = {}): Document => ({
  type,
  source: { type: "base64", media_type, data: base64 },
  ...rest,
});
const linked = (type: string, url: string): Document => ({ type, source: { type: "url", url } });
const EPHEMERAL = { cache_control: { type: "ephemeral" } };

describe("content blocks", () => {
  it.each<[string, unknown, unknown]>([
    ["cache control", [text("A", EPHEMERAL)], [text("A", EPHEMERAL)]],
    [
      "an image's data",
      [image({ url: "data:image/png;base64,AAAA", detail: "high" })],
      [data("image", "image/png", "AAAA")],
    ],
    [
      "an image's data under another name of JPEG",
      [image("data:image/jpg;base64,AAAA")],
      [data("image", "image/jpeg", "AAAA")],
    ],
    ["an image's URL", [image({ url: "https://x/y.png" })], [linked("image", "https://x/y.png")]],
    [
      "a PDF",
      [file({ filename: "P.pdf", file_data: "data:application/pdf;base64,JVBERg==" })],
      [data("document", "application/pdf", "JVBERg==", { title: "P.pdf" })],
    ],
    ["a PDF without a data URI", [file({ file_data: "JVBERg==" })], [data("document", "application/pdf", "JVBERg==")]],
    ["a PDF by URL", [file({ file_data: "https://x/y.pdf" })], [linked("document", "https://x/y.pdf")]],
    [
      "a text file",
      [file({ filename: "n.txt", file_data: "data:text/plain;charset=utf-8;base64,R3LDvMOfZQ==" })],
      [{ type: "document", source: { type: "text", media_type: "text/plain", data: "Grüße" }, title: "n.txt" }],
    ],
    ["an image file", [file({ file_data: "data:image/webp;base64,AAAA" })], [data("image", "image/webp", "AAAA")]],
    ["a refusal", [{ type: "refusal", refusal: "No." }], [text("No.")]],
  ])("%s", (_, content, blocks) => {
    expect(contentOf(content)).toEqual(blocks);
  });

  it.each<[string, Document, string, string]>([
    ["sound", { type: "input_audio", input_audio: { data: "AA", format: "wav" } }, "", '"input_audio", which Claude'],
    ["sound by URL", { type: "audio_url", audio_url: "https://x" }, "", '"audio_url", which Claude'],
    ["a film", { type: "video_url", video_url: { url: "https://x" } }, "", '"video_url", which Claude'],
    ["a type that is not known", { type: "hologram" }, "", '"hologram", which Claude'],
    [
      "an image of another type",
      image("data:image/tiff;base64,AAAA"),
      ".image_url.url",
      "image/jpeg, image/png, image/gif, image/webp",
    ],
    [
      "an image that is neither data nor a URL",
      image("C:\\cat.png"),
      ".image_url.url",
      "an http(s) URL, or a data URI in base64",
    ],
    ["a file by id", file({ file_id: "file-1" }), ".file", "has no 'file_data'"],
    [
      "a file of another type",
      file({ file_data: "data:application/zip;base64,UEs=" }),
      ".file",
      'is of type "application/zip"',
    ],
    [
      "a text file that is no base64",
      file({ file_data: "data:text/plain;base64,%%%" }),
      ".file",
      "is not valid base64",
    ],
  ])("refuse %s in words", (_, block, param, words) => {
    const refusal = refusalOf(() => contentOf([text("A"), block]));
    expect(refusal).toMatchObject({ status: 400, details: { param: `messages[0].content[1]${param}` } });
    expect(refusal.message).toContain(words);
  });
});

import { describe, expect, it } from "vitest";
import { TYPE_BYTES, mediaTypeByExtension, findMediaType } from "../../../../gateway/core/media/media-type.ts";
import { flac, iso, mp3, opus, png, wav, webm } from "../../../support/media-samples.ts";

const text = (value: string): Buffer => Buffer.from(value, "latin1");

const KEPT: readonly [string, Buffer, string, string][] = [
  ["PNG", png(4, 4), "png", "image/png"],
  ["JPEG", text("\xff\xd8\xff\xe0\0\x10JFIF"), "jpg", "image/jpeg"],
  ["GIF 87a", text("GIF87a\x01\0"), "gif", "image/gif"],
  ["GIF 89a", text("GIF89a\x01\0"), "gif", "image/gif"],
  ["WebP", text("RIFF\x24\0\0\0WEBPVP8 "), "webp", "image/webp"],
  ["WAV", wav(10), "wav", "audio/wav"],
  ["MP3 by its frames", mp3(1), "mp3", "audio/mpeg"],
  ["MP3 with a tag", text("ID3\x04\0\0\0\0\0\0"), "mp3", "audio/mpeg"],
  ["MP3 of MPEG 2", text("\xff\xf3\x84\xc4"), "mp3", "audio/mpeg"],
  ["Opus in Ogg", opus(10), "ogg", "audio/ogg"],
  ["FLAC", flac(10), "flac", "audio/flac"],
  ["AAC in ADTS", text("\xff\xf1\x50\x80\x01\x7f\xfc"), "aac", "audio/aac"],
  ["AAC in ADTS of MPEG 2", text("\xff\xf9\x50\x80\x01\x7f\xfc"), "aac", "audio/aac"],
  ["AAC in MP4", iso("M4A ", "isom"), "m4a", "audio/mp4"],
  ["MP4", iso("isom", "iso2", "avc1", "mp41"), "mp4", "video/mp4"],
  ["MP4 of version 2", iso("mp42"), "mp4", "video/mp4"],
  ["MP4 whose major brand is new", iso("zzzz", "isom"), "mp4", "video/mp4"],
  ["WebM", webm(), "webm", "video/webm"],
];

const REFUSED: readonly [string, Buffer][] = [
  ["nothing", Buffer.alloc(0)],
  ["HTML", text("<!doctype html><script>alert(1)</script>")],
  ["SVG", text('<svg xmlns="http://www.w3.org/2000/svg"></svg>')],
  ["XML", text("<?xml version='1.0'?><Error><Code>AccessDenied</Code></Error>")],
  ["JSON", text('{"error":{"message":"expired"}}')],
  ["PDF", text("%PDF-1.7")],
  ["a zip", text("PK\x03\x04")],
  ["AVIF", iso("avif", "mif1", "iso8")],
  ["HEIC", iso("heic", "mif1")],
  ["an ISO file of unknown brands", iso("qt  ", "zzzz")],
  ["Matroska that is no WebM", text("\x1a\x45\xdf\xa3\x42\x82\x88matroska")],
  ["a RIFF of another kind", text("RIFF\0\0\0\0AVI LIST")],
  ["BMP", text("BM\x36\0\0\0")],
  ["a cut PNG signature", text("\x89PNG\r\n")],
  ["raw PCM", Buffer.alloc(400)],
  ["sync bits with a reserved bitrate", text("\xff\xfb\xf0\0")],
  ["sync bits with a reserved rate", text("\xff\xfb\x9c\0")],
  ["UTF-16 text", text("\xff\xfeh\0i\0")],
];

describe("the type of a result is reported by its first bytes", () => {
  it.each(KEPT)("%s is kept", (_name, bytes, extension, type) => {
    const found = findMediaType(bytes.subarray(0, TYPE_BYTES));
    expect(found).toMatchObject({ extension, type });
    expect(mediaTypeByExtension(extension)).toEqual(found);
  });

  it.each(REFUSED)("%s is refused", (_name, bytes) => {
    expect(findMediaType(bytes.subarray(0, TYPE_BYTES))).toBeNull();
  });
});

it("knows no type by a name that every object has", () => {
  expect(mediaTypeByExtension("constructor")).toBeNull();
  expect(mediaTypeByExtension("exe")).toBeNull();
});

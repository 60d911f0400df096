import { expect, it } from "vitest";
import type { MediaView } from "../../../../gateway/contract/media.ts";
import { dragData } from "../../../../renderer/features/library/drag-out.ts";

const view = (change: Partial<MediaView> = {}): MediaView =>
  ({
    id: "med_01ABCDEFGH",
    at: Date.UTC(2026, 10, 23, 12),
    type: "image/png",
    available: true,
    link: "/media/med_01ABCDEFGH?expires=1&signature=ab",
    path: `/data/media/ab/${"ab".repeat(32)}.png`,
    ...change,
  }) as MediaView;

it("carries the first file with its name and all links", () => {
  const second = view({ id: "med_2", link: "/media/med_2?expires=1&signature=cd" });
  expect(dragData([view(), second], "http://127.0.0.1:6174")).toEqual({
    downloadUrl:
      "image/png:postern-2026-11-23-ABCDEFGH.png:http://127.0.0.1:6174/media/med_01ABCDEFGH?expires=1&signature=ab",
    uriList:
      "http://127.0.0.1:6174/media/med_01ABCDEFGH?expires=1&signature=ab\r\nhttp://127.0.0.1:6174/media/med_2?expires=1&signature=cd",
  });
});

it("carries nothing of what is gone, nor a link that is not Postern's own", () => {
  const origin = "http://127.0.0.1:6174";
  expect(dragData([view({ available: false })], origin)).toBe(null);
  expect(dragData([view({ link: "https://evil.example/x.png" })], origin)).toBe(null);
  expect(dragData([], origin)).toBe(null);
});

import { expect, it } from "vitest";
import type { MediaPage, MediaView } from "../../../gateway/contract/media.ts";
import { errorOf } from "../../support/running-gateway.ts";
import { jpeg, webp } from "../../support/pictures.ts";
import { useMediaGateway } from "./media-gateway.ts";

const media = useMediaGateway();

const setPoster = (id: string, image: Buffer | string): Promise<Response> =>
  media.gateway.control("POST", `/media/${id}/poster`, {
    image: typeof image === "string" ? image : image.toString("base64"),
  });

it("a still of a video is served by a link of its own, and replaced by a better one", async () => {
  expect((await media.view("media_video")).poster).toBeNull();
  for (const [image, type] of [
    [jpeg(320, 180), "image/jpeg"],
    [webp(320, 180), "image/webp"],
  ] as const) {
    expect((await setPoster("media_video", image)).status).toBe(200);
    const { poster } = await media.view("media_video");
    expect(poster).toMatch(/^\/media\/media_video\/poster\?/);
    const response = await media.get(poster ?? "");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe(type);
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(Buffer.from(await response.arrayBuffer())).toEqual(image);
    expect((await media.get(poster ?? "", { range: "bytes=0-3" })).status).toBe(206);
  }
});

it("a link to a still opens no video, and the other way round", async () => {
  await setPoster("media_video", jpeg());
  const { poster, link } = await media.view("media_video");
  const swapped = [(poster ?? "").replace("/poster?", "?"), link.replace("?", "/poster?")];
  for (const path of swapped) {
    const response = await media.get(path);
    expect(response.status).toBe(403);
    expect(await errorOf(response)).toMatchObject({ code: "invalid_media_link" });
  }
});

it("what lies about its type is no still", async () => {
  for (const lie of ["<html>", "GIF89a", "\x89PNG\r\n\x1a\n"]) {
    const response = await setPoster("media_video", Buffer.from(lie, "latin1"));
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ code: "invalid_value", param: "image" });
  }
});

it("only videos that are there have one", async () => {
  expect((await setPoster("media_picture", jpeg())).status).toBe(400);
  expect((await setPoster("media_nobody", jpeg())).status).toBe(404);
  expect((await media.get("/media/media_sound/poster", await bearer())).status).toBe(404);
});

const bearer = async (): Promise<Record<string, string>> => ({
  authorization: `Bearer ${await media.gateway.signIn()}`,
});

it("what was deleted is not to be had by its links until it is brought back", async () => {
  await setPoster("media_video", jpeg());
  const { link, poster } = await media.view("media_video");
  const deleted = await media.gateway.ask<{ deleted: string[]; undo_until: number }>("POST", "/media/delete", {
    ids: ["media_video"],
  });
  expect(deleted.deleted).toEqual(["media_video"]);
  for (const path of [link, poster ?? ""]) expect((await media.get(path)).status).toBe(404);
  expect((await media.gateway.control("GET", "/media/media_video")).status).toBe(404);
  expect(await media.gateway.ask("POST", "/media/restore", { ids: ["media_video"] })).toEqual({
    restored: ["media_video"],
  });
  for (const path of [link, poster ?? ""]) expect((await media.get(path)).status).toBe(200);
});

it("the list is searched by words, key, time and cost, as its query says it", async () => {
  const list = (query: string): Promise<MediaPage> => media.gateway.ask<MediaPage>("GET", `/media?${query}`);
  expect(await list("q=HELLO+say")).toMatchObject({ total: 1, data: [{ id: "media_sound" }] });
  expect(await list("key=key_none")).toMatchObject({ total: 0, data: [], cursor: null });
  const { total, data, cursor } = await list("min_nano=1&limit=2");
  expect([total, data.length]).toEqual([6, 2]);
  const rest = await list(`min_nano=1&limit=10&before=${cursor}`);
  expect([rest.total, rest.data.length, rest.cursor]).toEqual([6, 4, null]);
  const at = (data[0] as MediaView).at;
  expect((await list(`since=${at + 1}`)).total).toBe(0);
  expect((await list(`until=${at}`)).total).toBe(0);
  expect((await list(`since=${at}&until=${at + 1}`)).total).toBe(6);
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MediaPage } from "../../../../gateway/contract/media.ts";
import { KEY, errorOf } from "../../../support/running-gateway.ts";
import { MediaGateway } from "../media-gateway.ts";

let media: MediaGateway;
beforeAll(async () => {
  media = await MediaGateway.start();
});
afterAll(() => media.close());

describe("GET /control/media", () => {
  it("lists newest first, with where each came from and a link", async () => {
    const { data, cursor, pending } = await media.gateway.ask<MediaPage>("GET", "/media?limit=2");
    expect(data.map(({ id }) => id)).toEqual(["media_large", "media_gone"]);
    expect(pending).toBe(0);
    const next = await media.gateway.ask<MediaPage>("GET", `/media?limit=10&before=${cursor}`);
    expect(next.data.map(({ id }) => id)).toEqual(["media_video", "media_mp3", "media_picture", "media_sound"]);
    expect(next.cursor).toBeNull();
    expect(next.data.at(-1)).toMatchObject({ ...media.sound, available: true });
    expect((await media.get(next.data.at(-1)?.link ?? "")).status).toBe(200);
  });

  it("goes to a far place in one question, and pages on from there", async () => {
    const ids = async (query: string): Promise<string[]> =>
      (await media.gateway.ask<MediaPage>("GET", `/media?${query}`)).data.map(({ id }) => id);
    const { data, cursor, total } = await media.gateway.ask<MediaPage>("GET", "/media?limit=2&offset=2");
    expect([data.map(({ id }) => id), total]).toEqual([["media_video", "media_mp3"], 6]);
    expect(await ids(`before=${cursor}`)).toEqual(["media_picture", "media_sound"]);
    expect(await ids(`before=${cursor}&offset=1`)).toEqual(["media_sound"]);
    expect(await ids("offset=6")).toEqual([]);
  });

  it("filters", async () => {
    const ids = async (query: string): Promise<string[]> =>
      (await media.gateway.ask<MediaPage>("GET", `/media?${query}`)).data.map(({ id }) => id);
    expect(await ids("kind=video")).toEqual(["media_video"]);
    expect(await ids("model=gamma3")).toEqual(["media_sound"]);
    expect(await ids("kind=image&model=gamma3")).toEqual([]);
  });

  it.each([
    "limit=0",
    "limit=501",
    "limit=x",
    "before=x",
    "before=-1",
    "offset=-1",
    "offset=x",
    "kind=text",
    "colour=red",
  ])("refuses %s by name", async (query) => {
    const response = await media.gateway.control("GET", `/media?${query}`);
    expect(response.status).toBe(400);
    expect((await errorOf(response)).param).toBe(query.split("=")[0]);
  });

  it("has nothing for an unknown id", async () => {
    expect((await media.gateway.control("GET", "/media/media_nobody")).status).toBe(404);
  });

  it("is not for local keys", async () => {
    const response = await fetch(`${media.gateway.url}/control/media`, { headers: { authorization: `Bearer ${KEY}` } });
    expect(response.status).toBe(401);
  });
});

import { beforeAll, describe, expect, it } from "vitest";
import type { MediaView } from "../../../gateway/contract/media.ts";
import { png } from "../../support/media-samples.ts";
import { KEY, errorOf, startGateway, temporaryFolder } from "../../support/running-gateway.ts";
import { addMedia, openMedia } from "../store/media/media-fixtures.ts";
import { useMediaGateway, PICTURE } from "./media-gateway.ts";

const DAY_MS = 86_400_000;
let bearer: string;
const media = useMediaGateway();
beforeAll(async () => {
  bearer = await media.gateway.signIn();
});

describe("a signed link", () => {
  it("is good for a day, by the clock", async () => {
    const made = media.clock.now();
    const { link, link_expires_at: until24h } = await media.view("media_picture");
    expect(until24h).toBeGreaterThan(made + DAY_MS - 2_000);
    expect(until24h).toBeLessThanOrEqual(media.clock.now() + DAY_MS);
    media.clock.advance(DAY_MS - 5_000);
    expect((await media.get(link)).status).toBe(200);
    media.clock.advance(6_000);
    const late = await media.get(link);
    expect(late.status).toBe(403);
    expect(await errorOf(late)).toMatchObject({ code: "media_link_expired", type: "permission_error" });
  });

  it("that was made while the clock was years ahead is not good until then", async () => {
    const now = media.clock.now();
    media.clock.jumpTo(now + 40 * 365 * DAY_MS);
    const { link } = await media.view("media_picture");
    expect((await media.get(link)).status).toBe(200);
    media.clock.jumpTo(now);
    expect((await media.get(link)).status).toBe(403);
  });

  it("is refused with any one bit of its signature changed", async () => {
    const link = new URL(`${media.gateway.url}${await media.linkTo("media_picture")}`);
    const signature = link.searchParams.get("signature") ?? "";
    expect(signature).toMatch(/^[0-9a-f]{64}$/);
    const bits = Array.from({ length: signature.length * 8 }, (_, bit) => bit);
    const statuses = await Promise.all(
      bits.map(async (bit) => {
        const bytes = Buffer.from(signature, "latin1");
        bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
        const tampered = new URL(link);
        tampered.searchParams.set("signature", bytes.toString("latin1"));
        const response = await fetch(tampered);
        await response.arrayBuffer();
        return response.status;
      }),
    );
    expect(new Set(statuses)).toEqual(new Set([403]));
    expect((await fetch(link)).status).toBe(200);
  });

  it.each<[string, (link: URL) => void]>([
    ["another id", (link) => (link.pathname = "/media/media_sound")],
    [
      "a later expiry",
      (link) => link.searchParams.set("expires", String(Number(link.searchParams.get("expires")) + 1)),
    ],
    ["an expiry written otherwise", (link) => link.searchParams.set("expires", `0${link.searchParams.get("expires")}`)],
    ["no expiry", (link) => link.searchParams.delete("expires")],
    ["an empty signature", (link) => link.searchParams.set("signature", "")],
    ["no signature", (link) => link.searchParams.delete("signature")],
    [
      "upper case",
      (link) => link.searchParams.set("signature", link.searchParams.get("signature")?.toUpperCase() ?? ""),
    ],
    ["a longer signature", (link) => link.searchParams.set("signature", `${link.searchParams.get("signature")}0`)],
    ["a signature of many bytes", (link) => link.searchParams.set("signature", "é".repeat(64))],
    ["two signatures", (link) => link.searchParams.append("signature", link.searchParams.get("signature") ?? "")],
    ["two expiries", (link) => link.searchParams.append("expires", "9999999999")],
    ["an id that is not there", (link) => (link.pathname = "/media/media_nobody")],
  ])("is refused with %s", async (_name, change) => {
    const link = new URL(`${media.gateway.url}${await media.linkTo("media_picture")}`);
    change(link);
    const response = await fetch(link);
    expect(response.status).toBe(403);
    expect(await errorOf(response)).toMatchObject({ code: "invalid_media_link" });
  });

  it("does not stop working with a restart", async () => {
    const folder = await temporaryFolder();
    const store = await openMedia({ dir: folder });
    await addMedia(store, "media_1", png(2, 2));
    await store.close();
    const first = await startGateway({ dataDir: folder });
    const { link } = await first.ask<MediaView>("GET", "/media/media_1");
    await first.stop();
    const second = await startGateway({ dataDir: folder });
    expect((await fetch(`${second.url}${link}`)).status).toBe(200);
    await second.close();
  });
});

describe("instead of a signature", () => {
  it("the control bearer is taken", async () => {
    const response = await media.get("/media/media_picture", { authorization: `Bearer ${bearer}` });
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(PICTURE);
  });

  it("a local key is not", async () => {
    const response = await media.get("/media/media_picture", { authorization: `Bearer ${KEY}` });
    expect(response.status).toBe(401);
    expect(await errorOf(response)).toMatchObject({ code: "invalid_control_token" });
  });

  it("nothing is refused before it is said whether there is such a file", async () => {
    for (const id of ["media_picture", "media_nobody"]) {
      expect(await errorOf(await media.get(`/media/${id}`))).toMatchObject({ code: "invalid_media_link" });
    }
  });

  it("an unknown id is not found", async () => {
    const response = await media.get("/media/media_nobody", { authorization: `Bearer ${bearer}` });
    expect(response.status).toBe(404);
    expect(await errorOf(response)).toMatchObject({
      code: "not_found",
      message: expect.stringContaining("media_nobody"),
    });
  });
});

import { afterAll, beforeAll } from "vitest";
import { rm } from "node:fs/promises";
import type { MediaEntry, MediaView } from "../../../gateway/contract/media.ts";
import { startGateway, temporaryFolder, type TestGateway } from "../../support/running-gateway.ts";
import { iso, mp3, png, wav } from "../../support/media-samples.ts";
import { TestClock } from "../../support/test-clock.ts";
import { addMedia, openMedia } from "../store/media/media-fixtures.ts";

export const SOUND = wav(200);
export const PICTURE = png(32, 16);
export const LARGE = Buffer.concat([wav(20), Buffer.alloc(24 * 1024 * 1024, 7)]);

/** A gateway whose library an earlier run has filled: media_sound, _picture, _mp3, _video, _gone and _large. */
export class MediaGateway {
  readonly gateway: TestGateway;
  readonly dataDir: string;
  readonly clock: TestClock;
  /** The entry of `SOUND`. */
  readonly sound: MediaEntry;

  private constructor(gateway: TestGateway, dataDir: string, clock: TestClock, sound: MediaEntry) {
    this.gateway = gateway;
    this.dataDir = dataDir;
    this.clock = clock;
    this.sound = sound;
  }

  static async start(): Promise<MediaGateway> {
    const dataDir = await temporaryFolder();
    const store = await openMedia({ dir: dataDir });
    const sound = await addMedia(store, "media_sound", SOUND, { model: "gamma3", prompt: "Say hello." });
    await addMedia(store, "media_picture", PICTURE);
    await addMedia(store, "media_mp3", mp3(10));
    await addMedia(store, "media_video", iso("isom"));
    await addMedia(store, "media_gone", png(1, 1));
    await addMedia(store, "media_large", LARGE);
    await store.close();
    const clock = new TestClock();
    return new MediaGateway(await startGateway({ dataDir, clock }), dataDir, clock, sound);
  }

  view(id: string): Promise<MediaView> {
    return this.gateway.ask<MediaView>("GET", `/media/${id}`);
  }

  async linkTo(id: string): Promise<string> {
    return (await this.view(id)).link;
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}, method = "GET"): Promise<Response> {
    return fetch(`${this.gateway.url}${path}`, { method, headers });
  }

  async close(): Promise<void> {
    await this.gateway.close();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

/** Such a gateway for the tests of a file. */
export function useMediaGateway(): MediaGateway {
  const media = Object.create(MediaGateway.prototype) as MediaGateway;
  beforeAll(async () => {
    Object.assign(media, await MediaGateway.start());
  });
  afterAll(() => media.close());
  return media;
}

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allModels } from "../../../gateway/catalog/lookup.ts";
import { systemClock } from "../../../gateway/lib/clock.ts";
import { startSandbox, type Sandbox } from "../../../gateway/sandbox/server.ts";
import { sharedBrowser } from "./browser.ts";

let browser: Browser;
let sandbox: Sandbox;
beforeAll(async () => {
  browser = await sharedBrowser();
  sandbox = await startSandbox({ models: allModels, clock: systemClock });
});
afterAll(() => sandbox.close());

interface Seen {
  readonly duration: number;
  readonly width: number;
  readonly height: number;
  /** Red, green, blue near the left edge, and near the right edge, half way through. */
  readonly left: readonly number[];
  readonly right: readonly number[];
  /** Where the white bar is half way through, as a share of the width. */
  readonly bar: number;
  readonly ended: boolean;
}

/** Seeks to the middle, looks at the picture, then plays to the end. */
async function look(): Promise<Seen> {
  const video = document.querySelector("video")!;
  video.pause();
  video.muted = true;
  const once = (name: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      video.addEventListener(name, resolve, { once: true });
      video.addEventListener("error", () => reject(new Error(video.error?.message)), { once: true });
    });
  if (video.error) throw new Error(video.error.message);
  if (video.readyState < 1) await once("loadedmetadata");
  const { duration, videoWidth: width, videoHeight: height } = video;
  const seeked = once("seeked");
  // The seek is over before its picture is shown: until then what is drawn is the one before.
  const shown = new Promise<void>((resolve) => {
    const look: VideoFrameRequestCallback = (_now, { mediaTime }) => {
      if (Math.abs(mediaTime - duration / 2) < 0.1) resolve();
      else video.requestVideoFrameCallback(look);
    };
    video.requestVideoFrameCallback(look);
  });
  video.currentTime = duration / 2;
  await Promise.all([seeked, shown]);
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const pen = canvas.getContext("2d")!;
  pen.drawImage(video, 0, 0);
  const at = (x: number, y: number): number[] => [...pen.getImageData(x, y, 1, 1).data].slice(0, 3);
  const isWhite = (x: number): boolean => at(x, 4).every((part) => part > 250);
  let bar = 0;
  while (bar < width && !isWhite(bar)) bar += 1;
  const left = at(width / 10, 4);
  const right = at((width * 9) / 10, 4);
  const ended = once("ended");
  video.currentTime = Math.max(0, duration - 0.3);
  await video.play();
  await ended;
  return { duration, width, height, left, right, bar: bar / width, ended: video.ended };
}

describe("a film of the sandbox in Chromium", () => {
  it.each([
    [1280, 720, 120],
    [720, 1280, 48],
    [1920, 1080, 360],
    [1104, 832, 72],
    [1472, 624, 96],
    [3840, 2160, 96],
  ])(
    "of %d×%d and %d pictures has its length and size, plays, and shows its colours",
    async (width, height, frames) => {
      const page = await browser.newPage();
      await page.goto(`${sandbox.origin}/ark/results/videos/00c0ffe-${width}x${height}-${frames}.mp4`);
      const seen = await page.evaluate(look);
      expect(seen).toMatchObject({ duration: frames / 24, width, height, ended: true });
      // The bar crosses the picture every two seconds.
      expect(seen.bar).toBeCloseTo(((frames / 2) % 48) / 48, 1);
      for (const colour of [seen.left, seen.right]) {
        // Neither black, nor grey, nor the green of a decoder that had nothing.
        expect(Math.max(...colour)).toBeGreaterThan(80);
        expect(Math.max(...colour) - Math.min(...colour)).toBeGreaterThan(40);
      }
      expect(seen.left).not.toEqual(seen.right);
      await page.close();
    },
  );
});

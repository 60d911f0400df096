import type { MediaView } from "../../../gateway/contract/media.ts";
import { ownLink } from "../../components/media/media-links.ts";

const LONGEST_SIDE = 640;
/** Max characters of base64, below the contract's 400,000; quality is reduced until it fits. */
const MOST_CHARACTERS = 390_000;
const QUALITIES = [0.82, 0.6, 0.35];
const TIMEOUT_MS = 15_000;

/** Returns the first frame of a video as a base64 WebP; null if the browser cannot decode it. */
export async function drawPoster(view: MediaView): Promise<string | null> {
  const link = ownLink(view.link);
  if (link === null) return null;
  const video = document.createElement("video");
  try {
    if (!(await firstFrame(video, link))) return null;
    const canvas = getCanvas(video.videoWidth, video.videoHeight);
    const context = canvas.getContext("2d");
    context?.drawImage(video, 0, 0, canvas.width, canvas.height);
    // The canvas is empty: no preview image is better than a permanently blank one.
    if (context?.getImageData(0, 0, 1, 1).data[3] === 0) return null;
    return await smallEnough(canvas);
  } finally {
    // Lets go of the decoder and of the connection.
    video.removeAttribute("src");
    video.load();
  }
}

function firstFrame(video: HTMLVideoElement, link: string): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), TIMEOUT_MS);
    const end = (drawable: boolean) => (): void => {
      clearTimeout(timer);
      resolve(drawable && video.videoWidth > 0);
    };
    // `loadeddata` fires before a frame is drawable: with preload="metadata" Chromium then draws nothing.
    video.requestVideoFrameCallback(end(true));
    video.addEventListener("error", end(false), { once: true });
    video.muted = true;
    video.preload = "metadata";
    video.src = link;
  });
}

function getCanvas(width: number, height: number): HTMLCanvasElement {
  const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  return canvas;
}

async function smallEnough(canvas: HTMLCanvasElement): Promise<string | null> {
  for (const quality of QUALITIES) {
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/webp", quality));
    const image = blob === null ? null : await base64Of(blob);
    if (image !== null && image.length <= MOST_CHARACTERS) return image;
  }
  return null;
}

async function base64Of(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

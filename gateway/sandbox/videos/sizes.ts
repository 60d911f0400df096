import { invalidValue } from "../failure.ts";

/**
 * Pictures a second: what Ark and HappyHorse name (docs/providers/dashscope.md#happyhorse and
 * docs/providers/ark.md#video-tasks).
 */
export const RATE = 24;

/** Pixels of a film and what providers call them. */
export interface FilmSize {
  readonly width: number;
  readonly height: number;
  /** `720p`. */
  readonly resolution: string;
  /** `16:9`. */
  readonly ratio: string;
}

/**
 * Every size that the sandbox makes, by resolution and ratio (docs/providers/dashscope.md#videos). film-samples.json has a
 * sample of each, two seconds of H.264 as MP4 in base64, made with ffmpeg 5.1 and libx264 for each size WxH:
 *
 *   ffmpeg -filter_complex "color=c=0x146c94:s=WxH:r=24:d=2,drawbox=x=floor(iw/32)*16:y=0:w=iw:h=ih:color=0x7b2d8b:t=fill[bg];
 *     color=c=white:s=BARxHIGH:r=24:d=2[bar];[bg][bar]overlay=x='floor(floor(n/4)/12*W/16)*16':y=0:shortest=1,
 *     drawtext=fontfile=DejaVuSans-Bold.ttf:text=SANDBOX:fontcolor=white:fontsize=SIZE:x=(w-text_w)/2:y=(h-text_h)/2,
 *     format=yuv420p" -frames:v 48 -c:v libx264 -profile:v main -preset veryslow -crf 38 -bf 0 -g 48 -keyint_min 48
 *     -sc_threshold 0 -refs 1 -threads 1 -color_primaries bt709 -color_trc bt709 -colorspace bt709
 *     -bsf:v filter_units=remove_types=6 -map_metadata -1 -fflags +bitexact -flags:v +bitexact -movflags +faststart WxH.mp4
 *
 * with -crf 46 for 4k; BAR is a fortieth of the width and HIGH a ninth of the height, both rounded to 16, SIZE an eighth of
 * the width. Sizes of 480p but the first three, of 3:2, 2:3 and 21:9 are a guess, as are 4k, which is 1080p doubled, and the
 * name of OpenAI's larger ones. The second of one name is that of Wan 2.5 and 2.6, which only `size` names.
 */
const PIXELS: Readonly<Record<string, string>> = {
  "480p": "16:9 832x480, 9:16 480x832, 1:1 624x624, 4:3 736x544, 3:4 544x736, 3:2 768x512, 2:3 512x768, 21:9 960x416",
  "720p":
    "16:9 1280x720, 9:16 720x1280, 1:1 960x960, 4:3 1104x832, 3:4 832x1104, 3:2 1152x768, 2:3 768x1152, 21:9 1472x624, 4:3 1088x832, 3:4 832x1088",
  "1080p":
    "16:9 1920x1080, 9:16 1080x1920, 1:1 1440x1440, 4:3 1648x1248, 3:4 1248x1648, 3:2 1728x1152, 2:3 1152x1728, 21:9 2208x944, 4:3 1632x1248, 3:4 1248x1632",
  "4k": "16:9 3840x2160, 9:16 2160x3840, 1:1 2880x2880, 4:3 3296x2496, 3:4 2496x3296, 3:2 3456x2304, 2:3 2304x3456, 21:9 4416x1888",
  "1024p": "4:7 1024x1792, 7:4 1792x1024",
};

export const FILM_SIZES: readonly FilmSize[] = Object.entries(PIXELS).flatMap(([resolution, sizes]) =>
  sizes.split(", ").map((size) => {
    const [ratio = "", width = 0, height = 0] = size.split(/[ x]/);
    return { width: Number(width), height: Number(height), resolution, ratio };
  }),
);

/** Ratios that follow a picture, which the sandbox does not inspect. */
const FREE: readonly unknown[] = [undefined, null, "adaptive", "keep_ratio"];

/** @throws Failure (400) for an unknown size */
export function sizeByRatio(resolution: unknown, ratio: unknown): FilmSize {
  const same = FILM_SIZES.filter((size) => size.resolution === String(resolution).toLowerCase());
  if (same.length === 0) throw invalidValue("resolution", "there is no film of that resolution.");
  const requestedRatio = FREE.includes(ratio) ? "16:9" : ratio;
  const found = same.find((size) => size.ratio === requestedRatio);
  if (found === undefined) throw invalidValue("ratio", `expected ${same.map((size) => size.ratio).join(", ")}.`);
  return found;
}

/** @param pixels as `1280*720` or `1280x720` */
export function sizeByPixels(pixels: string): FilmSize {
  const [width, height] = pixels.split(/[*x]/).map(Number);
  const found = FILM_SIZES.find((size) => size.width === width && size.height === height);
  if (found === undefined) throw invalidValue("size", "there is no film of that size.");
  return found;
}

/** All that a film is made from. */
export interface FilmPlan {
  /** A size of `FILM_SIZES`, each of which has a sample. */
  readonly width: number;
  readonly height: number;
  /** Pictures, 24 of them a second. */
  readonly frames: number;
  /** Digits in the film's metadata, so that films of two requests are not the same file. */
  readonly digits: string;
}

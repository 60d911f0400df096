import { setImmediate as nextTurn } from "node:timers/promises";
import { INK_INDEX, TILE, mosaicOf, type Colour, type Mosaic } from "../images/mosaic.ts";
import { seedOf } from "../seed.ts";
import type { Shade } from "./h264/flat-block.ts";
import { BLOCK, pictureParameters, sequenceParameters } from "./h264/parameter-sets.ts";
import { keyPicture, nextPicture } from "./h264/pictures.ts";
import { mp4Of } from "./mp4.ts";

/**
 * Pictures a second: what Ark and HappyHorse name (docs/providers/dashscope.md#happyhorse,
 * docs/providers/ark.md#video-tasks).
 */
export const RATE = 24;
/** A player that seeks decodes at most so many pictures. */
const PICTURES_PER_KEY = 2 * RATE;

/** All that a film is made from. */
export interface FilmPlan {
  /** Even numbers of pixels. */
  readonly width: number;
  readonly height: number;
  /** Pictures; `RATE` of them a second. */
  readonly frames: number;
  /** What its colours come from. */
  readonly digits: string;
}

/**
 * A film as an MP4 file: the sandbox's mosaic, and a white bar that crosses it in the film's time. The same plan gives
 * the same bytes. Others get their turn after every two seconds of film.
 */
export async function filmOf(plan: FilmPlan): Promise<Buffer> {
  const still = stillOf(plan);
  const shades = still.palette.map(shadeOf);
  const samples: Buffer[] = [];
  const keys: number[] = [];
  let before = still.tiles;
  for (let frame = 0; frame < plan.frames; frame += 1) {
    const since = frame % PICTURES_PER_KEY;
    const tiling = { columns: still.columns, tiles: withBar(still, frame / plan.frames), shades };
    if (since === 0) {
      samples.push(keyPicture(tiling, keys.length));
      keys.push(frame);
      await nextTurn();
    } else {
      samples.push(nextPicture(tiling, before, since));
    }
    before = tiling.tiles;
  }
  const format = { width: plan.width, height: plan.height, rate: RATE };
  return mp4Of({ ...format, sequence: sequenceParameters(format), pictures: pictureParameters(), samples, keys });
}

/** The picture of a film at a moment from 0 to 1, for those who want it as a file of its own. */
export function momentOf(plan: FilmPlan, moment: number): Mosaic {
  const still = stillOf(plan);
  const tiles = withBar(still, Math.min(moment, 1 - 1 / plan.frames));
  const columns = Math.ceil(plan.width / TILE);
  const rows = Math.ceil(plan.height / TILE);
  const finer = new Uint8Array(columns * rows);
  for (let index = 0; index < finer.length; index += 1) {
    const row = Math.floor(Math.floor(index / columns) / (BLOCK / TILE));
    finer[index] = tiles[row * still.columns + Math.floor((index % columns) / (BLOCK / TILE))] ?? 0;
  }
  return { ...still, width: plan.width, height: plan.height, columns, rows, tiles: finer };
}

/** A mosaic whose tiles are as many as the film has macroblocks. */
function stillOf({ width, height, digits }: FilmPlan): Mosaic {
  const scale = BLOCK / TILE;
  return mosaicOf(seedOf(digits), Math.ceil(width / scale), Math.ceil(height / scale), false);
}

const COLUMNS_PER_BAR = 40;

function withBar({ tiles, columns, rows }: Mosaic, moment: number): Uint8Array {
  const thickness = Math.max(1, Math.round(columns / COLUMNS_PER_BAR));
  const from = Math.floor(moment * columns);
  const to = Math.min(columns, from + thickness);
  const picture = Uint8Array.from(tiles);
  for (let row = 0; row < rows; row += 1) picture.fill(INK_INDEX, row * columns + from, row * columns + to);
  return picture;
}

/** BT.709 in limited range. */
function shadeOf([red, green, blue]: Colour): Shade {
  const light = 0.212_6 * red + 0.715_2 * green + 0.072_2 * blue;
  return [
    Math.round(16 + (219 * light) / 255),
    Math.round(128 + (224 * (blue - light)) / 1.855_6 / 255),
    Math.round(128 + (224 * (red - light)) / 1.574_8 / 255),
  ];
}

import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createDragOut } from "../../../main/shell/drag-out.ts";

vi.mock("electron", () => import("../fakes/electron.ts"));

interface Dragged {
  readonly file: string;
  readonly files?: string[];
  readonly icon: unknown;
}

let home: string;
let dragged: Dragged[];
const contents = { startDrag: (item: unknown) => void dragged.push(item as Dragged) };
/** A file of the library by its hash, and what its copy is called. */
const known = async (hash: string, extension: string, still: string | null = null) => {
  const path = join(home, `${hash}.${extension}`);
  await writeFile(path, `bytes of ${hash}`);
  return { path, name: `postern-${hash}.${extension}`, still };
};

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "postern-drag-test-"));
  dragged = [];
});
afterEach(() => rm(home, { recursive: true, force: true }));

it("hands over copies under readable names, with the picture at the pointer", async () => {
  const picture = await known("aa", "png");
  const film = await known("bb", "mp4");
  const files = [film, { ...picture, still: picture.path }];
  await createDragOut({ files: () => Promise.resolve(files), folder: home }).start(contents, ["med_1", "med_2"]);
  const [{ file, files: all = [], icon }] = dragged as [Dragged];
  expect(all.map((path) => basename(path))).toStrictEqual(["postern-bb.mp4", "postern-aa.png"]);
  expect(file).toBe(all[0]);
  expect(await Promise.all(all.map((path) => readFile(path, "utf8")))).toStrictEqual(["bytes of bb", "bytes of aa"]);
  expect(icon).toMatchObject({ path: picture.path, resized: { width: 96 } });
  await writeFile(file, "changed by another program");
  expect(await readFile(film.path, "utf8")).toBe("bytes of bb");
});

it("shows the mark where there is no picture that can be read", async () => {
  const film = await known("bb", "mp4", join(home, "still.webp"));
  await createDragOut({ files: () => Promise.resolve([film]), folder: home }).start(contents, ["med_1"]);
  expect(dragged[0]?.icon).toMatchObject({ representations: [{ width: 96 }] });
});

it("leaves out files that are gone, and says so where none is left", async () => {
  const there = await known("aa", "png");
  const gone = { path: join(home, "gone.png"), name: "gone.png", still: null };
  const drag = (files: readonly Awaited<ReturnType<typeof known>>[]) =>
    createDragOut({ files: () => Promise.resolve(files), folder: home }).start(contents, ["med_1"]);
  await drag([gone, there]);
  expect(dragged[0]?.files?.map((path) => basename(path))).toStrictEqual(["postern-aa.png"]);
  await expect(drag([gone])).rejects.toThrow("not in the data folder any more");
  await expect(drag([])).rejects.toThrow("not in the data folder any more");
  expect(dragged).toHaveLength(1);
});

it("keeps the copies of the last two drags, and no more", async () => {
  const files = [await known("aa", "png")];
  const drags = createDragOut({ files: () => Promise.resolve(files), folder: home });
  for (let times = 0; times < 4; times += 1) await drags.start(contents, ["med_1"]);
  expect((await readdir(home)).filter((name) => name.startsWith("postern-drag-"))).toHaveLength(2);
});

import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { getFilm } from "../../../../gateway/sandbox/videos/film.ts";
import { FILM_SIZES } from "../../../../gateway/sandbox/videos/sizes.ts";
import { readFilm } from "./mp4-reader.ts";

const plan = { width: 1280, height: 720, frames: 120, digits: "0abcdef" };

describe("a film of the sandbox", () => {
  it.each(FILM_SIZES.map(({ width, height }) => [width, height] as const))(
    "of %d×%d has its size and length to the picture",
    async (width, height) => {
      const film = readFilm(await getFilm({ ...plan, width, height, frames: 49 }));
      expect(film).toMatchObject({ width, height, seconds: 49 / 24, keys: [1, 49] });
      expect(film.pictures).toEqual(Array.from({ length: 49 }, (_, index) => (index % 48 === 0 ? 5 : 1)));
    },
  );

  it.each([
    [1, 1 / 24],
    [24, 1],
    [360, 15],
    [720, 30],
  ])("of %d pictures lasts %d s", async (frames, seconds) => {
    expect(readFilm(await getFilm({ ...plan, frames })).seconds).toBe(seconds);
  });

  it.each([
    [832, 480, "4d401e"],
    [1280, 720, "4d401f"],
    [1920, 1080, "4d4028"],
    [3840, 2160, "4d4033"],
  ])("of %d×%d names the least level that has it", async (width, height, profile) => {
    expect(readFilm(await getFilm({ ...plan, width, height, frames: 2 })).profile).toBe(profile);
  });

  it("is the same for the same plan, and another one for other digits", async () => {
    const [first, again, other] = await Promise.all([getFilm(plan), getFilm(plan), getFilm({ ...plan, digits: "1" })]);
    expect(again.equals(first)).toBe(true);
    expect(other.equals(first)).toBe(false);
  });

  it("is modest in bytes", async () => {
    expect((await getFilm(plan)).length).toBeLessThan(150_000);
    expect((await getFilm({ ...plan, width: 1920, height: 1080, frames: 360 })).length).toBeLessThan(600_000);
  });

  it("lets others have their turn while it is made", async () => {
    const making = new AbortController();
    let turns = 0;
    const others = (async () => {
      for (; !making.signal.aborted; turns += 1) await nextTurn();
    })();
    const film = readFilm(await getFilm({ ...plan, frames: 360 }));
    const during = turns;
    making.abort();
    await others;
    expect(during).toBeGreaterThanOrEqual(film.keys.length);
  });
});

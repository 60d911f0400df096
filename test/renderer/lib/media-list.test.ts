import { beforeEach, describe, expect, it } from "vitest";
import type { MediaView } from "../../../gateway/contract/media.ts";
import { expires, renewMedia, type MediaList } from "../../../renderer/features/library/use-media-list.ts";
import { PagedList } from "../../../renderer/lib/paged-list.ts";
import { LibraryFake, mediaView, NOW } from "../features/library/library-fake.ts";

const PAGE = 100;
const FIRST = { before: null, offset: 0 };
let library: LibraryFake;
let list: MediaList;
let now: number;

function open(count: number): void {
  library = new LibraryFake(count);
  list = new PagedList({
    fetchPage: library.fetchPage,
    pageRows: PAGE,
    pause: () => Promise.resolve(),
    now: () => now,
    renew: (before, after) => renewMedia(before, after, now),
    isOutdated: (last, at) => expires(last, at, now),
  });
  list.takeHead(library.page(FIRST, PAGE), true);
}

/** Looks at results and waits until they are there. */
async function look(first: number, last: number): Promise<void> {
  list.check(first, last);
  for (let index = first; index < last; index += 1) await list.reach(index);
}

const ids = (first: number, last: number): (string | undefined)[] =>
  Array.from({ length: last - first }, (_, index) => list.at(first + index)?.id);
const real = (first: number, last: number): string[] => library.views.slice(first, last).map(({ id }) => id);
const loaded = (): number => ids(0, list.total).filter((id) => id !== undefined).length;

beforeEach(() => {
  now = NOW;
});

describe("a long list", () => {
  it("has its first page at once and asks for nothing more until someone looks further", () => {
    open(1_000);
    expect([list.ready, list.total, loaded(), library.requests.length]).toEqual([true, 1_000, PAGE, 0]);
  });

  it("fetches what is looked at, page after page", async () => {
    open(1_000);
    await look(90, 130);
    expect(ids(90, 130)).toEqual(real(90, 130));
    expect(library.requests).toEqual([["901", 0, PAGE]]);
  });

  it("goes anywhere with one question, and back with another", async () => {
    open(100_000);
    await look(99_960, 100_000);
    expect(ids(99_960, 100_000)).toEqual(real(99_960, 100_000));
    await look(49_990, 50_030);
    expect(ids(49_990, 50_030)).toEqual(real(49_990, 50_030));
    expect(library.requests).toEqual([
      ["99901", 99_800, 2 * PAGE],
      ["99901", 49_800, 2 * PAGE],
    ]);
    expect([list.total, loaded()]).toEqual([100_000, 400]);
  });

  it("fills what lies between from the nearest cursor, without asking for anything twice", async () => {
    open(2_000);
    await look(1_000, 1_040);
    await look(1_080, 1_120);
    await look(860, 940);
    expect(library.requests.slice(1)).toEqual([
      ["901", 0, PAGE],
      ["1901", 700, PAGE],
    ]);
    expect(ids(800, 1_200)).toEqual(real(800, 1_200));
  });

  it("stays where it is while newer results come in", async () => {
    open(10_000);
    library.views.unshift(mediaView(10_001), mediaView(10_002));
    const before = library.views.slice(2);
    await look(7_000, 7_040);
    await look(400, 440);
    expect([ids(7_000, 7_040), ids(400, 440)]).toEqual([
      before.slice(7_000, 7_040).map(({ id }) => id),
      before.slice(400, 440).map(({ id }) => id),
    ]);
  });

  it("forgets what is far away, never its beginning", async () => {
    open(100_000);
    for (let first = 1_000; first < 9_000; first += 200) await look(first, first + 40);
    expect(loaded()).toBeLessThanOrEqual(2_100);
    expect(ids(0, PAGE)).toEqual(real(0, PAGE));
    await look(1_000, 1_040);
    expect(ids(1_000, 1_040)).toEqual(real(1_000, 1_040));
  });

  it("does not go on to where no one looks any more", async () => {
    open(100_000);
    list.check(99_000, 99_040);
    await Promise.resolve();
    list.check(0, 40);
    await list.reach(150);
    expect(library.requests.length).toBeLessThan(3);
  });

  it("knows the true total when it comes to the end", async () => {
    open(250);
    library.views.length = 220;
    await look(200, 250);
    expect([list.total, ids(200, 220)]).toEqual([220, real(200, 220)]);
  });

  it("goes on after its end where there is more than it thought", async () => {
    open(250);
    library.views.push(mediaView(0), mediaView(-1));
    await look(200, 250);
    expect([list.total, list.at(251)?.id]).toEqual([252, "med_-1"]);
  });

  it("reaches nothing outside", async () => {
    open(120);
    expect([await list.reach(-1), await list.reach(120), (await list.reach(119))?.id]).toEqual([
      undefined,
      undefined,
      "med_1",
    ]);
  });
});

describe("an error", () => {
  it("stops the asking until someone tries again", async () => {
    open(1_000);
    library.failure = new Error("gone");
    await look(100, 140);
    list.check(110, 150);
    await list.reach(149);
    expect([list.error, library.requests.length]).toEqual([library.failure, 1]);
    library.failure = null;
    list.retry();
    await look(110, 150);
    expect([list.error, ids(110, 150)]).toEqual([null, real(110, 150)]);
  });
});

describe("new results", () => {
  it("come in at once where the list may move", () => {
    open(300);
    library.views.unshift(mediaView(301));
    list.takeHead(library.page(FIRST, PAGE), true);
    expect([list.total, list.at(0)?.id, list.newer]).toEqual([301, "med_301", 0]);
  });

  it("wait where it may not, and are counted", async () => {
    open(1_000);
    await look(500, 540);
    library.views.unshift(mediaView(1_002), mediaView(1_001));
    list.takeHead(library.page(FIRST, PAGE), false);
    expect([list.newer, list.total, list.at(500)?.id]).toEqual([2, 1_000, "med_500"]);
    list.takePending();
    expect([list.newer, list.total, list.at(0)?.id]).toEqual([0, 1_002, "med_1002"]);
  });

  it("are not those that went away further down", async () => {
    open(150);
    await look(0, 150);
    library.views.length = 140;
    list.takeHead(library.page(FIRST, PAGE), false);
    expect(list.newer).toBe(0);
    list.takeHead(library.page(FIRST, PAGE), true);
    await look(0, 140);
    expect([list.total, ids(0, 140)]).toEqual([140, real(0, 140)]);
  });

  it("throw away the response to a question that was asked before", async () => {
    open(1_000);
    list.check(100, 140);
    await Promise.resolve();
    library.views.unshift(mediaView(1_001));
    list.takeHead(library.page(FIRST, PAGE), true);
    await look(100, 140);
    expect(ids(0, 140)).toEqual(real(0, 140));
  });
});

describe("links", () => {
  const first = (): MediaView | undefined => list.at(0);

  it("stay as they are while they work, so that nothing is loaded twice", () => {
    open(300);
    const before = first();
    library.views.unshift(mediaView(301));
    list.takeHead(library.page(FIRST, PAGE), true);
    list.takeHead(library.page(FIRST, PAGE), true);
    expect(list.at(1)).toBe(before);
  });

  it("are renewed with a poster, a loss, or when they are about to expire", () => {
    open(300);
    library.views[0] = mediaView(300, { poster: "/media/p?expires=1&signature=b" });
    list.takeHead(library.page(FIRST, PAGE), true);
    expect(first()?.poster).not.toBeNull();
    library.views[0] = mediaView(300, { available: false });
    list.takeHead(library.page(FIRST, PAGE), true);
    expect(first()?.available).toBe(false);
    const before = first()?.link;
    now = NOW + 86_400_000 - 60_000;
    list.takeHead(library.page(FIRST, PAGE), true);
    expect(first()?.link).not.toBe(before);
  });

  it("of results further down are asked for again before they expire, once", async () => {
    open(1_000);
    await look(100, 140);
    now = NOW + 86_400_000 - 60_000;
    const before = library.requests.length;
    list.check(100, 141);
    await list.reach(300);
    const again = library.requests.slice(before).filter(([cursor, offset]) => cursor === "901" && offset === 0);
    list.check(100, 142);
    await list.reach(301);
    expect(again).toEqual([["901", 0, PAGE]]);
    expect(library.requests.slice(before).filter(([cursor, offset]) => cursor === "901" && offset === 0)).toEqual(
      again,
    );
  });
});

describe("deleting", () => {
  it("takes results out at once, and brings them back where they were", async () => {
    open(400);
    await look(100, 200);
    const back = list.remove(new Set(["med_400", "med_350", "med_250"]));
    expect([list.total, list.getIndex("med_250"), list.at(0)?.id]).toEqual([397, -1, "med_399"]);
    expect([back(), list.total, ids(0, 200)]).toEqual([true, 400, real(0, 200)]);
  });

  it("agrees with the first page that the gateway gives afterwards", async () => {
    open(400);
    await look(0, 300);
    list.remove(new Set(["med_400", "med_150"]));
    library.views = library.views.filter(({ id }) => id !== "med_400" && id !== "med_150");
    const before = library.requests.length;
    list.takeHead(library.page(FIRST, PAGE), false);
    await look(0, 298);
    expect([list.newer, list.total, ids(0, 298)]).toEqual([0, 398, real(0, 298)]);
    expect(library.requests.length).toBe(before);
  });

  it("says when the places are forgotten", async () => {
    open(10_000);
    await look(500, 540);
    const back = list.remove(new Set(["med_9500"]));
    for (let first = 1_000; first < 9_000; first += 200) await look(first, first + 40);
    expect(list.at(500)).toBeUndefined();
    expect(back()).toBe(false);
  });

  it("elsewhere shows nothing twice, and leaves nothing out", async () => {
    open(10_000);
    await look(5_000, 5_040);
    await look(5_400, 5_440);
    library.views = library.views.filter(({ id }) => id !== "med_4790");
    await look(5_200, 5_240);
    await look(5_300, 5_460);
    await look(5_000, 5_460);
    expect(ids(5_000, 5_460)).toEqual(real(5_000, 5_460));
  });

  it("elsewhere keeps what is looked at in its place, and forgets where all else is", async () => {
    open(10_000);
    await look(3_000, 3_040);
    await look(5_000, 5_040);
    const seen = ids(5_000, 5_040);
    library.views = library.views.filter(({ id }) => id !== "med_8000");
    list.takeHead(library.page(FIRST, PAGE), false);
    expect([list.total, list.newer, ids(5_000, 5_040), list.at(3_000)]).toEqual([9_999, 0, seen, undefined]);
    await look(3_000, 3_040);
    expect(ids(3_000, 3_040)).toEqual(real(3_000, 3_040));
  });

  it("throws away a response that was asked for before its place moved", async () => {
    open(1_000);
    list.check(300, 340);
    await Promise.resolve();
    list.remove(new Set(["med_1000"]));
    library.views.shift();
    await look(300, 340);
    expect(ids(300, 340)).toEqual(real(300, 340));
  });

  it("walks again over what follows where a page ends elsewhere than before", async () => {
    open(1_000);
    await look(100, 140);
    await look(200, 240);
    library.views = library.views.filter(({ id }) => id !== "med_850");
    now = NOW + 86_400_000 - 60_000;
    list.check(100, 240);
    await list.reach(500);
    expect(ids(100, 240)).toEqual(real(100, 240));
  });
});

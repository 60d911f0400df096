import { beforeEach, expect, it } from "vitest";
import type { MediaView } from "../../../../gateway/contract/media.ts";
import { createPosterQueue, type PosterQueue } from "../../../../renderer/features/library/poster-queue.ts";
import { mediaView } from "./library-fake.ts";

let drawing: Map<string, PromiseWithResolvers<string | null>>;
let drawn: string[];
let saved: string[];
let queue: PosterQueue;

beforeEach(() => {
  drawing = new Map();
  drawn = [];
  saved = [];
  queue = createPosterQueue({
    draw(view) {
      drawn.push(view.id);
      const pending = Promise.withResolvers<string | null>();
      drawing.set(view.id, pending);
      return pending.promise;
    },
    save: (view, image) => Promise.resolve(void saved.push(`${view.id} ${image}`)),
  });
});

const video = (number: number): MediaView => mediaView(number, { kind: "video" });
async function end(id: string, image: string | null | Error): Promise<void> {
  if (image instanceof Error) drawing.get(id)?.reject(image);
  else drawing.get(id)?.resolve(image);
  await new Promise((resolve) => setImmediate(resolve));
}

it("draws two at a time, in the order in which they were asked for", async () => {
  for (const number of [1, 2, 3, 4]) queue.ask(video(number));
  expect(drawn).toEqual(["med_1", "med_2"]);
  await end("med_2", "b");
  expect([drawn, saved]).toEqual([["med_1", "med_2", "med_3"], ["med_2 b"]]);
  await end("med_1", "a");
  expect(drawn).toEqual(["med_1", "med_2", "med_3", "med_4"]);
});

it("passes over what has gone out of sight before its turn, and draws it when it is back", async () => {
  queue.ask(video(1));
  queue.ask(video(2));
  queue.ask(video(3))();
  await end("med_1", "a");
  expect(drawn).toEqual(["med_1", "med_2"]);
  queue.ask(video(3));
  expect(drawn).toEqual(["med_1", "med_2", "med_3"]);
});

it("draws each video once, however often it is asked for and however it ended", async () => {
  queue.ask(video(1))();
  await end("med_1", null);
  queue.ask(video(2));
  await end("med_2", new Error("not a video"));
  for (const number of [1, 2]) queue.ask(video(number));
  expect([drawn, saved]).toEqual([["med_1", "med_2"], []]);
});

it("goes on after a failure", async () => {
  for (const number of [1, 2, 3]) queue.ask(video(number));
  await end("med_1", new Error("broken"));
  await end("med_3", "c");
  expect(saved).toEqual(["med_3 c"]);
});

import { describe, expect, it } from "vitest";
import { useFilms, within } from "./running-films.ts";
import { WanClient } from "./wan-client.ts";

const films = useFilms();
const wan = new WanClient(films);

describe("a result's address", () => {
  it("gives parts of the file, as players ask for them", async () => {
    const address = within(await wan.finished(wan.t2v("a fox")), "output", "video_url");
    const whole = await films.file(address);
    const length = whole.bytes.length;
    for (const [range, from, to] of [
      ["bytes=0-99", 0, 99],
      ["bytes=100-", 100, length - 1],
      ["bytes=-10", length - 10, length - 1],
      [`bytes=5-${length * 2}`, 5, length - 1],
    ] as const) {
      const part = await films.file(address, range);
      expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes ${from}-${to}/${length}`]);
      expect(part.bytes.equals(whole.bytes.subarray(from, to + 1))).toBe(true);
    }
    const beyond = await films.file(address, `bytes=${length}-`);
    expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, `bytes */${length}`]);
  });

  it.each([
    "0000000-1281x720-10.mp4",
    "0000000-1280x720-0.mp4",
    "0000000-1280x720-9999.mp4",
    "0000000-9998x720-10.mp4",
    "x.mp4",
  ])("that no answer has named (%s) is not there", async (name) => {
    expect((await films.file(`${films.origin}/dashscope/results/videos/${name}`)).status).toBe(404);
  });
});

import { beforeEach, describe, expect, it, vi } from "vitest";
import { TilePlayer } from "../../../../renderer/features/library/tile-player.ts";

/** As much of an audio element as the player touches. */
class FakeAudio extends EventTarget {
  src = "";
  paused = true;
  currentTime = 0;
  duration = Number.NaN;
  refuses = false;
  play(): Promise<void> {
    if (this.refuses) return Promise.reject(new Error("NotSupportedError"));
    this.paused = false;
    this.dispatchEvent(new Event("play"));
    return Promise.resolve();
  }
  pause(): void {
    this.paused = true;
    this.dispatchEvent(new Event("pause"));
  }
}

let audio: FakeAudio;
const playerOf = (prefersStill = false): TilePlayer =>
  new TilePlayer({ createAudio: () => audio as unknown as HTMLAudioElement, prefersStill: () => prefersStill });

beforeEach(() => {
  vi.useFakeTimers();
  audio = new FakeAudio();
  return () => vi.useRealTimers();
});

describe("films", () => {
  it("play when someone stays, one at a time, and stop when they leave", () => {
    const player = playerOf();
    player.look("a");
    expect(player.plays("a")).toBe(false);
    vi.runAllTimers();
    expect(player.plays("a")).toBe(true);
    player.look("b");
    expect(player.plays("a")).toBe(false);
    vi.runAllTimers();
    expect([player.plays("a"), player.plays("b")]).toEqual([false, true]);
    player.look(null);
    expect(player.plays("b")).toBe(false);
  });

  it("do not play where someone only passes by, or wants less motion", () => {
    const player = playerOf();
    player.look("a");
    player.look(null);
    vi.runAllTimers();
    expect(player.plays("a")).toBe(false);
    const still = playerOf(true);
    still.look("a");
    vi.runAllTimers();
    expect(still.plays("a")).toBe(false);
  });
});

describe("sounds", () => {
  it("play, pause and go on, one at a time", () => {
    const player = playerOf();
    player.toggleSound("a", "/media/a");
    expect(audio.src).toBe("/media/a");
    Object.assign(audio, { currentTime: 1, duration: 4 });
    audio.dispatchEvent(new Event("timeupdate"));
    expect(player.getSound("a")).toEqual({ id: "a", playing: true, at: 1, share: 0.25 });
    player.toggleSound("a", "/media/a?later");
    expect(player.getSound("a")?.playing).toBe(false);
    player.toggleSound("a", "/media/a?later");
    expect([player.getSound("a")?.playing, audio.src]).toEqual([true, "/media/a"]);
    player.toggleSound("b", "/media/b");
    expect([player.getSound("a"), player.getSound("b")?.playing, audio.src]).toEqual([null, true, "/media/b"]);
    player.stop();
    expect([player.getSound("b"), audio.paused]).toEqual([null, true]);
  });

  it("stand still where they cannot be played", async () => {
    audio.refuses = true;
    const player = playerOf();
    player.toggleSound("a", "/media/a");
    await expect.poll(() => player.getSound("a")?.playing).toBe(false);
  });
});

import { beforeEach, describe, expect, it } from "vitest";
import { ClockWatch } from "../../../gateway/services/clock-watch.ts";

const NOON = Date.UTC(2026, 10, 22, 12);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEARS = 365.25 * DAY;

/** A machine: its clocks, and what Postern tells its owner. */
class Machine {
  wall = NOON;
  monotonic = 0;
  uptime = 1e9;
  readonly reports: string[] = [];
  due: (() => void) | null = null;
  readonly watch = new ClockWatch({
    clock: { now: () => this.wall, monotonic: () => this.monotonic },
    uptime: () => this.uptime,
    later: (_ms, work) => {
      this.due = work;
      return () => (this.due = null);
    },
    notices: { add: (_level, message) => void this.reports.push(message) },
  });

  /** Time passes, and Postern looks at the clocks. */
  pass(ms: number): void {
    this.wall += ms;
    this.monotonic += ms;
    this.uptime += ms;
    this.due?.();
  }

  /** The clock that counts while a program runs stands still meanwhile. */
  sleep(ms: number): void {
    this.wall += ms;
    this.uptime += ms;
  }
}

let machine: Machine;
beforeEach(() => {
  machine = new Machine();
  machine.watch.start(null);
});

describe("the owner", () => {
  it.each([
    ["forward", 40 * YEARS, "2066-11-22"],
    ["back", -40 * YEARS, "1986-11-22"],
    ["forward", 10 * MINUTE, "2026-11-22 12:11"],
    ["back", -DAY, "2026-11-21"],
  ])("is reported once when the clock is set %s by %i ms", (way, jump, date) => {
    machine.wall += jump;
    machine.pass(MINUTE);
    machine.pass(HOUR);
    expect(machine.reports).toHaveLength(1);
    expect(machine.reports[0]).toContain(`set ${way}, from 2026-11-22 12:01 UTC to ${date}`);
  });

  it("is reported again when it is put right", () => {
    machine.wall += 40 * YEARS;
    machine.pass(MINUTE);
    machine.wall -= 40 * YEARS;
    machine.pass(MINUTE);
    expect(machine.reports).toHaveLength(2);
    expect(machine.reports[1]).toContain("set back");
  });

  it("is not notified of a machine that slept, of corrections, nor of clocks that drift apart slowly", () => {
    machine.sleep(30 * DAY);
    machine.pass(MINUTE);
    for (let day = 0; day < 365; day += 1) {
      machine.wall += MINUTE;
      machine.pass(DAY);
    }
    machine.wall -= 4 * MINUTE;
    machine.pass(MINUTE);
    expect(machine.reports).toEqual([]);
  });

  it.each<[string, number | null, boolean]>([
    ["nothing was ever called", null, false],
    ["the last call was yesterday", NOON - DAY, false],
    ["the last call was 11 months ago", NOON - 334 * DAY, false],
    ["the last call was a minute from now", NOON + MINUTE, false],
    ["the last call was an hour from now", NOON + HOUR, true],
    ["the last call was in 2066", NOON + 40 * YEARS, true],
    ["the last call was in 1986", NOON - 40 * YEARS, true],
  ])("is reported at a start where %s: %s is %s", (_name, last, reported) => {
    const fresh = new Machine();
    fresh.watch.start(last);
    expect(fresh.reports.length === 1).toBe(reported);
    expect(fresh.watch.doubtful).toBe(reported);
  });
});

describe("dates", () => {
  it("are doubtful for a day after the clock was set, also when no one has looked since", () => {
    expect(machine.watch.doubtful).toBe(false);
    machine.wall += 40 * YEARS;
    expect(machine.watch.doubtful).toBe(true);
    machine.pass(DAY - MINUTE);
    expect(machine.watch.doubtful).toBe(true);
    machine.pass(MINUTE);
    expect(machine.watch.doubtful).toBe(false);
  });
});

it("looks no more when it is stopped", () => {
  machine.watch.stop();
  expect(machine.due).toBeNull();
});

import { expect } from "vitest";

/** A quadratic run takes 16 times as long for four times the input, a linear one four times. */
const TIMES = 4;
const MAX_RATIO = 9;
/** Shorter runs are noise, in microseconds. */
const NOISE = 3_000;

/** Fails where the CPU time of a run grows faster than its input. @param make prepares the input of a size */
export function expectLinear<T>(size: number, make: (size: number) => T, run: (input: T) => unknown): void {
  const cost = (input: T): number => {
    const times = [0, 1, 2].map(() => {
      const before = process.cpuUsage();
      run(input);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    });
    return Math.max(NOISE, Math.min(...times));
  };
  const small = cost(make(size));
  expect(cost(make(size * TIMES)) / small).toBeLessThan(MAX_RATIO);
}

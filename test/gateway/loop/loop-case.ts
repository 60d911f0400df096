import type { LoopWorld } from "./loop-world.ts";

/** Input of a size that has once cost more than its size says, through one endpoint. */
export interface LoopCase {
  readonly name: string;
  /** The size that nothing may be blocked by. */
  readonly full: number;
  readonly run: (world: LoopWorld, size: number) => Promise<number>;
}

import { useState } from "react";
import type { TriedTool, TryTool } from "../../../gateway/contract/mcp.ts";
import { useGateway } from "../../api/gateway.tsx";

export interface Trial {
  readonly quote: boolean;
  readonly key: string;
  /** Unix milliseconds. */
  readonly from: number;
  /** How long it took; null while it runs. */
  readonly ms: number | null;
  readonly answer: TriedTool | null;
  /** What kept it from being answered at all. */
  readonly error: unknown;
}

export interface Trying {
  /** The newest one; null before the first. */
  readonly trial: Trial | null;
  readonly running: boolean;
  start(input: TryTool): void;
}

/** Calls of one tool from its form, one at a time. */
export function useTry(): Trying {
  const { client } = useGateway();
  const [trial, setTrial] = useState<Trial | null>(null);
  const running = trial !== null && trial.ms === null;
  const run = async (input: TryTool): Promise<void> => {
    const begun = { quote: input.quote === true, key: input.key, from: Date.now(), answer: null, error: null };
    const start = performance.now();
    setTrial({ ...begun, ms: null });
    try {
      const answer = await client.call("tryTool", input);
      setTrial({ ...begun, ms: performance.now() - start, answer });
    } catch (error) {
      setTrial({ ...begun, ms: performance.now() - start, error });
    }
  };
  return {
    trial,
    running,
    start: (input) => {
      if (!running) void run(input);
    },
  };
}

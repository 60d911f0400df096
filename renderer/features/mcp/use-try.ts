import { useRef, useState } from "react";
import type { TriedTool, TryTool } from "../../../gateway/contract/mcp.ts";
import { ControlError } from "../../api/client.ts";
import { useGateway } from "../../api/gateway.tsx";
import { useNotify } from "../../components/ui/toasts.tsx";

export interface Trial {
  readonly quote: boolean;
  readonly key: string;
  /** Unix milliseconds. */
  readonly from: number;
  /** How long it took; null while it runs. */
  readonly ms: number | null;
  readonly response: TriedTool | null;
  /** Error that prevented a response. */
  readonly error: unknown;
}

export interface Trying {
  /** The newest one; null before the first. */
  readonly trial: Trial | null;
  readonly running: boolean;
  /** It is being cancelled. */
  readonly ending: boolean;
  start(input: TryTool): void;
  /** Cancels the running call; its response reports it. */
  cancel(): void;
}

/** Calls of one tool from its form, one at a time. */
export function useTry(): Trying {
  const { client } = useGateway();
  const notify = useNotify();
  const [trial, setTrial] = useState<Trial | null>(null);
  const [ending, setEnding] = useState(false);
  const name = useRef("");
  const running = trial !== null && trial.ms === null;
  const run = async (input: TryTool): Promise<void> => {
    const started = { quote: input.quote === true, key: input.key, from: Date.now(), response: null, error: null };
    const start = performance.now();
    setTrial({ ...started, ms: null });
    name.current = crypto.randomUUID();
    try {
      const response = await client.call("tryTool", { ...input, trial: name.current });
      setTrial({ ...started, ms: performance.now() - start, response });
    } catch (error) {
      setTrial({ ...started, ms: performance.now() - start, error });
    }
    setEnding(false);
  };
  const cancel = async (): Promise<void> => {
    setEnding(true);
    try {
      await client.call("cancelTrial", { trial: name.current });
    } catch (error) {
      setEnding(false);
      // It ended meanwhile: its response is arriving.
      if (!(error instanceof ControlError && error.code === "not_found")) notify.showError(error);
    }
  };
  return {
    trial,
    running,
    ending,
    start: (input) => {
      if (!running) void run(input);
    },
    cancel: () => {
      if (running && !ending) void cancel();
    },
  };
}

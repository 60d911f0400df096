import { useEffect, useRef, useState } from "react";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";
import { useGateway } from "../../../api/gateway.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import { asUnreachable, callV1, readRequestId } from "../../../api/v1/call-v1.ts";
import { isStop } from "../../../api/v1/call-facts.ts";
import { playgroundKey } from "../../../api/v1/playground-key.ts";
import { waitForReceipt } from "../../../api/v1/settled.ts";
import { readChatStream } from "../../../api/v1/chat-stream.ts";

export interface TrialState {
  readonly status: "idle" | "running" | "done" | "failed";
  readonly model: string;
  readonly text: string;
  readonly ms: number;
  /** Null until it is known. */
  readonly receipt: Receipt | null;
  readonly fault: unknown;
}

export interface Trial {
  readonly prompt: string;
  readonly state: TrialState;
  write(prompt: string): void;
  send(model: string): void;
  stop(): void;
}

const idle: TrialState = { status: "idle", model: "", text: "", ms: 0, receipt: null, fault: null };

/** Sends a question to a model, as the playground does: with its key, over /v1, streamed. It ends with the page. */
export function useTrial(): Trial {
  const t = useMessages();
  const { client } = useGateway();
  const [prompt, write] = useState(t.firstRun.promptText);
  const [state, setState] = useState(idle);
  const stopped = useRef<AbortController | null>(null);
  useEffect(() => () => stopped.current?.abort(), []);

  const run = async (model: string, stop: AbortController): Promise<void> => {
    const change = (part: Partial<TrialState>): void => {
      if (stopped.current === stop) setState((before) => ({ ...before, ...part }));
    };
    setState({ ...idle, status: "running", model });
    const key = playgroundKey(client);
    const from = performance.now();
    let text = "";
    try {
      const body = { model, stream: true, messages: [{ role: "user", content: prompt }] };
      const response = await callV1(key, { path: "/v1/chat/completions", body }, stop.signal);
      await readChatStream(response, ({ choices }) => {
        text += choices?.[0]?.delta?.content ?? "";
        change({ text });
      });
      change({ status: "done", ms: performance.now() - from });
      const id = readRequestId(response);
      const { key: view } = await key.get();
      if (id !== null) change({ receipt: await waitForReceipt(client, view.id, id) });
    } catch (thrown) {
      const error = asUnreachable(thrown);
      change(isStop(error) ? { status: "idle" } : { status: "failed", fault: error });
    }
  };

  return {
    prompt,
    state,
    write,
    send(model) {
      const stop = new AbortController();
      stopped.current = stop;
      void run(model, stop);
    },
    stop: () => stopped.current?.abort(),
  };
}

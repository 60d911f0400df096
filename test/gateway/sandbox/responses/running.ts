import OpenAI from "openai";
import { useSandbox } from "../running-sandbox.ts";

export interface RunningResponses {
  readonly client: OpenAI;
  /** `POST /v1/responses` of OpenAI's protocol, for the plain model unless `body` names another. */
  send(body: Readonly<Record<string, unknown>>): Promise<Response>;
}

/** A sandbox for the tests of one file, seen through OpenAI's protocol. */
export function useResponses(): RunningResponses {
  const running = useSandbox();
  const base = (): string => `${running.sandbox.origin}/openai/v1`;
  return {
    get client() {
      return new OpenAI({ baseURL: base(), apiKey: running.sandbox.key, maxRetries: 0 });
    },
    send: async (body) =>
      fetch(`${base()}/responses`, {
        method: "POST",
        headers: { authorization: `Bearer ${running.sandbox.key}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "plain-model", ...body }),
      }),
  };
}

import Anthropic from "@anthropic-ai/sdk";
import AnthropicBefore1 from "anthropic-sdk-0";
import { useSandbox } from "../running-sandbox.ts";

export interface RunningMessages {
  readonly client: Anthropic;
  /** The SDK before 1.0, which sends its key as `x-api-key`. */
  readonly before1: AnthropicBefore1;
  readonly key: string;
  /** A `POST` of Anthropic's protocol, for the Claude model unless `body` names another. */
  send(
    body: Readonly<Record<string, unknown>>,
    path?: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>;
  get(path: string): Promise<Response>;
}

const HEADERS = { "anthropic-version": "2023-06-01", "content-type": "application/json" };

/** A sandbox for the tests of one file, seen through Anthropic's protocol. */
export function useMessages(): RunningMessages {
  const running = useSandbox();
  const base = (): string => `${running.sandbox.origin}/anthropic`;
  const keyed = () => ({ ...HEADERS, "x-api-key": running.sandbox.key });
  return {
    get client() {
      return new Anthropic({ baseURL: base(), apiKey: running.sandbox.key, maxRetries: 0 });
    },
    get before1() {
      return new AnthropicBefore1({ baseURL: base(), apiKey: running.sandbox.key, maxRetries: 0 });
    },
    get key() {
      return running.sandbox.key;
    },
    send: async (body, path = "/v1/messages", headers = keyed()) =>
      fetch(`${base()}${path}`, {
        method: "POST",
        headers,
        body: JSON.stringify({ model: "claude-model", max_tokens: 1_000, ...body }),
      }),
    get: async (path) => fetch(`${base()}${path}`, { headers: keyed() }),
  };
}

export const requests = (content: string) => [{ role: "user" as const, content }];

import { afterAll, afterEach, beforeAll } from "vitest";
import { startGateway, type TestGateway, type TestOptions } from "./running-gateway.ts";
import { WireProvider, reply, replyEvents, type WireAct } from "./wire-provider.ts";

/** A gateway with a provider that speaks chat, one that speaks messages, and a SearXNG; the tests say what each does. */
export interface SearchWorld {
  readonly postern: TestGateway;
  /** OpenAI below `/v1`, DeepSeek below `/deepseek`. */
  readonly wire: WireProvider;
  readonly searx: WireProvider;
}

/** Speaks chat alone, whatever the client speaks. */
export const FOREIGN = "deepseek-v4-flash";

export async function searchWorld(options: TestOptions = {}): Promise<SearchWorld> {
  const wire = new WireProvider();
  const searx = new WireProvider();
  await Promise.all([wire.listen(), searx.listen()]);
  const postern = await startGateway({
    ...options,
    env: {
      POSTERN_OPENAI_BASE_URL: `${wire.origin}/v1`,
      POSTERN_OPENAI_API_KEY: "sk-provider",
      POSTERN_ANTHROPIC_BASE_URL: wire.origin,
      POSTERN_ANTHROPIC_API_KEY: "sk-ant-api03-provider",
      POSTERN_DEEPSEEK_BASE_URL: `${wire.origin}/deepseek`,
      POSTERN_DEEPSEEK_API_KEY: "sk-deepseek-provider",
      ...options.env,
    },
  });
  return { postern, wire, searx };
}

export async function closeWorld({ postern, wire, searx }: SearchWorld): Promise<void> {
  await postern.close();
  await Promise.all([wire.close(), searx.close()]);
}

/**
 * Such a world for all tests of a file.
 * @param price of a search, which SearXNG does then; undefined: no search is set
 */
export function useSearchWorld(price?: number | null, options: TestOptions = {}): SearchWorld {
  const world = {} as SearchWorld;
  beforeAll(async () => {
    Object.assign(world, await searchWorld(options));
    if (price !== undefined) await setSearch(world, price);
  });
  afterAll(() => closeWorld(world));
  afterEach(() => {
    world.wire.reset();
    world.searx.reset();
  });
  return world;
}

export const CHAT_ROUTE = "POST /deepseek/v1/chat/completions";

/** Has SearXNG search, at so much for each. */
export async function setSearch({ postern, searx }: SearchWorld, priceUsd: number | null = null): Promise<void> {
  await postern.ask("PATCH", "/settings", {
    search_provider: "searxng",
    searxng_url: `${searx.origin}/`,
    search_price_usd: priceUsd,
  });
}

/** What SearXNG finds for any query. */
export const found = (...pages: readonly (readonly [title: string, url: string, content: string])[]): WireAct =>
  reply(200, { query: "?", results: pages.map(([title, url, content]) => ({ title, url, content })) });

interface Called {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
}

const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

/** A chat completion that says something and calls functions. */
export function says(content: string | null, ...calls: readonly Called[]): WireAct {
  return reply(200, {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_700_000_000,
    model: FOREIGN,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content,
          ...(calls.length === 0 ? {} : { tool_calls: calls.map((call) => toolCall(call)) }),
        },
        finish_reason: calls.length === 0 ? "stop" : "tool_calls",
      },
    ],
    usage: USAGE,
  });
}

const toolCall = ({ id, name, arguments: given }: Called) => ({
  id,
  type: "function",
  function: { name, arguments: JSON.stringify(given) },
});

/** The same as a stream, its text in pieces of three characters. */
export function streams(content: string, ...calls: readonly Called[]): WireAct {
  const chunk = (choice: object, rest: object = {}) =>
    `data: ${JSON.stringify({
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 1_700_000_000,
      model: FOREIGN,
      choices: [{ index: 0, finish_reason: null, ...choice }],
      ...rest,
    })}\n\n`;
  const pieces = content.match(/[\s\S]{1,3}/gu) ?? [];
  return replyEvents(
    chunk({ delta: { role: "assistant", content: "" } }),
    ...pieces.map((piece) => chunk({ delta: { content: piece } })),
    ...calls.map((call, index) => chunk({ delta: { tool_calls: [{ index, ...toolCall(call) }] } })),
    chunk({ delta: {}, finish_reason: calls.length === 0 ? "stop" : "tool_calls" }),
    `data: ${JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: FOREIGN, choices: [], usage: USAGE })}\n\n`,
    "data: [DONE]\n\n",
  );
}

export const searchCall = (id: string, query: string): Called => ({ id, name: "web_search", arguments: { query } });

import type { WireAct } from "./wire-provider.ts";

/**
 * Providers that meter in their own ways. What they charge is reckoned here from the owners' price pages and from nothing of
 * Postern's: developers.openai.com/api/docs/pricing, platform.claude.com/docs/en/about-claude/pricing,
 * ai.google.dev/gemini-api/docs/pricing, docs.x.ai/developers/pricing and /cost-tracking, openrouter.ai/docs/use-cases/
 * usage-accounting; read in LiteLLM 1.110.2's copies, 2026-11-29. Rates are nano USD for a thousand tokens.
 */

interface Rates {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  readonly written?: number;
  readonly writtenLong?: number;
}
interface Sold extends Rates {
  /** The whole request costs these above so many prompt tokens. */
  readonly long?: Rates & { readonly above: number };
  readonly tiers: Readonly<Record<string, number>>;
}

const OPENAI: Readonly<Record<string, Sold>> = {
  "gpt-5.4": {
    input: 2_500_000,
    cached: 250_000,
    output: 15_000_000,
    long: { above: 272_000, input: 5_000_000, cached: 500_000, output: 22_500_000 },
    tiers: { default: 1, flex: 0.5, priority: 2 },
  },
  "gpt-6.1-sol": {
    input: 2_000_000,
    cached: 100_000,
    written: 2_500_000,
    writtenLong: 5_000_000,
    output: 10_000_000,
    long: {
      above: 272_000,
      input: 4_000_000,
      cached: 200_000,
      written: 5_000_000,
      writtenLong: 10_000_000,
      output: 15_000_000,
    },
    tiers: { default: 1, flex: 0.5, priority: 2, ultrafast: 6 },
  },
};
const CLAUDE: Readonly<Record<string, Sold>> = {
  "claude-opus-5-5": {
    input: 4_000_000,
    cached: 200_000,
    written: 5_000_000,
    writtenLong: 8_000_000,
    output: 20_000_000,
    tiers: { standard: 1, fast: 2 },
  },
  "claude-sonnet-5-5": {
    input: 2_000_000,
    cached: 100_000,
    written: 2_500_000,
    writtenLong: 4_000_000,
    output: 10_000_000,
    tiers: { standard: 1 },
  },
};
/** The advisor's model. */
const OPUS_4_8: Rates = { input: 5_000_000, cached: 500_000, output: 25_000_000 };
const GEMINI: Sold = {
  input: 1_500_000,
  cached: 150_000,
  output: 9_000_000,
  tiers: { default: 1, flex: 0.5, priority: 1.8 },
};
const SEARCH = 10_000_000;
const FILE_SEARCH = 2_500_000;
const CONTAINER = 30_000_000;

interface Tokens {
  readonly input: number;
  readonly cached: number;
  readonly written: number;
  readonly writtenLong: number;
  readonly output: number;
}

export interface Random {
  /** A whole number from 0 to below the bound. */
  below(bound: number): number;
  pick<T>(list: readonly T[]): T;
}

/** Numbers that are the same for the same seed (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number): number => Math.floor(next() * bound);
  return { below, pick: (list) => list[below(list.length)] as never };
}

const priced = (tokens: Tokens, rates: Rates, factor: number): number =>
  ((tokens.input * rates.input +
    tokens.cached * rates.cached +
    tokens.written * (rates.written ?? 0) +
    tokens.writtenLong * (rates.writtenLong ?? 0) +
    tokens.output * rates.output) *
    factor) /
  1_000;

const prompt = ({ input, cached, written, writtenLong }: Tokens): number => input + cached + written + writtenLong;
const sum = (tokens: Tokens): number => prompt(tokens) + tokens.output;

/** The acts of the providers, and what each charged for a case: nano USD by the number that its prompt names. */
export class Meter {
  readonly charges = new Map<number, number>();
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  #charge(body: unknown, nano: number): void {
    this.charges.set(Number(/case-(\d+)-/.exec(JSON.stringify(body))?.[1]), nano);
  }

  #tokens(sold: Rates, most: number): Tokens {
    const { below } = this.#random;
    const part = (): number => (below(2) === 0 ? 0 : below(most));
    const written = sold.written === undefined ? 0 : part();
    const writtenLong = sold.writtenLong === undefined ? 0 : part();
    return { input: 1 + below(most), cached: part(), written, writtenLong, output: 1 + below(9_000) };
  }

  /** `POST /chat/completions` of OpenAI. */
  openaiChat: WireAct = (seen, outgoing) => {
    const { model, tier, tokens, nano } = this.#openai(seen.json);
    this.#charge(seen.json, nano);
    const usage = {
      prompt_tokens: prompt(tokens),
      completion_tokens: tokens.output,
      total_tokens: sum(tokens),
      prompt_tokens_details: { cached_tokens: tokens.cached, ...written(tokens) },
      completion_tokens_details: { reasoning_tokens: this.#random.below(tokens.output) },
    };
    sendChat(seen.json, outgoing, { model, usage, service_tier: tier });
  };

  #openai(body: unknown) {
    const { pick } = this.#random;
    const { model } = body as { model: string };
    const sold = OPENAI[model] as Sold;
    const tokens = this.#tokens(sold, pick([900, 40_000, 160_000]));
    const isLong = sold.long !== undefined && prompt(tokens) > sold.long.above;
    const tier = isLong ? "default" : pick(Object.keys(sold.tiers));
    const nano = priced(tokens, isLong ? (sold.long ?? sold) : sold, sold.tiers[tier] ?? 1);
    return { model, tier, tokens, nano };
  }

  /** `POST /responses` of OpenAI, with the tools that it ran. */
  openaiResponses: WireAct = (seen, outgoing) => {
    const { below } = this.#random;
    const { model, tier, tokens, nano } = this.#openai(seen.json);
    const [searches, files, containers] = [below(4), below(3), below(2)];
    this.#charge(seen.json, nano + searches * SEARCH + files * FILE_SEARCH + containers * CONTAINER);
    const items = (count: number, item: object): object[] => Array.from({ length: count }, () => ({ ...item }));
    const output = [
      ...items(searches, { type: "web_search_call", status: "completed", action: { type: "search", query: "q" } }),
      ...items(below(2), { type: "web_search_call", status: "completed", action: { type: "open_page", url: "u" } }),
      ...items(files, { type: "file_search_call", status: "completed", queries: ["q"] }),
      // Two runs in one container.
      ...items(containers * 2, { type: "code_interpreter_call", status: "completed", container_id: "cntr_1" }),
      { type: "message", id: "msg_1", role: "assistant", content: [{ type: "output_text", text: "Hello." }] },
    ];
    const usage = {
      input_tokens: prompt(tokens),
      input_tokens_details: { cached_tokens: tokens.cached, ...written(tokens) },
      output_tokens: tokens.output,
      output_tokens_details: { reasoning_tokens: below(tokens.output) },
      total_tokens: sum(tokens),
    };
    const response = {
      id: "resp_1",
      object: "response",
      status: "completed",
      model,
      service_tier: tier,
      output,
      usage,
    };
    if (!isStream(seen.json)) return send(outgoing, response);
    sendEvents(outgoing, [
      { type: "response.output_text.delta", delta: "Hello." },
      { type: "response.completed", response },
    ]);
  };

  /** `POST /messages` of Anthropic. */
  messages: WireAct = (seen, outgoing) => {
    const { below, pick } = this.#random;
    const { model } = seen.json as { model: string };
    const sold = CLAUDE[model] as Sold;
    const speed = pick(Object.keys(sold.tiers));
    const geo = pick(["global", "us"]);
    const factor = (sold.tiers[speed] ?? 1) * (geo === "us" ? 1.1 : 1);
    const tokens = this.#tokens(sold, 50_000);
    const searches = below(4);
    const compaction = { input: below(180_000), cached: 0, written: 0, writtenLong: 0, output: below(4_000) };
    const advisor = { input: below(60_000), cached: 0, written: 0, writtenLong: 0, output: below(2_000) };
    const [compacts, advises] = [below(3) === 0, below(3) === 0 && speed === "standard"];
    this.#charge(
      seen.json,
      priced(tokens, sold, factor) +
        searches * SEARCH +
        (compacts ? priced(compaction, sold, factor) : 0) +
        (advises ? priced(advisor, OPUS_4_8, geo === "us" ? 1.1 : 1) : 0),
    );
    const own = {
      input_tokens: tokens.input,
      cache_read_input_tokens: tokens.cached,
      cache_creation_input_tokens: tokens.written + tokens.writtenLong,
      cache_creation: { ephemeral_5m_input_tokens: tokens.written, ephemeral_1h_input_tokens: tokens.writtenLong },
      output_tokens: tokens.output,
    };
    const more = ({ input, output }: Tokens): object => ({ input_tokens: input, output_tokens: output });
    const usage = {
      ...own,
      speed,
      inference_geo: geo,
      service_tier: "standard",
      ...(searches === 0 ? {} : { server_tool_use: { web_search_requests: searches } }),
      iterations: [
        ...(compacts ? [{ type: "compaction", ...more(compaction) }] : []),
        { type: "message", ...own },
        ...(advises ? [{ type: "advisor_message", model: "claude-opus-4-8", ...more(advisor) }] : []),
      ],
    };
    const message = {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model,
      stop_reason: "end_turn",
      stop_sequence: null,
    };
    if (!isStream(seen.json)) return send(outgoing, { ...message, content: [{ type: "text", text: "Hello." }], usage });
    sendEvents(outgoing, [
      {
        type: "message_start",
        message: { ...message, content: [], usage: { ...own, output_tokens: 1, speed, inference_geo: geo } },
      },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hello." } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage },
      { type: "message_stop" },
    ]);
  };

  /** Google's layer for OpenAI clients: thoughts are in the total alone. */
  gemini: WireAct = (seen, outgoing) => {
    const { below, pick } = this.#random;
    const tokens = this.#tokens(GEMINI, 50_000);
    const tier = pick(Object.keys(GEMINI.tiers));
    const thoughts = below(3_000);
    this.#charge(seen.json, priced({ ...tokens, output: tokens.output + thoughts }, GEMINI, GEMINI.tiers[tier] ?? 1));
    const usage = {
      prompt_tokens: prompt(tokens),
      completion_tokens: tokens.output,
      total_tokens: sum(tokens) + thoughts,
      prompt_tokens_details: { cached_tokens: tokens.cached },
    };
    sendChat(seen.json, outgoing, { model: "gemini-3.5-flash", usage, service_tier: tier });
  };

  /** xAI, which says in ticks what it charged, fees of its tools and discounts in it. */
  xai: WireAct = (seen, outgoing) => {
    const ticks = this.#random.below(2_000_000_000);
    this.#charge(seen.json, ticks / 10);
    const usage = { prompt_tokens: 1_000, completion_tokens: 50, total_tokens: 1_050, cost_in_usd_ticks: ticks };
    sendChat(seen.json, outgoing, { model: "grok-4.3", usage });
  };

  /** OpenRouter's shape, with the price of anyone who answered, or of a key of the user's own. */
  router: WireAct = (seen, outgoing) => {
    const { below } = this.#random;
    const [cost, upstream, isOwn] = [below(300_000) / 1e6, below(300_000) / 1e6, below(2) === 0];
    this.#charge(seen.json, (cost + (isOwn ? upstream : 0)) * 1e9);
    const own = isOwn ? { is_byok: true, cost_details: { upstream_inference_cost: upstream } } : {};
    const usage = { prompt_tokens: 1_000, completion_tokens: 50, total_tokens: 1_050, cost, ...own };
    sendChat(seen.json, outgoing, { model: "router/agent", usage });
  };
}

const written = (tokens: Tokens): object =>
  tokens.written + tokens.writtenLong === 0
    ? {}
    : {
        cache_write_tokens: tokens.written + tokens.writtenLong,
        cache_write_tokens_details: { ttl_30m_tokens: tokens.written, ttl_12h_tokens: tokens.writtenLong },
      };

const isStream = (body: unknown): boolean => (body as { stream?: boolean }).stream === true;

type Outgoing = Parameters<WireAct>[1];

function send(outgoing: Outgoing, body: object): void {
  outgoing.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function sendEvents(outgoing: Outgoing, events: readonly Readonly<Record<string, unknown>>[], end = ""): void {
  outgoing.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events)
    outgoing.write(
      `${typeof event["type"] === "string" ? `event: ${event["type"]}\n` : ""}data: ${JSON.stringify(event)}\n\n`,
    );
  outgoing.end(end);
}

function sendChat(
  body: unknown,
  outgoing: Outgoing,
  { usage, ...fields }: { usage: object; model: string; service_tier?: string },
): void {
  const head = { id: "c_1", created: 1, ...fields };
  const [index, finish_reason] = [0, "stop"];
  if (!isStream(body)) {
    const choices = [{ index, message: { role: "assistant", content: "Hello." }, finish_reason }];
    return send(outgoing, { ...head, object: "chat.completion", choices, usage });
  }
  const chunk = { ...head, object: "chat.completion.chunk" };
  const chunks = [
    { ...chunk, choices: [{ index, delta: { content: "Hello." }, finish_reason }] },
    { ...chunk, choices: [], usage },
  ];
  sendEvents(outgoing, chunks, "data: [DONE]\n\n");
}

import type { PromptPrefix } from "../../contract/prompt-prefix.ts";
import type { Receipt } from "../../contract/receipt.ts";
import { chooseEarlier, countMissed, priceMissed, sumInput } from "../../core/sessions/compare-prompts.ts";
import type { SentPrompt } from "../../core/sessions/compare-prompts.ts";
import type { Identity } from "../../core/sessions/identity.ts";
import { digestPrompt } from "../../core/sessions/prompt-digest.ts";
import type { PromptDigest } from "../../core/sessions/prompt-digest.ts";
import { BoundedMap } from "../../lib/bounded-map.ts";
import type { DialectAdapter } from "../../providers/provider.ts";
import type { Credential } from "../connections/connection.ts";
import type { Candidate } from "../models/served-model.ts";

/** Conversations that are remembered: of 200 messages each, 1.5 MB in all. */
const MAX_CONVERSATIONS = 500;
/** Prompts per conversation: requests of one agent may run at the same time. */
const MAX_PROMPTS = 3;

/** A session's request on its way to a provider. It is digested in the turn of the event loop after it was sent. */
export class OutgoingPrompt {
  readonly candidate: Candidate;
  readonly credential: Credential;
  readonly adapter: DialectAdapter;
  #body: Readonly<Record<string, unknown>> | null;
  #digest: PromptDigest | null = null;

  /** @param body in the provider's dialect, which must not change */
  constructor(
    body: Readonly<Record<string, unknown>>,
    target: { readonly candidate: Candidate; readonly credential: Credential; readonly adapter: DialectAdapter },
  ) {
    this.candidate = target.candidate;
    this.credential = target.credential;
    this.adapter = target.adapter;
    this.#body = body;
    setImmediate(() => this.digest);
  }

  /** Null if the request is not the whole prompt. */
  get digest(): PromptDigest | null {
    if (this.#body === null) return this.#digest;
    this.#digest = digestPrompt(this.#body);
    this.#body = null;
    return this.#digest;
  }
}

/** A settled request, as its receipt has it. */
export interface SettledPrompt extends Pick<Receipt, "id" | "terms" | "nano" | "kinds"> {
  /** When it was sent, Unix milliseconds. */
  readonly at: number;
}

/** The last prompts of each conversation, in memory: what the next one repeats of them is what its provider has cached. */
export class PromptHistory {
  readonly #prompts = new BoundedMap<string, readonly SentPrompt[]>(MAX_CONVERSATIONS);

  /**
   * Compares a prompt with the earlier ones of its conversation, and remembers it.
   * @returns undefined without an earlier one
   */
  compare(identity: Identity, outgoing: OutgoingPrompt, settled: SettledPrompt): PromptPrefix | undefined {
    const { digest, candidate, credential, adapter } = outgoing;
    const { id, at, terms, nano } = settled;
    const tokens = sumInput(terms);
    if (digest === null || tokens === 0) return undefined;
    const cached = terms.reduce((sum, { unit, quantity }) => (READ.has(unit) ? sum + quantity : sum), 0);
    const model = candidate.upstreamModel;
    const provider = `${candidate.connection.id} ${credential.hint}`;
    const prompt: SentPrompt = { id, at, model, provider, digest, tokens, cached };
    // A title is made from other instructions, and would replace a prompt of the conversation.
    const name = `${identity.session} ${identity.agent ?? ""} ${settled.kinds?.includes("background") === true}`;
    const earlier = this.#prompts.get(name) ?? [];
    this.#prompts.set(name, [...earlier, prompt].slice(-MAX_PROMPTS));
    const chosen = chooseEarlier(earlier, prompt);
    if (chosen === null) return undefined;
    const { sent, difference } = chosen;
    const marked = adapter.cachesFrom?.(model) ?? null;
    const least = marked ?? adapter.cachesUnmarkedFrom?.(model);
    const canCache = least !== undefined || cached > 0 || sent.cached > 0 || hasReadRate(candidate);
    const missed = canCache ? countMissed(sent, prompt) : null;
    const marks = digest.marks === null ? "none" : (sent.digest.marks ?? "none");
    return {
      after: sent.id,
      idle_ms: Math.round(at - sent.at),
      ...difference,
      ...(marked === null ? {} : { marks }),
      ...(least !== undefined && sent.tokens < least ? { least } : {}),
      missed,
      missed_nano: missed === null || nano === null ? null : priceMissed(missed, terms, candidate.price),
    };
  }
}

const READ: ReadonlySet<string> = new Set(["cached_input", "cached_audio_input"]);

const hasReadRate = ({ price }: Candidate): boolean => price?.tiers[0]?.rates.cached_input !== undefined;

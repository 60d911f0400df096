import type { Document } from "../../codecs/translation.ts";
import { GatewayError } from "../../core/errors.ts";
import { allowanceOf, boundFor, coveredBy, wantedFor } from "../../core/money/hold.ts";
import type { Allowance, Wanted } from "../../core/money/hold.ts";
import { dearestServed } from "../../core/money/served.ts";
import { estimatePromptTokens, mostPrompt } from "../../core/money/prompt-tokens.ts";
import type { MostPrompt } from "../../core/money/prompt-tokens.ts";
import type { Units } from "../../core/models/model.ts";
import type { Candidate, Route } from "../models/routes.ts";
import type { Speaker } from "./speak.ts";

/** The fields that bound an answer, in the dialects of clients. */
const BOUNDS = ["max_completion_tokens", "max_tokens", "max_output_tokens"] as const;

/**
 * The money of one conversation: what to hold for it, and the bound that its answers get for what was held. Looking at
 * every word of a long prompt is for those who need the figure: limited keys, and calls whose usage nobody told.
 */
export class ChatMoney {
  readonly #body: Document;
  readonly #route: Route;
  readonly #speaker: Speaker;
  readonly #known = new Map<Candidate, Allowance>();
  #prompt: MostPrompt | null = null;
  #isMetered = false;

  /** @param body the client's, after the rules. */
  constructor(body: Document, route: Route, speaker: Speaker) {
    this.#body = body;
    this.#route = route;
    this.#speaker = speaker;
  }

  /** What to hold for the call. From here on its answers are bounded by what was held. @param remaining nano USD. */
  wanted(remaining: number): Wanted {
    this.#isMetered = true;
    return wantedFor(this.#allowances(), remaining);
  }

  /** What each candidate allows that the request can be put to. @throws GatewayError when it cannot be put to any. */
  #allowances(): readonly Allowance[] {
    const allowances: Allowance[] = [];
    let failure: unknown = null;
    for (const candidate of this.#route.candidates) {
      try {
        allowances.push(this.#allowance(candidate));
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
        failure ??= error;
      }
    }
    if (allowances.length === 0) throw failure;
    return allowances;
  }

  /** What `DialectCall.bound` says to a candidate. @param held nano USD. */
  boundAt(candidate: Candidate, held: number): number | null {
    return this.#isMetered ? boundFor(this.#allowance(candidate), held) : null;
  }

  /** Output tokens of all answers of a candidate that what was held is enough for; Infinity without a limit. */
  coveredAt(candidate: Candidate, held: number): number {
    if (!this.#isMetered || candidate.price === null) return Infinity;
    const allowance = this.#allowance(candidate);
    return coveredBy(allowance, held) * allowance.answers;
  }

  /** The prompt as we count it, for answers whose provider does not report. */
  get likely(): Units {
    return { input: estimatePromptTokens(this.#body) };
  }

  /** The most that the prompt can have been, for requests whose answers nobody saw. */
  get most(): Units {
    return { input: this.#mostPrompt().tokens };
  }

  /** What the whole call is likely to be billed for its prompt, which is sent for each answer where it has to be. */
  likelyAt(candidate: Candidate): Units {
    return { input: estimatePromptTokens(this.#body) * this.#speaker.prompts(candidate) };
  }

  #mostPrompt(): MostPrompt {
    const { spec, id } = this.#route;
    const reader = { id, owner: spec?.owner ?? null, context: this.#context };
    return (this.#prompt ??= mostPrompt(this.#body, reader));
  }

  get #context(): number | null {
    const { spec, discovered } = this.#route;
    return spec?.contextLength ?? discovered?.context_length ?? null;
  }

  #allowance(candidate: Candidate): Allowance {
    const known = this.#known.get(candidate);
    if (known !== undefined) return known;
    const { spec, discovered } = this.#route;
    const longest = spec?.maxOutput ?? discovered?.max_output ?? null;
    const { perAnswer, answers, least, prompts } = this.#speaker.allows(candidate);
    const unbounded = perAnswer === null || perAnswer === Infinity;
    const body = this.#body;
    const allowance = allowanceOf({
      price: dearestServed(candidate.price, body),
      prompt: this.#mostPrompt(),
      prompts,
      answers: answers * prompts,
      // What is asked for beyond the model's own maximum is refused, or not given.
      perAnswer: perAnswer === Infinity ? this.#context : lowest(perAnswer, longest ?? this.#context),
      open: unbounded || !BOUNDS.some((field) => typeof body[field] === "number"),
      least,
      longestKnown: longest !== null && perAnswer !== Infinity,
      speaks: Array.isArray(body["modalities"]) && body["modalities"].includes("audio"),
      draws: false,
    });
    this.#known.set(candidate, allowance);
    return allowance;
  }
}

function lowest(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

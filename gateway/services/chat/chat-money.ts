import type { Document } from "../../codecs/translation.ts";
import { findMedia, withoutAudio } from "../../core/chat/prompt-media.ts";
import { GatewayError } from "../../core/errors.ts";
import { getAllowance, chooseBound, computeCovered, computeHoldRequest } from "../../core/money/hold.ts";
import type { Allowance, HoldRequest } from "../../core/money/hold.ts";
import { raiseToRequested } from "../../core/money/price.ts";
import { boundPrompt, estimatePromptTokens, findMostPrompt } from "../../core/money/prompt-tokens.ts";
import type { CountedPrompt, PromptReader } from "../../core/money/prompt-tokens.ts";
import type { Billed, Price, PriceFacts, Units } from "../../core/models/model.ts";
import type { Candidate, ServedModel } from "../models/served-model.ts";
import type { RequestTranslator } from "./request-translator.ts";

/**
 * Divisor: for up to 1/32 of the remaining money a rough estimate suffices, because holding too much does no harm
 * there. Counting a long prompt exactly takes as long as all other work on it.
 */
const LITTLE = 32;

/** The fields that bound a response, in the dialects of clients. */
const BOUNDS = ["max_completion_tokens", "max_tokens", "max_output_tokens"] as const;

/**
 * Computes the hold for one conversation and the output bound that follows from it. A long prompt is counted exactly
 * only if the figure is needed: for limited keys, and for calls whose provider reported no usage.
 */
export class ChatMoney {
  readonly #body: Document;
  readonly #servedModel: ServedModel;
  readonly #speaker: RequestTranslator;
  /** Entries of the candidates used so far, nearly always one. */
  #known: readonly Known[] = [];
  readonly #before: ChatMoney | null;
  #prompt: CountedPrompt | null = null;
  /** The prompt with long texts counted by their bytes, while that is good enough; null if it must be or is exact. */
  #rough: CountedPrompt | null = null;
  readonly #mayBeRough: boolean;
  #isMetered = false;

  /**
   * @param body the client's body, after the rules.
   * @param before money of the same call at another model, which may have counted this body; null without one
   * @param mayBeRough whether the hold may exceed the prompt's max cost, if that is little of what is left
   */
  constructor(
    body: Document,
    servedModel: ServedModel,
    translator: RequestTranslator,
    before: ChatMoney | null = null,
    mayBeRough = false,
  ) {
    this.#mayBeRough = mayBeRough;
    this.#before = before;
    this.#body = body;
    this.#servedModel = servedModel;
    this.#speaker = translator;
  }

  /** Returns the hold for the call and bounds its responses accordingly. @param remaining nano USD. */
  computeCost(remaining: number): HoldRequest {
    this.#isMetered = true;
    return this.weigh(remaining);
  }

  /** Returns the hold for the call without bounding anything. @param remaining nano USD. */
  weigh(remaining: number): HoldRequest {
    if (this.#takesRoughly()) {
      const roughly = computeHoldRequest(this.#allowances(), remaining);
      if (roughly.nano <= remaining / LITTLE) return roughly;
      this.#rough = null;
      this.#known = [];
    }
    return computeHoldRequest(this.#allowances(), remaining);
  }

  /** Looks at the prompt without its long texts; a short one is counted whole by it. */
  #takesRoughly(): boolean {
    if (!this.#mayBeRough || (this.#prompt !== null && this.#rough === null)) return false;
    const counted = this.#rough ?? findMostPrompt(this.#body, this.#reader, this.#counted, true);
    if (counted.rough) this.#rough = counted;
    else this.#prompt = counted;
    return counted.rough;
  }

  /** Returns the allowance of each candidate that can take the request. @throws GatewayError if none can take it. */
  #allowances(): readonly Allowance[] {
    const allowances: Allowance[] = [];
    let failure: unknown = null;
    for (const candidate of this.#servedModel.candidates) {
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

  /** Returns `DialectCall.bound` for a candidate. @param reserved nano USD. */
  findBound(candidate: Candidate, reserved: number): number | null {
    return this.#isMetered ? chooseBound(this.#allowance(candidate), reserved) : null;
  }

  /** Returns how many output tokens of a candidate the held money covers; Infinity without a limit. */
  computeCovered(candidate: Candidate, reserved: number): number {
    if (!this.#isMetered || candidate.price === null) return Infinity;
    const allowance = this.#allowance(candidate);
    return computeCovered(allowance, reserved) * allowance.choices;
  }

  /** Prompt units counted here, for responses that report no usage or were never seen. */
  get likely(): Units {
    return { input: estimatePromptTokens(this.#body) };
  }

  /** Estimates the prompt units of the whole call; the prompt may be sent once for each response. */
  estimatePrompt(candidate: Candidate): Units {
    return { input: estimatePromptTokens(this.#body) * this.#speaker.prompts(candidate) };
  }

  #mostPrompt(): CountedPrompt {
    return (this.#prompt ??= findMostPrompt(this.#body, this.#reader, this.#counted));
  }

  get #reader(): PromptReader {
    const { spec, id } = this.#servedModel;
    return { id, owner: spec?.owner ?? null, context: this.#context };
  }

  /** The count made for another model. */
  get #counted(): CountedPrompt | null {
    return this.#before === null ? null : this.#before.#countItems(this.#body);
  }

  #countItems(body: Document): CountedPrompt | null {
    return body === this.#body ? this.#prompt : null;
  }

  get #context(): number | null {
    const { spec, discovered } = this.#servedModel;
    return spec?.contextLength ?? discovered?.context_length ?? null;
  }

  #allowance(candidate: Candidate): Allowance {
    for (let index = 0; index < this.#known.length; index += 1) {
      const known = this.#known[index];
      if (known?.candidate === candidate) return known.allowance;
    }
    const allowance = this.#computeAllowance(candidate);
    // A list that is pushed to makes room for sixteen more.
    this.#known = [...this.#known, { candidate, allowance }];
    return allowance;
  }

  #computeAllowance(candidate: Candidate): Allowance {
    const { spec, discovered } = this.#servedModel;
    const sent = this.#speaker.getSentBody(this.#speaker.render(candidate));
    const longest = spec?.maxOutput ?? discovered?.max_output ?? null;
    const { perChoice, choices, least, countPrompts: prompts } = this.#speaker.readAllowedOutput(candidate);
    const unbounded = perChoice === null || perChoice === Infinity;
    const body = this.#body;
    return getAllowance({
      price: raiseToRequested(candidate.price, body),
      prompt: boundPrompt(this.#rough ?? this.#mostPrompt(), sent, this.#reader),
      prompts,
      choices: choices * prompts,
      // A request beyond the model's own maximum is refused or capped.
      perChoice: perChoice === Infinity ? this.#context : lowest(perChoice, longest ?? this.#context),
      open: unbounded || !BOUNDS.some((field) => typeof body[field] === "number"),
      least,
      longestKnown: longest !== null && perChoice !== Infinity,
      speaks: Array.isArray(body["modalities"]) && body["modalities"].includes("audio"),
      draws: false,
    });
  }
}

interface Known {
  readonly candidate: Candidate;
  readonly allowance: Allowance;
}

function lowest(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

/** Units that a response used. */
export interface CountedUnits {
  readonly units: Units;
  /** Whether some or all of the usage was counted here, because the provider did not report it. */
  readonly estimated: boolean;
  /** How it was served; undefined: as usual. */
  readonly served: PriceFacts | undefined;
}

/** Units that a response used, and everything billed for it. */
export interface MeteredUnits extends CountedUnits {
  readonly billed: Billed;
}

/**
 * Splits usage for prices that distinguish more than the provider reported. Separately priced audio is the rest of the
 * prompt after its text is counted here; unreported media counts make the call an estimate. Only such prices require
 * reading the prompt.
 * @param body the request as it was sent.
 */
export function meterMedia(price: Price | null, body: Document, counted: CountedUnits): CountedUnits {
  const { units, served } = counted;
  const rates = price?.tiers[0]?.rates;
  const hasUntold =
    rates?.audio_input !== undefined && rates.audio_input !== rates.input && units.audio_input === undefined;
  if (!hasUntold && price?.unmetered === undefined) return counted;
  const media = findMedia(body);
  const unknown = price?.unmetered?.find((medium) => media.has(medium));
  if (unknown !== undefined) return { ...counted, served: { ...served, prompt: unknown } };
  if (!hasUntold || !media.has("audio")) return counted;
  const input = units.input ?? 0;
  const words = Math.min(input, estimatePromptTokens(withoutAudio(body)));
  return { units: { ...units, input: words, audio_input: input - words }, estimated: true, served };
}

/** A text of fewer characters has fewer tokens. */
const CHARACTERS_PER_TOKEN = 3;
/** Characters between two counts: recounting a long text for every word would take longer than the words. */
const LOOK_AFTER = 512;
/** Max factor between our count and the provider's, plus a few words. */
const TOLERANCE = 1.25;
const TOLERATED = 64;

/**
 * Ends a stream that clearly exceeds its held money. The request already bounds the output; this covers providers that
 * ignore the bound.
 * @param covered output tokens that the held money covers; Infinity without a limit.
 * @param delivered output tokens of the response so far.
 * @returns a function from delivered characters to the next count to check, or to the error that ends the stream.
 */
export function spendGuard(covered: number, delivered: () => number): (characters: number) => number | GatewayError {
  const most = covered * TOLERANCE + TOLERATED;
  return (characters) => {
    const spare = most - (characters === 0 ? 0 : delivered());
    if (spare > 0) return characters + Math.max(LOOK_AFTER, spare * CHARACTERS_PER_TOKEN);
    return new GatewayError(
      "insufficient_quota",
      "The key's limit, or a budget, was reached in the middle of this response, so it was ended. Raise the limit on the Keys page, or the budget in the settings.",
    );
  };
}

import { REFERENCE_TOKENS } from "../../core/images/image-tokens.ts";
import { getImageBill, computeImageHold } from "../../core/images/image-cost.ts";
import type { ImageOrder } from "../../core/images/image-cost.ts";
import type { ModelSpec, Units } from "../../core/models/model.ts";
import { getAllowance, chooseBound, computeHoldRequest } from "../../core/money/hold.ts";
import type { Allowance } from "../../core/money/hold.ts";
import { mostTextTokens } from "../../core/money/text-tokens.ts";
import type { AllowedDrawing } from "../../providers/images.ts";
import { findMaxCost } from "../calls/paid-call.ts";
import type { CallCost } from "../calls/paid-call.ts";
import type { Candidate } from "../models/served-model.ts";

/** The money of one order of images, made or edited. */
export class ImageMoney {
  readonly #order: ImageOrder;
  readonly #spec: ModelSpec | null;
  readonly #candidates: readonly Candidate[];
  readonly #allows: (candidate: Candidate) => AllowedDrawing | null;
  #isMetered = false;

  /**
   * @param candidates with prices by the order's facts.
   * @param allows returns the output that a candidate's request allows; null if images are billed by number.
   */
  constructor(
    order: ImageOrder,
    spec: ModelSpec | null,
    candidates: readonly Candidate[],
    allows: (candidate: Candidate) => AllowedDrawing | null,
  ) {
    this.#order = order;
    this.#spec = spec;
    this.#candidates = candidates;
    this.#allows = allows;
  }

  /** Max cost, including failover. @param remaining nano USD; Infinity without a limit. */
  cost(remaining: number): CallCost {
    this.#isMetered = true;
    const drawn = this.#candidates.flatMap((candidate) => this.#allowance(candidate) ?? []);
    const ordered = this.#candidates.filter((candidate) => this.#allowance(candidate) === null);
    const fixed = findMaxCost(ordered, (price) => computeImageHold(this.#order, price, this.#spec?.image ?? null));
    const holdRequest = computeHoldRequest(drawn, remaining);
    return {
      nano: Math.max(fixed.nano, holdRequest.nano),
      least: Math.max(fixed.least, holdRequest.least),
      open: holdRequest.open,
    };
  }

  /** Returns `ImagesCall.bound` for a candidate. @param reserved nano USD. */
  getBound(candidate: Candidate, reserved: number): number | null {
    const allowance = this.#isMetered ? this.#allowance(candidate) : null;
    return allowance === null ? null : chooseBound(allowance, reserved);
  }

  /** Returns the units billed for images whose response was never seen. */
  estimateRequested({ price }: Candidate): Units {
    return getImageBill({ image: this.#order.count }, price, this.#order).units;
  }

  #allowance(candidate: Candidate): Allowance | null {
    const drawing = candidate.price?.tiers[0]?.rates.image === undefined ? this.#allows(candidate) : null;
    if (drawing === null || candidate.price === null) return null;
    const { prompt, references } = this.#order;
    const tokens = mostTextTokens(prompt) + references * REFERENCE_TOKENS;
    return getAllowance({
      ...drawing,
      price: candidate.price,
      prompt: { tokens, forAnHour: false, hasSound: false, searches: 0 },
      prompts: 1,
      longestKnown: true,
      speaks: false,
      draws: true,
    });
  }
}

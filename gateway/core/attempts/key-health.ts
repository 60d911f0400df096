import { HEALTHY, afterCall, mayCall, withCallUnderWay, worse } from "./breaker.ts";
import type { CallResult, Health, May } from "./breaker.ts";

/** Max models per key whose health is stored, as clients may send any name; the oldest is dropped. */
const MOST_MODELS = 50;
/** Pseudo model of list requests, which use a key without a model. */
const NO_MODEL = "";

/**
 * Health of one key of a connection: problems of the key itself, and problems of single models. A model whose last call
 * succeeded has no entry.
 */
export class KeyHealth {
  #key = HEALTHY;
  readonly #models = new Map<string, Health>();
  /** When a model answered while others were in trouble. */
  #answeredAt = Number.NEGATIVE_INFINITY;
  #lastAnswerAt: number | null = null;
  #callsWork = false;
  /** Until when a reading counts by which no credit is left; 0: none does. */
  #usedUpUntil = 0;

  mayCall(model: string, now: number): May {
    // Another account is asked first; the reading may be old, so that this one is never out of the question.
    if (this.#usedUpUntil > now) return worse("open", this.#mayCall(model, now));
    return this.#mayCall(model, now);
  }

  #mayCall(model: string, now: number): May {
    if (this.#key === HEALTHY && this.#models.size === 0) return "yes";
    return worse(mayCall(this.#key, now), mayCall(this.#models.get(model) ?? HEALTHY, now));
  }

  /**
   * Notes what the provider reports of the key's credit. Without any the key is called last, until a call shows that it
   * works.
   * @param until monotonic milliseconds until which the reading counts
   */
  noteCredit(isUsedUp: boolean, until: number): void {
    this.#usedUpUntil = isUsedUp ? until : 0;
  }

  /** Tells whether its provider said lately, in a reading or in a refusal, that its credit is used up. */
  isOutOfCredit(now: number): boolean {
    return this.#usedUpUntil > now || this.#key.state === "out_of_credit";
  }

  /** Notes the start of a call. Failed keys are probed by one call at a time. */
  begin(model: string, now: number): void {
    if (this.#key === HEALTHY && this.#models.size === 0) return;
    this.#key = withCallUnderWay(this.#key, now);
    const health = this.#models.get(model);
    if (health !== undefined) this.#models.set(model, withCallUnderWay(health, now));
  }

  /** Reports the end of a call. @returns whether the displayed health of this key may have changed */
  report(model: string, result: CallResult, now: number): boolean {
    const answered = result.kind === "answered";
    if (answered) this.#lastAnswerAt = now;
    if (answered && model !== NO_MODEL) this.#usedUpUntil = 0;
    if (answered) this.#callsWork = true;
    else if (result.kind !== "neutral") this.#callsWork = false;
    if (answered && this.#key === HEALTHY && this.#models.size === 0) return false;
    const key = this.#key;
    const before = this.#models.get(model) ?? HEALTHY;
    const isModels = (result.kind === "failed" || result.kind === "rate") && result.scope === "model";
    // A failure of one model shows that the server is reachable again.
    const reached = isModels && (key.state === "ready" || key.state === "open");
    this.#key = reached ? HEALTHY : afterCall(key, isModels ? { kind: "neutral" } : result, now);
    const after = afterCall(before, isModels || answered ? result : { kind: "neutral" }, now);
    this.#models.delete(model);
    if (after === HEALTHY) this.#answeredAt = answered && this.#models.size > 0 ? now : this.#answeredAt;
    else this.#keep(model, after);
    const failing = (key.reason === null) !== (this.#key.reason === null);
    return failing || key.state !== this.#key.state || before.state !== after.state;
  }

  /**
   * Reports a model list request. After a successful call, a failing list counts only if the user asked for it: some
   * keys may call but not list, and some servers have no list.
   */
  reportList(result: CallResult, now: number, byOwner: boolean): void {
    const works = this.#callsWork;
    if (works && !byOwner && result.kind !== "answered") return;
    this.report(NO_MODEL, result, now);
    this.#callsWork = works && result.kind === "answered";
  }

  /** Forgets failures after a test of the connection that the owner started. */
  forget(now: number | null): void {
    this.#key = HEALTHY;
    this.#models.clear();
    if (now !== null) this.#lastAnswerAt = now;
  }

  /** When a call or a list was last answered, in monotonic milliseconds; null: not since the start. */
  get lastAnswerAt(): number | null {
    return this.#lastAnswerAt;
  }

  /**
   * Health of the key as a whole: a model's problem counts for the whole key until another model succeeds.
   */
  get whole(): Health {
    if (this.#key.state !== "ready") return this.#key;
    for (const state of ["open", "cooling"] as const) {
      for (const health of this.#models.values()) {
        if (health.state === state && health.since >= this.#answeredAt) return health;
      }
    }
    return this.#key;
  }

  /** How it stands with a call for one model: the worse of the key and the model. */
  for(model: string, now: number): Health {
    const health = this.#models.get(model) ?? HEALTHY;
    const whole = mayCall(this.#key, now);
    return this.#key.state !== "ready" && worse(whole, mayCall(health, now)) === whole ? this.#key : health;
  }

  /** Lists models that are not healthy. */
  listTroubled(): readonly (readonly [string, Health])[] {
    return [...this.#models].filter(([, { state }]) => state !== "ready");
  }

  #keep(model: string, health: Health): void {
    this.#models.set(model, health);
    for (const oldest of this.#models.keys()) {
      if (this.#models.size <= MOST_MODELS) break;
      this.#models.delete(oldest);
    }
  }
}

import { HEALTHY, afterCall, mayCall, withCallUnderWay, worse } from "./breaker.ts";
import type { CallResult, Health, May } from "./breaker.ts";

/** Clients may name models as they like: what is known of more than so many at one key is forgotten, oldest first. */
const MOST_MODELS = 50;
/** A list is asked for with a key and for no model. */
const NO_MODEL = "";

/**
 * The health of one key of one connection: what is wrong with the key, whatever it is used for, and what is wrong with
 * single models. A model that answered last has no entry.
 */
export class KeyHealth {
  #key = HEALTHY;
  readonly #models = new Map<string, Health>();
  /** When a model answered while others were in trouble. */
  #answeredAt = Number.NEGATIVE_INFINITY;
  #lastAnswerAt: number | null = null;
  #callsWork = false;

  mayCall(model: string, now: number): May {
    if (this.#key === HEALTHY && this.#models.size === 0) return "yes";
    return worse(mayCall(this.#key, now), mayCall(this.#models.get(model) ?? HEALTHY, now));
  }

  /** A call is made. Only one at a time probes what has failed. */
  begin(model: string, now: number): void {
    if (this.#key === HEALTHY && this.#models.size === 0) return;
    this.#key = withCallUnderWay(this.#key, now);
    const health = this.#models.get(model);
    if (health !== undefined) this.#models.set(model, withCallUnderWay(health, now));
  }

  /** A call that began has ended. @returns whether what is shown of this key may be another now. */
  report(model: string, result: CallResult, now: number): boolean {
    const answered = result.kind === "answered";
    if (answered) this.#lastAnswerAt = now;
    if (answered) this.#callsWork = true;
    else if (result.kind !== "neutral") this.#callsWork = false;
    if (answered && this.#key === HEALTHY && this.#models.size === 0) return false;
    const key = this.#key;
    const before = this.#models.get(model) ?? HEALTHY;
    const isModels = (result.kind === "failed" || result.kind === "rate") && result.scope === "model";
    // A failure of one model shows that the server can be reached again.
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
   * A list of models was asked for. Where the last call was answered, a list that fails counts only if the owner asked:
   * some keys may call and not list, and some servers answer nothing but calls.
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
   * How the key does as a whole: a model's trouble is the whole key's as long as no other model has answered since it
   * began.
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

  /** Models that are not asked as usual. */
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

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { GatewayError } from "../../core/errors.ts";
import type { Clock } from "../../lib/clock.ts";

const PAGE_TOKEN_LIFE_MS = 24 * 60 * 60 * 1_000;
const MAX_PAGE_TOKENS = 100;
const MAX_BEARERS = 1_000;
/** After so many wrong tokens in a minute, each further one waits (contract: "wrong tokens are slowed down"). */
const FREE_MISTAKES = 10;
const MINUTE_MS = 60_000;
const SLOW_MS = 1_000;
const SLOWEST_MS = 10_000;

/**
 * Who may use the control API. A page token is used once: it is in the address that Postern prints, and is exchanged for
 * a bearer that lives in the page's memory. The file token belongs to the `postern` command. Local `sk-` keys are
 * refused always. Only digests are kept.
 */
export class Sessions {
  readonly #clock: Clock;
  readonly #pageTokens = new Map<string, number>();
  readonly #bearers = new Set<string>();
  readonly #fileToken: Buffer;
  #mistakes = 0;
  #windowStart = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, fileToken: string) {
    this.#clock = clock;
    this.#fileToken = digest(fileToken);
  }

  /** A new one-time token for the pages' address. */
  issuePageToken(): string {
    const token = this.makePageToken();
    this.admit(token);
    return token;
  }

  /** One that does not work here: for the gateway that takes over from this one. */
  makePageToken(): string {
    return randomBytes(24).toString("base64url");
  }

  /** Takes a page token that was made elsewhere. */
  admit(token: string): void {
    this.#pageTokens.set(digest(token).toString("hex"), this.#clock.monotonic());
    forgetOldest(this.#pageTokens, MAX_PAGE_TOKENS);
  }

  /**
   * Exchanges a page token for a bearer, once.
   * @throws GatewayError invalid_control_token, after a delay when there were many mistakes.
   */
  async open(token: string): Promise<string> {
    const id = digest(token).toString("hex");
    const issued = this.#pageTokens.get(id);
    if (issued === undefined || this.#clock.monotonic() - issued > PAGE_TOKEN_LIFE_MS) {
      await this.#slowDown();
      throw new GatewayError(
        "invalid_control_token",
        "This address was used before or is too old. Open the pages with `npm run postern -- open`, or from Postern's tray.",
      );
    }
    this.#pageTokens.delete(id);
    const bearer = randomBytes(32).toString("base64url");
    this.#bearers.add(digest(bearer).toString("hex"));
    forgetOldest(this.#bearers, MAX_BEARERS);
    return bearer;
  }

  /** @throws GatewayError invalid_control_token. */
  async check(authorization: string | undefined): Promise<void> {
    const given = /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
    if (given?.startsWith("sk-") === true) {
      throw new GatewayError(
        "invalid_control_token",
        "Local keys are for /v1. The control API takes the pages' own token only.",
      );
    }
    const mine = given === undefined ? null : digest(given);
    if (mine !== null && (this.#bearers.has(mine.toString("hex")) || timingSafeEqual(mine, this.#fileToken))) return;
    if (given !== undefined) await this.#slowDown();
    throw new GatewayError(
      "invalid_control_token",
      "The pages are not signed in. Open them with `npm run postern -- open`, or from Postern's tray.",
    );
  }

  async #slowDown(): Promise<void> {
    const now = this.#clock.monotonic();
    if (now - this.#windowStart > MINUTE_MS) {
      this.#windowStart = now;
      this.#mistakes = 0;
    }
    this.#mistakes += 1;
    const over = this.#mistakes - FREE_MISTAKES;
    if (over > 0) await new Promise((resolve) => setTimeout(resolve, Math.min(SLOWEST_MS, over * SLOW_MS)));
  }
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function forgetOldest(collection: Set<string> | Map<string, unknown>, limit: number): void {
  for (const oldest of collection.keys()) {
    if (collection.size <= limit) return;
    collection.delete(oldest);
  }
}

import { randomBytes, timingSafeEqual } from "node:crypto";
import { GatewayError } from "../../core/errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { instanceProof, tokenDigest as digest } from "../../store/disk/instance.ts";
import { ownCommand } from "../../store/folder/own-command.ts";

/** Lifetime in milliseconds of a new token. */
const PAGE_TOKEN_LIFE_MS = 10 * 60_000;
/** Lifetime of the token that a start prints, in milliseconds: it still works for a user who returns on the same day. */
export const START_TOKEN_LIFE_MS = 12 * 60 * 60_000;
/** Milliseconds after which an idle bearer expires; open pages poll or listen to events. */
const BEARER_IDLE_MS = 7 * 24 * 60 * 60_000;
const MAX_PAGE_TOKENS = 100;
const MAX_BEARERS = 1_000;
/** Wrong tokens per minute, after which further ones are delayed (docs/specification.md#start-and-stop). */
const FREE_MISTAKES = 10;
const MINUTE_MS = 60_000;
const SLOW_MS = 1_000;
const SLOWEST_MS = 10_000;

/**
 * Checks access to the control API. A page token is single-use: it is in the address that Postern prints, and is
 * exchanged for a bearer that the page keeps for its tab, valid while in use. The file token is for the `postern`
 * command. Local `sk-` keys are always refused. Only digests are stored.
 */
export class Sessions {
  readonly #clock: Clock;
  /** Until when each is good, monotonic. */
  readonly #pageTokens = new Map<string, number>();
  /** When each was used last, monotonic; the one that was used last is the last. */
  readonly #bearers = new Map<string, number>();
  /** Page tokens that also show the owner's consent, by digest; those that a page can get itself do not. */
  readonly #consents = new Set<string>();
  readonly #fileToken: Buffer;
  readonly #address: () => string;
  #mistakes = 0;
  #windowStart = Number.NEGATIVE_INFINITY;

  /** @param address published address of this gateway */
  constructor(clock: Clock, fileToken: string, address: () => string) {
    this.#clock = clock;
    this.#fileToken = digest(fileToken);
    this.#address = address;
  }

  /** A new one-time token for the pages' address. @param lifeMs how long it is good, ten minutes unless given */
  issuePageToken(lifeMs = PAGE_TOKEN_LIFE_MS): string {
    const token = this.makePageToken();
    this.admit(token, lifeMs);
    return token;
  }

  /** Issues a page token to the user in person, which `confirm` also accepts: never for requests of a page itself. */
  issueConsent(lifeMs = PAGE_TOKEN_LIFE_MS): string {
    const token = this.issuePageToken(lifeMs);
    this.#consents.add(digest(token).toString("hex"));
    forgetOldest(this.#consents, MAX_PAGE_TOKENS);
    return token;
  }

  /**
   * Takes the owner's consent to what an open page may not do by itself; it is used up by that.
   * @throws GatewayError consent_needed, after a delay when there were many mistakes.
   */
  async confirm(token: string | undefined): Promise<void> {
    const id = digest(token ?? "").toString("hex");
    if (token !== undefined && this.#consents.delete(id) && this.#take(id)) return;
    if (token !== undefined) await this.#slowDown();
    throw new GatewayError(
      "consent_needed",
      `Provider keys leave Postern only with its owner's consent. Run \`${ownCommand("open")}\`, and paste the address that it prints.`,
      { param: "page_token" },
    );
  }

  /** Uses a page token up. @returns whether it was good */
  #take(id: string): boolean {
    const until = this.#pageTokens.get(id);
    if (until === undefined || this.#clock.monotonic() > until) return false;
    return this.#pageTokens.delete(id);
  }

  /** Proves knowledge of the file token without revealing it. */
  prove(nonce: string): string {
    return instanceProof(this.#fileToken, this.#address(), nonce);
  }

  /** Creates a token that is valid only at the gateway that replaces this one. */
  makePageToken(): string {
    return randomBytes(24).toString("base64url");
  }

  /** Takes a page token that was made elsewhere. */
  admit(token: string, lifeMs = PAGE_TOKEN_LIFE_MS): void {
    this.#pageTokens.set(digest(token).toString("hex"), this.#clock.monotonic() + lifeMs);
    forgetOldest(this.#pageTokens, MAX_PAGE_TOKENS);
  }

  /**
   * Exchanges a page token for a bearer, once.
   * @throws GatewayError invalid_control_token, after a delay when there were many mistakes.
   */
  async open(token: string): Promise<string> {
    const id = digest(token).toString("hex");
    if (!this.#take(id)) {
      await this.#slowDown();
      throw new GatewayError(
        "invalid_control_token",
        `This address was used before or is too old. Open the pages with \`${ownCommand("open")}\`, or from Postern's tray.`,
      );
    }
    this.#consents.delete(id);
    const bearer = randomBytes(32).toString("base64url");
    this.#bearers.set(digest(bearer).toString("hex"), this.#clock.monotonic());
    forgetOldest(this.#bearers, MAX_BEARERS);
    return bearer;
  }

  /** @returns whether a page or the `postern` command calls. @throws GatewayError invalid_control_token */
  async check(authorization: string | undefined): Promise<"page" | "command"> {
    this.refuseLocalKey(authorization);
    const given = readBearer(authorization);
    const mine = given === undefined ? null : digest(given);
    if (mine !== null && this.#renew(mine.toString("hex"))) return "page";
    if (mine !== null && timingSafeEqual(mine, this.#fileToken)) return "command";
    if (given !== undefined) await this.#slowDown();
    throw new GatewayError(
      "invalid_control_token",
      `The pages are not signed in. Open them with \`${ownCommand("open")}\`, or from Postern's tray.`,
    );
  }

  /** A page listens: that is use too. */
  touch(authorization: string | undefined): void {
    const given = readBearer(authorization);
    const id = given === undefined ? "" : digest(given).toString("hex");
    if (this.#bearers.has(id)) this.#bearers.set(id, this.#clock.monotonic());
  }

  #renew(id: string): boolean {
    const usedAt = this.#bearers.get(id);
    if (usedAt === undefined) return false;
    this.#bearers.delete(id);
    const now = this.#clock.monotonic();
    if (now - usedAt > BEARER_IDLE_MS) return false;
    this.#bearers.set(id, now);
    return true;
  }

  /** @throws GatewayError invalid_control_token for a key of /v1, wherever it is shown. */
  refuseLocalKey(authorization: string | undefined): void {
    if (readBearer(authorization)?.startsWith("sk-") !== true) return;
    throw new GatewayError(
      "invalid_control_token",
      "Local keys are for /v1. The control API takes the pages' own token only.",
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
    // The timer must not keep the process alive after the server is closed.
    if (over > 0) await new Promise((resolve) => setTimeout(resolve, Math.min(SLOWEST_MS, over * SLOW_MS)).unref());
  }
}

function readBearer(authorization: string | undefined): string | undefined {
  return /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
}

function forgetOldest(collection: Map<string, unknown> | Set<string>, limit: number): void {
  for (const oldest of collection.keys()) {
    if (collection.size <= limit) return;
    collection.delete(oldest);
  }
}

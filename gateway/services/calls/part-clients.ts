import type { Client } from "./client.ts";

/**
 * Shares one client among several provider requests, and cancels all of them when one fails: each sees it as a
 * disconnect.
 */
export class PartClients {
  readonly #client: Client;
  readonly #members = new Set<Member>();
  #ended = false;

  constructor(client: Client) {
    this.#client = client;
    client.onCancelled(() => this.#tell());
  }

  /** Whether nothing more may be sent. */
  get over(): boolean {
    return this.#ended || this.#client.cancelled;
  }

  /** Returns the client for one more request. */
  add(): Client {
    const member = new Member(this.#client, () => this.over);
    this.#members.add(member);
    return member;
  }

  /** Cancels every running request. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#tell();
  }

  /** No request is running any more. */
  close(): void {
    this.#client.onCancelled(null);
  }

  #tell(): void {
    for (const member of this.#members) member.tell();
  }
}

class Member implements Client {
  readonly #client: Client;
  readonly #isGone: () => boolean;
  #listener: (() => void) | null = null;

  constructor(client: Client, isGone: () => boolean) {
    this.#client = client;
    this.#isGone = isGone;
  }

  get cancelled(): boolean {
    return this.#isGone();
  }

  onCancelled(listener: (() => void) | null): void {
    this.#listener = listener;
    if (this.cancelled) listener?.();
  }

  keep(release: () => void): void {
    this.#client.keep(release);
  }

  tell(): void {
    this.#listener?.();
  }
}

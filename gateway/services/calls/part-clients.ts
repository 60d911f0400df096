import type { Client } from "./client.ts";

/**
 * Lets several requests to providers listen to one client, and ends them all when one of them has failed: to each request
 * that looks as if its client had left.
 */
export class PartClients {
  readonly #client: Client;
  readonly #members = new Set<Member>();
  #ended = false;

  constructor(client: Client) {
    this.#client = client;
    client.onCancelled(() => this.#tell());
  }

  /** Whether nothing more is to be sent. */
  get over(): boolean {
    return this.#ended || this.#client.cancelled;
  }

  /** The client as one more request sees it. */
  add(): Client {
    const member = new Member(this.#client, () => this.over);
    this.#members.add(member);
    return member;
  }

  /** Ends every request that is still under way. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#tell();
  }

  /** No request is under way any more. */
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

import type { Recipient } from "../calls/client.ts";

/** Adds headers to a streamed response; they are read when it starts. */
export class HeaderRecipient implements Recipient {
  readonly #to: Recipient;
  readonly #headers: () => Readonly<Record<string, string>>;

  constructor(to: Recipient, headers: () => Readonly<Record<string, string>>) {
    this.#to = to;
    this.#headers = headers;
  }

  get cancelled(): boolean {
    return this.#to.cancelled;
  }

  onCancelled(listener: (() => void) | null): void {
    this.#to.onCancelled(listener);
  }

  keep(release: () => void): void {
    this.#to.keep(release);
  }

  open(headers: Readonly<Record<string, string>>): void {
    this.#to.open({ ...headers, ...this.#headers() });
  }

  write(bytes: Buffer | string): boolean {
    return this.#to.write(bytes);
  }

  onDrain(listener: () => void): void {
    this.#to.onDrain(listener);
  }

  end(): Promise<void> {
    return this.#to.end();
  }

  destroy(): void {
    this.#to.destroy();
  }
}

import { describe, expect, it } from "vitest";
import { GatewayError } from "../../../../gateway/core/errors.ts";
import { systemClock } from "../../../../gateway/lib/clock.ts";
import type { Client, StreamWriter } from "../../../../gateway/services/calls/client.ts";
import { SpeechDelivery } from "../../../../gateway/services/speech/speech-delivery.ts";

/** A client that takes as much as the test lets it. */
class SlowClient implements Client, StreamWriter {
  cancelled = false;
  full = false;
  readonly written: string[] = [];
  #onGone: (() => void) | null = null;
  #onDrain: () => void = () => {};

  keep(release: () => void): void {
    release();
  }

  onCancelled(listener: (() => void) | null): void {
    this.#onGone = listener;
  }
  open(): void {}
  write(bytes: Buffer | string): boolean {
    this.written.push(String(bytes));
    return !this.full;
  }
  onDrain(listener: () => void): void {
    this.#onDrain = listener;
  }
  end(): Promise<void> {
    return Promise.resolve();
  }
  destroy(): void {
    this.cancelled = true;
    this.#onGone?.();
  }
  drain(): void {
    this.full = false;
    this.#onDrain();
  }
}

function delivery(client: SlowClient): { sound: SpeechDelivery; left: () => boolean } {
  let left = false;
  const sound = new SpeechDelivery(
    client,
    systemClock,
    () => null,
    () => {
      left = true;
    },
  );
  return { sound, left: () => left };
}

/** Whether a promise has resolved once everything that was due has run. */
async function resolved(promise: Promise<void>): Promise<boolean> {
  let done = false;
  void (async () => {
    await promise;
    done = true;
  })();
  await new Promise((resolve) => setImmediate(resolve));
  return done;
}

describe("sound for a slow client", () => {
  it("waits until there is room again", async () => {
    const client = new SlowClient();
    const { sound } = delivery(client);
    expect(await resolved(sound.write(Buffer.from("one")))).toBe(true);
    client.full = true;
    const second = sound.write(Buffer.from("two"));
    expect(await resolved(second)).toBe(false);
    expect(sound.stalledSince).not.toBeNull();
    client.drain();
    expect(await resolved(second)).toBe(true);
    expect(sound.stalledSince).toBeNull();
    expect(client.written).toEqual(["one", "two"]);
  });

  it("stops waiting when it leaves, and the provider is left", async () => {
    const client = new SlowClient();
    const { sound, left } = delivery(client);
    client.full = true;
    const write = sound.write(Buffer.from("one"));
    sound.giveUp();
    expect(await resolved(write)).toBe(true);
    expect(left()).toBe(true);
  });

  it("is broken off when Postern has to stop it, and says why to the receipt", async () => {
    const client = new SlowClient();
    const { sound, left } = delivery(client);
    const error = new GatewayError("shutting_down", "Postern stops.");
    sound.stop(error);
    expect({ gone: client.cancelled, left: left(), stopped: sound.stopped }).toEqual({
      gone: true,
      left: true,
      stopped: error,
    });
  });

  it("is not disturbed by heartbeats", () => {
    const client = new SlowClient();
    const { sound } = delivery(client);
    sound.beat(123);
    expect(client.written).toEqual([]);
    expect(sound.lastWrite).toBe(123);
  });
});

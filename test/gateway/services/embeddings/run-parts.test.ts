import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ClientCancelled } from "../../../../gateway/services/calls/attempts.ts";
import type { Client } from "../../../../gateway/services/calls/client.ts";
import { runParts } from "../../../../gateway/services/embeddings/run-embeddings.ts";

/** A client that the test makes leave. */
class FakeClient implements Client {
  cancelled = false;
  #listener: (() => void) | null = null;

  keep(release: () => void): void {
    release();
  }

  onCancelled(listener: (() => void) | null): void {
    this.#listener = listener;
    if (this.cancelled) listener?.();
  }

  get listening(): boolean {
    return this.#listener !== null;
  }

  leave(): void {
    this.cancelled = true;
    this.#listener?.();
  }
}

/** A part under way: resolves, fails, or ends with its client, as a request to a provider does. */
class Part {
  readonly number: number;
  state: "waiting" | "running" | "done" | "failed" | "ended" = "waiting";
  succeed: () => void = () => {};
  fail: (error: Error) => void = () => {};

  constructor(number: number) {
    this.number = number;
  }

  run(client: Client): Promise<void> {
    this.state = "running";
    return new Promise((resolve, reject) => {
      this.succeed = () => {
        this.state = "done";
        resolve();
      };
      this.fail = (error) => {
        this.state = "failed";
        reject(error);
      };
      client.onCancelled(() => {
        if (this.state !== "running") return;
        this.state = "ended";
        reject(new ClientCancelled());
      });
    });
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const start = (count: number, client = new FakeClient()) => {
  const parts = Array.from({ length: count }, (_, number) => new Part(number));
  const over = runParts(parts, 4, client, (part, partClient) => part.run(partClient));
  over.catch(() => {});
  return { parts, client, over, running: () => parts.filter(({ state }) => state === "running") };
};

describe("running parts", () => {
  it("runs each once, in order, never more than four, whichever ends first", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 20 }), fc.infiniteStream(fc.nat()), async (count, picks) => {
        const { parts, over, running } = start(count);
        for (let ended = 0; ended < count; ended += 1) {
          expect(running()).toHaveLength(Math.min(4, count - ended));
          // What waits is all behind what runs or has run.
          const firstWaiting = parts.findIndex(({ state }) => state === "waiting");
          if (firstWaiting >= 0) expect(parts.slice(firstWaiting).every(({ state }) => state === "waiting")).toBe(true);
          running()[picks.next().value % running().length]?.succeed();
          await turn();
        }
        await expect(over).resolves.toBeUndefined();
      }),
    );
  });

  it("ends the others when one fails, begins none, and throws what that one threw", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 5, max: 20 }), fc.nat({ max: 3 }), async (count, failing) => {
        const { parts, client, over, running } = start(count);
        const error = new Error("the provider refused");
        running()[failing]?.fail(error);
        await expect(over).rejects.toBe(error);
        expect(parts.slice(0, 4).map(({ state }) => state)).toEqual(
          [0, 1, 2, 3].map((number) => (number === failing ? "failed" : "ended")),
        );
        expect(parts.slice(4).every(({ state }) => state === "waiting")).toBe(true);
        expect(client.listening).toBe(false);
      }),
    );
  });

  it("ends all when the client leaves", async () => {
    const { parts, client, over } = start(6);
    client.leave();
    await expect(over).rejects.toBeInstanceOf(ClientCancelled);
    expect(parts.map(({ state }) => state)).toEqual(["ended", "ended", "ended", "ended", "waiting", "waiting"]);
  });

  it("begins none for a client that has left already", async () => {
    const client = new FakeClient();
    client.leave();
    const { parts, over } = start(3, client);
    await expect(over).rejects.toBeInstanceOf(ClientCancelled);
    expect(parts.every(({ state }) => state === "waiting")).toBe(true);
  });

  it("says so when the client left while the last part came in", async () => {
    const { parts, client, over } = start(1);
    parts[0]?.succeed();
    client.leave();
    await expect(over).rejects.toBeInstanceOf(ClientCancelled);
  });
});

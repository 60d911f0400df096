import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { InFlight } from "../../../../gateway/core/keys/key-state.ts";
import { DetachableRecipient } from "../../../../gateway/services/calls/detached-calls.ts";
import { LocalRecipient } from "../../../../gateway/services/calls/local-recipient.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A recipient whose client can disconnect, and what it is said to have done. */
function createRecipient(most: number) {
  const said: string[] = [];
  const say = (what: string) => (): void => void said.push(what);
  const client = new AbortController();
  const inner = new LocalRecipient(client.signal);
  const inFlight = new InFlight();
  const recipient = new DetachableRecipient(inner, { inFlight, most: () => most }, say("detached"));
  recipient.onDrain(say("drained"));
  recipient.keep(say("released"));
  return { recipient, said, say, inner, inFlight, disconnect: () => client.abort() };
}

it.each<[string, number, (() => boolean) | undefined | null]>([
  ["nothing is under way", 4, null],
  ["nothing says that a provider is at work", 4, undefined],
  ["no provider is at work", 4, () => false],
  ["as many go on as may", 0, () => true],
])("a call is cancelled where %s", (_where, most, canDetach) => {
  const { recipient, said, say, inFlight, disconnect } = createRecipient(most);
  if (canDetach !== null) recipient.onCancelled(say("cancelled"), canDetach);
  disconnect();
  expect([recipient.cancelled, recipient.isDetached, inFlight.count]).toEqual([true, false, 0]);
  expect(said).toEqual(canDetach === null ? [] : ["cancelled"]);
});

it("a call goes on without its client until it is over, keeping what it needs", () => {
  const { recipient, said, say, inner, inFlight, disconnect } = createRecipient(1);
  recipient.onCancelled(say("cancelled"), () => true);
  disconnect();
  inner.release();
  expect([recipient.cancelled, recipient.isDetached, inFlight.count]).toEqual([false, true, 1]);
  expect(said).toEqual(["detached", "drained"]);
  recipient.release();
  vi.runAllTimers();
  expect([said, inFlight.count]).toEqual([["detached", "drained", "released"], 0]);
});

it("a call that never ends is cancelled after half an hour", () => {
  const { recipient, said, say, disconnect } = createRecipient(1);
  recipient.onCancelled(say("cancelled"), () => true);
  disconnect();
  vi.advanceTimersByTime(30 * 60_000 - 1);
  expect(recipient.cancelled).toBe(false);
  vi.advanceTimersByTime(1);
  expect([recipient.cancelled, said.at(-1)]).toEqual([true, "cancelled"]);
});

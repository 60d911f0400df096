import { expect, it, vi } from "vitest";
import { LocalRecipient } from "../../../../gateway/services/calls/local-recipient.ts";

it("is gone with its signal, and tells the last listener alone", () => {
  const left = new AbortController();
  const client = new LocalRecipient(left.signal);
  const first = vi.fn<() => void>();
  const second = vi.fn<() => void>();
  client.onCancelled(first);
  client.onCancelled(second);
  expect(client.cancelled).toBe(false);
  left.abort();
  expect(client.cancelled).toBe(true);
  expect(first).not.toHaveBeenCalled();
  expect(second).toHaveBeenCalledOnce();
  const late = vi.fn<() => void>();
  client.onCancelled(late);
  expect(late).toHaveBeenCalledOnce();
  client.onCancelled(null);
});

it("keeps what a response is made of until it is released", () => {
  const client = new LocalRecipient(new AbortController().signal);
  const early = vi.fn<() => void>();
  client.keep(early);
  expect(early).not.toHaveBeenCalled();
  client.release();
  client.release();
  expect(early).toHaveBeenCalledOnce();
  const late = vi.fn<() => void>();
  client.keep(late);
  expect(late).toHaveBeenCalledOnce();
});

it("takes whatever is written for a connection", async () => {
  const client = new LocalRecipient(new AbortController().signal);
  expect(client.write()).toBe(true);
  await expect(client.end()).resolves.toBeUndefined();
});

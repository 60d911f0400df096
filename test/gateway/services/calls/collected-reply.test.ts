import { expect, it, vi } from "vitest";
import { CollectedReply } from "../../../../gateway/services/calls/collected-reply.ts";

it("keeps what a service writes, and tells each piece", async () => {
  const reply = new CollectedReply(new AbortController().signal);
  const heard: string[] = [];
  reply.onWrite((piece) => heard.push(piece.toString()));
  reply.open({ "content-type": "audio/mpeg" });
  expect(reply.write("ab")).toBe(true);
  reply.write(Buffer.from("c"));
  await reply.end();
  expect(reply.bytes.toString()).toBe("abc");
  expect(heard).toEqual(["ab", "c"]);
  expect(reply.headers).toEqual({ "content-type": "audio/mpeg" });
  expect(reply.broken).toBe(false);
});

it("knows that a service broke the answer off", () => {
  const reply = new CollectedReply(new AbortController().signal);
  reply.destroy();
  expect(reply.broken).toBe(true);
});

it("is gone with its signal, and tells the last listener alone", () => {
  const left = new AbortController();
  const reply = new CollectedReply(left.signal);
  const first = vi.fn<() => void>();
  const second = vi.fn<() => void>();
  reply.onGone(first);
  reply.onGone(second);
  expect(reply.gone).toBe(false);
  left.abort();
  expect(reply.gone).toBe(true);
  expect(first).not.toHaveBeenCalled();
  expect(second).toHaveBeenCalledOnce();
  const late = vi.fn<() => void>();
  reply.onGone(late);
  expect(late).toHaveBeenCalledOnce();
  reply.onGone(null);
});

import { expect, it } from "vitest";
import { UnreachableError } from "../../../../renderer/api/client.ts";
import { factsAtStart } from "../../../../renderer/api/v1/call-facts.ts";
import type { Chat } from "../../../../renderer/features/playground/chat/chat-memory.ts";
import { noSettings } from "../../../../renderer/features/playground/chat/chat-settings.ts";
import type { Step, Turn } from "../../../../renderer/features/playground/chat/conversation.ts";
import {
  beyondBound,
  packChat,
  searchChats,
  summarize,
  getTitle,
  unpackChat,
} from "../../../../renderer/features/playground/chat/saved/chat-record.ts";

const step = (change: Partial<Step> = {}): Step => ({
  id: "s",
  text: "A heron is a bird.",
  reasoning: "",
  tools: [],
  finish: "stop",
  status: "done",
  facts: factsAtStart("m"),
  fault: null,
  ...change,
});
const turn = (id: string, text: string, change: Partial<Turn> = {}): Turn => ({
  id,
  text,
  pictures: [],
  lanes: [{ model: "m", steps: [step()] }],
  ...change,
});
const chat = (change: Partial<Chat> = {}): Chat => ({
  id: "c",
  title: "",
  models: ["m"],
  settings: noSettings,
  conversation: [turn("a", "What is a heron?\nTell me.")],
  ...change,
});

it("comes back from the database as it was, but for what ran", async () => {
  const written = (status: Step["status"]): Chat =>
    chat({
      conversation: [
        turn("a", "One", {
          forks: [[turn("b", "Other")]],
          fork: 0,
          lanes: [{ model: "m", steps: [step(), step({ id: "t", status })] }],
        }),
      ],
    });
  const after = await unpackChat(structuredClone(packChat(written("running"))));
  expect(after).toEqual(written("stopped"));
});

it("keeps the sentence of an error, and that Postern did not respond", async () => {
  const failed = (error: unknown): Chat =>
    chat({
      conversation: [
        turn("a", "One", {
          lanes: [{ model: "m", steps: [step({ status: "failed", fault: { error, code: "x" } })] }],
        }),
      ],
    });
  const faultAfter = async (error: unknown): Promise<unknown> =>
    (await unpackChat(structuredClone(packChat(failed(error)))))?.conversation[0]?.lanes[0]?.steps[0]?.fault?.error;
  expect(await faultAfter("No such model.")).toBe("No such model.");
  expect(await faultAfter(new UnreachableError())).toBeInstanceOf(UnreachableError);
});

it("takes nothing for an invalid conversation", async () => {
  expect(await unpackChat(undefined)).toBeNull();
  expect(await unpackChat({ ...packChat(chat()), version: 2 })).toBeNull();
  expect(await unpackChat({ ...packChat(chat()), turns: [{ id: 1 }] })).toBeNull();
});

it("is named by its owner, else by the first line of its first question", () => {
  expect(getTitle(chat())).toBe("What is a heron?");
  expect(getTitle(chat({ title: "Birds" }))).toBe("Birds");
  expect(getTitle(chat({ conversation: [turn("a", "x".repeat(200))] }))).toHaveLength(80);
});

it("is found by any word of title, question or response, the newest first", () => {
  const birds = summarize(chat({ id: "birds", title: "Birds" }), 1);
  const gates = summarize(
    chat({ id: "gates", conversation: [turn("a", "What is a postern?", { lanes: [{ model: "m", steps: [] }] })] }),
    2,
  );
  const found = (typed: string): readonly string[] => searchChats([birds, gates], typed).map(({ id }) => id);
  expect(found("")).toEqual(["gates", "birds"]);
  expect(found("BIRD heron")).toEqual(["birds"]);
  expect(found("postern")).toEqual(["gates"]);
  expect(found("lighthouse")).toEqual([]);
});

it("stays within the bound: the oldest go, the newest stays whatever its size", () => {
  const summary = (id: string, at: number, bytes: number) => ({ id, title: id, at, bytes, words: "" });
  const many = Array.from({ length: 203 }, (_, index) => summary(`c${index}`, index, 10));
  expect(beyondBound(many)).toEqual(["c2", "c1", "c0"]);
  expect(beyondBound([summary("old", 1, 150_000_000), summary("new", 2, 100_000_000)])).toEqual(["old"]);
  expect(beyondBound([summary("huge", 2, 900_000_000)])).toEqual([]);
});

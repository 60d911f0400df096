import { reply } from "../../support/wire-provider.ts";
import type { LoopCase } from "./loop-case.ts";

const CHAT = { choices: [{ index: 0, message: { role: "assistant", content: "Hello." }, finish_reason: "stop" }] };
const range = (size: number): number[] => Array.from({ length: size }, (_, index) => index);
const user = { role: "user", content: "Go" };

/** A request of Ollama's for a provider of the chat dialect. */
const asked = (name: string, full: number, body: (size: number) => object): LoopCase => ({
  name: `${name}, Ollama's API`,
  full,
  run: (world, size) => {
    world.wire.on("POST /deepseek/v1/chat/completions", reply(200, CHAT));
    const whole = { model: "deepseek-v4-flash", stream: false, ...body(size) };
    return world.post("/../api/chat", JSON.stringify(whole));
  },
});

const call = (index: number) => ({ function: { name: `f${index}`, arguments: {} } });
const result = (index: number) => ({ role: "tool", tool_name: `f${index}`, content: "x" });

/** Inputs of Ollama's API that a careless reader needs the square of their size for. */
export const ollamaCases: readonly LoopCase[] = [
  asked("turns", 15_000, (size) => ({
    messages: range(size).map((index) => ({ role: index % 2 === 0 ? "user" : "assistant", content: "a" })),
  })),
  asked("instructions", 15_000, (size) => ({
    messages: [...range(size).map(() => ({ role: "system", content: "a" })), user],
  })),
  asked("calls with their results in reverse", 10_000, (size) => ({
    messages: [user, { role: "assistant", tool_calls: range(size).map(call) }, ...range(size).toReversed().map(result)],
  })),
  asked("results without names", 10_000, (size) => ({
    messages: [
      user,
      { role: "assistant", tool_calls: range(size).map(call) },
      ...range(size).map(() => ({ role: "tool", content: "x" })),
    ],
  })),
  asked("pictures", 10_000, (size) => ({ messages: [{ ...user, images: range(size).map(() => "/9j/AAAA") }] })),
  asked("a long picture", 8_000_000, (size) => ({ messages: [{ ...user, images: ["/9j/".padEnd(size, "A")] }] })),
];

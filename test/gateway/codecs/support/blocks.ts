/** Parts of conversations as the dialects write them. */

export const textBlock = (text: string) => ({ type: "text" as const, text });

export const thinkingBlock = (thinking: string, signature: string) => ({
  type: "thinking" as const,
  thinking,
  signature,
});

export const toolUse = (id: string, name: string, input: Readonly<Record<string, unknown>>) => ({
  type: "tool_use" as const,
  id,
  name,
  input,
});

export const toolResult = <T>(id: string, content: T) => ({ type: "tool_result" as const, tool_use_id: id, content });

/** A call of a function in the chat dialect. */
export const functionCall = (id: unknown, name: unknown, text: unknown) => ({
  id,
  type: "function" as const,
  function: { name, arguments: text },
});

export const userTurn = <T>(content: T) => ({ role: "user" as const, content });

export const modelTurn = <T>(content: T) => ({ role: "assistant" as const, content });

export const systemTurn = <T>(content: T) => ({ role: "system" as const, content });

/** A function's result in the chat dialect. */
export const toolTurn = <T>(id: string, content: T) => ({ role: "tool" as const, tool_call_id: id, content });

export const imagePart = (url: string) => ({ type: "image_url" as const, image_url: { url } });

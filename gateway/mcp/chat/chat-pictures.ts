import { mediaIdOf } from "../media/own-media.ts";
import { Pictures, pictureUrl } from "../media/pictures.ts";
import type { ToolDeps } from "../tool/tool-deps.ts";
import type { ToolCall } from "../tool/tool.ts";
import type { ChatArguments } from "./chat-arguments.ts";

type Message = NonNullable<ChatArguments["messages"]>[number];
type Part = Exclude<Message["content"], string>[number];

/**
 * The messages with pictures of the library inside: providers cannot fetch `postern://media/{id}`. Other addresses stay.
 * @throws GatewayError not_found for what the key did not make, invalid_value for what is no picture, request_too_large
 */
export async function withPictures(
  deps: Pick<ToolDeps, "media">,
  call: Pick<ToolCall, "input">,
  messages: readonly Message[],
): Promise<Message[]> {
  const pictures = new Pictures(deps, call.input.key);
  const filled: Message[] = [];
  // One after the other: together they would be in memory before their room is known.
  for (const [turn, message] of messages.entries()) {
    const { content } = message;
    filled.push(
      typeof content === "string"
        ? message
        : { ...message, content: await partsOf(pictures, content, `messages[${turn}].content`) },
    );
  }
  return filled;
}

async function partsOf(pictures: Pictures, parts: readonly Part[], field: string): Promise<Part[]> {
  const filled: Part[] = [];
  for (const [index, part] of parts.entries()) {
    if (part.type === "text" || mediaIdOf(part.image_url.url) === null) {
      filled.push(part);
      continue;
    }
    const picture = await pictures.read(part.image_url.url, `${field}[${index}].image_url.url`);
    filled.push({ ...part, image_url: { ...part.image_url, url: pictureUrl(picture) } });
  }
  return filled;
}

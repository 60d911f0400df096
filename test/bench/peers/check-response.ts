import type { Target } from "./load.ts";
import { CONTENT } from "./mocks.ts";

const CHUNKS = 3;
/** As the mock counts them (tools/ssemock.c). */
const TOKENS_A_CHUNK = 24;

/** What a contender is asked before and after a measurement: a short question, for a few chunks if streamed. */
export function questionOf({ asking }: Target, stream: boolean): string {
  return JSON.stringify({
    model: asking.model,
    stream,
    max_tokens: CHUNKS * TOKENS_A_CHUNK,
    messages: [{ role: "user", content: "hello" }],
  });
}

/** Asks once and looks at everything that comes. @throws Error that says what is wrong with it. */
export async function checkResponse(target: Target, streamed: boolean): Promise<void> {
  const { port, asking } = target;
  const response = await fetch(`http://127.0.0.1:${port}${asking.path}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: "Bearer sk-test-of-the-benchmarks",
      ...asking.headers,
    },
    body: questionOf(target, streamed),
  });
  const text = await response.text();
  const right = response.status === 200 && (streamed ? rightStream(target, text) : rightWhole(target, text));
  if (right) return;
  throw new Error(
    `a wrong response to ${asking.path}${streamed ? ", streamed" : ""}: ${response.status} ${telling(text)}`,
  );
}

/** The mock's words and its count of tokens, in the dialect that was asked for. */
function rightWhole({ asking }: Target, text: string): boolean {
  let body: Body;
  try {
    body = JSON.parse(text) as Body;
  } catch {
    return false;
  }
  return asking.dialect === "chat"
    ? body.choices?.[0]?.message?.content === CONTENT && body.usage?.prompt_tokens === 100
    : body.type === "message" &&
        body.content?.some(({ text: message }) => message === CONTENT) === true &&
        body.usage?.input_tokens === 100;
}

interface Body {
  readonly type?: string;
  readonly choices?: readonly { readonly message?: { readonly content?: string } }[];
  readonly content?: readonly { readonly text?: string }[];
  readonly usage?: { readonly prompt_tokens?: number; readonly input_tokens?: number };
}

/** As many chunks of the mock as were asked for, and the dialect's end. */
function rightStream({ asking }: Target, text: string): boolean {
  const chunks = text.match(/"T\d{19}"/g) ?? [];
  const end = asking.dialect === "chat" ? "data: [DONE]" : "event: message_stop";
  return chunks.length === CHUNKS && text.includes(end);
}

/** The part of a text that says what went wrong: from its first error on, or its end. */
function telling(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  const error = line.indexOf('"error"');
  return error < 0 ? line.slice(-300) : line.slice(error, error + 300);
}

import { shellWord } from "../../lib/shell.ts";
import type { Ability } from "./model-filter.ts";

interface Example {
  readonly path: string;
  readonly body: (model: string) => Readonly<Record<string, unknown>>;
  /** Where the answer is no text. */
  readonly file?: string;
}

const EXAMPLES: Readonly<Record<Exclude<Ability, "image_edit">, Example>> = {
  chat: {
    path: "/v1/chat/completions",
    body: (model) => ({ model, messages: [{ role: "user", content: "Say hello." }] }),
  },
  embedding: { path: "/v1/embeddings", body: (model) => ({ model, input: "A heron over the marsh" }) },
  speech: {
    path: "/v1/audio/speech",
    body: (model) => ({ model, input: "Good morning.", voice: "alloy" }),
    file: "speech.mp3",
  },
  image: { path: "/v1/images/generations", body: (model) => ({ model, prompt: "A heron over the marsh" }) },
  video: { path: "/v1/videos/generations", body: (model) => ({ model, prompt: "A heron takes off from the marsh" }) },
};

/**
 * A call of the model as a command for a POSIX shell. The key is a variable: a command that is pasted somewhere gives
 * nothing away.
 * @param origin where Postern answers, as http://127.0.0.1:6174
 */
export function curlFor(origin: string, model: string, ability: Ability): string {
  if (ability === "image_edit") {
    return lines(`${origin}/v1/images/edits`, [
      // --form-string takes a text as it is: -F sends a file for a model whose id begins with @.
      `  --form-string ${shellWord(`model=${model}`)}`,
      `  --form-string 'prompt=Make it evening'`,
      `  -F 'image=@picture.png'`,
    ]);
  }
  const { path, body, file } = EXAMPLES[ability];
  return lines(`${origin}${path}`, [
    `  -H 'Content-Type: application/json'`,
    `  -d ${shellWord(JSON.stringify(body(model)))}`,
    ...(file === undefined ? [] : [`  -o ${file}`]),
  ]);
}

function lines(address: string, rest: readonly string[]): string {
  return [`curl ${shellWord(address)}`, `  -H "Authorization: Bearer $POSTERN_API_KEY"`, ...rest].join(" \\\n");
}

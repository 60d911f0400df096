import type { ModelView } from "../../../gateway/contract/control.ts";

export type Example = "curl" | "shell" | "python" | "node";

export const examples: readonly { readonly id: Example; readonly label: string }[] = [
  { id: "curl", label: "curl" },
  { id: "shell", label: "Shell" },
  { id: "python", label: "Python" },
  { id: "node", label: "Node" },
];

const USUAL_MODEL = "gpt-4o-mini";

/** A chat model that is served right now: the usual one where it is, else the first. */
export function exampleModel(models: readonly ModelView[]): string {
  const chat = models.filter(({ capabilities }) => capabilities.includes("chat"));
  return (chat.find(({ id }) => id === USUAL_MODEL) ?? chat[0])?.id ?? USUAL_MODEL;
}

/** The smallest program of its kind that gets an answer. */
export function exampleText(example: Example, baseUrl: string, key: string, model: string): string {
  switch (example) {
    case "curl":
      return [
        `curl ${baseUrl}/chat/completions \\`,
        `  -H "Authorization: Bearer ${key}" \\`,
        `  -H "Content-Type: application/json" \\`,
        `  -d '{"model":"${model}","messages":[{"role":"user","content":"Hello"}]}'`,
      ].join("\n");
    case "shell":
      return `export OPENAI_BASE_URL=${baseUrl}\nexport OPENAI_API_KEY=${key}`;
    case "python":
      return [
        `from openai import OpenAI`,
        ``,
        `client = OpenAI(base_url="${baseUrl}", api_key="${key}")`,
        `print(client.chat.completions.create(model="${model}", messages=[{"role": "user", "content": "Hello"}]))`,
      ].join("\n");
    case "node":
      return [
        `import OpenAI from "openai";`,
        ``,
        `const client = new OpenAI({ baseURL: "${baseUrl}", apiKey: "${key}" });`,
        `console.log(await client.chat.completions.create({ model: "${model}", messages: [{ role: "user", content: "Hello" }] }));`,
      ].join("\n");
  }
}

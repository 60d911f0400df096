import type { ModelView } from "../../../gateway/contract/model-view.ts";
import { codeSample } from "../../lib/samples/code-sample.ts";
import { exampleRequest } from "../../lib/samples/example-requests.ts";
import { shellName } from "../../lib/shell.ts";

export type Example = "curl" | "shell" | "claude-code" | "codex" | "python" | "typescript" | "anthropic";

export const examples: readonly { readonly id: Example; readonly label: string }[] = [
  { id: "curl", label: "curl" },
  { id: "shell", label: "Shell" },
  { id: "claude-code", label: "Claude Code" },
  { id: "codex", label: "Codex" },
  { id: "python", label: "Python" },
  { id: "typescript", label: "TypeScript" },
  { id: "anthropic", label: "Anthropic SDK" },
];

const USUAL_MODEL = "gpt-5.4-mini";

/** Returns a served chat model: the default one if available, else the first. */
export function exampleModel(models: readonly ModelView[]): string {
  const chat = models.filter(({ capabilities }) => capabilities.includes("chat"));
  return (chat.find(({ id }) => id === USUAL_MODEL) ?? chat[0])?.id ?? USUAL_MODEL;
}

/**
 * Builds a minimal program that gets a response, or a tool's configuration. The model's name comes from a provider, so
 * it is quoted as a shell word, or as a JSON string, which is also valid TOML.
 * @param origin Postern's own origin, e.g. http://127.0.0.1:6174
 */
export function exampleText(example: Example, origin: string, key: string, model: string): string {
  const baseUrl = `${origin}/v1`;
  const name = JSON.stringify(model);
  switch (example) {
    case "curl":
    case "python":
    case "typescript":
      return codeSample(example, origin, exampleRequest("chat", model), { text: key });
    case "anthropic":
      return codeSample("typescript", origin, exampleRequest("messages", model), { text: key });
    case "shell":
      return `export OPENAI_BASE_URL=${baseUrl}\nexport OPENAI_API_KEY=${key}`;
    case "claude-code":
      return `export ANTHROPIC_BASE_URL=${origin}\nexport ANTHROPIC_AUTH_TOKEN=${key}\nclaude --model ${shellName(model)}`;
    case "codex":
      return [
        `# ~/.codex/config.toml, with POSTERN_KEY=${key} in the environment`,
        `model = ${name}`,
        `model_provider = "postern"`,
        ``,
        `[model_providers.postern]`,
        `name = "Postern"`,
        `base_url = "${baseUrl}"`,
        `env_key = "POSTERN_KEY"`,
        `wire_api = "responses"`,
      ].join("\n");
  }
}

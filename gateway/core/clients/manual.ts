import type { ClientId } from "../../contract/clients.ts";

/** Something that a person copies into a client, or types there. */
export interface ManualText {
  /** The target of the text: a file's name, a program's language, or a field of the client. */
  readonly label: string;
  readonly text: string;
}

/** Clients whose settings are no file that others may write: what to put where. */
export function manualTexts(id: ClientId, origin: string, key: string, model: string): readonly ManualText[] {
  const base = `${origin}/v1`;
  // A string of JSON is one of Python and of JavaScript too, whatever a provider calls its model.
  const name = JSON.stringify(model);
  switch (id) {
    case "cursor":
      return [
        { label: "Override OpenAI Base URL", text: base },
        { label: "OpenAI API Key", text: key },
        { label: "Add Custom Model", text: model },
      ];
    case "cline":
      return [
        { label: "API Provider", text: "OpenAI Compatible" },
        { label: "Base URL", text: base },
        { label: "API Key", text: key },
        { label: "Model ID", text: model },
        {
          label: "MCP Servers",
          text: JSON.stringify(
            {
              mcpServers: {
                postern: {
                  type: "streamableHttp",
                  url: `${origin}/mcp`,
                  headers: { Authorization: `Bearer ${key}` },
                },
              },
            },
            null,
            2,
          ),
        },
      ];
    case "langchain":
      return [
        {
          label: "Python",
          text: `from langchain_openai import ChatOpenAI\n\nllm = ChatOpenAI(\n    model=${name},\n    base_url="${base}",\n    api_key="${key}",\n)\nprint(llm.invoke("Say hello.").content)`,
        },
        {
          label: "JavaScript",
          text: `import { ChatOpenAI } from "@langchain/openai";\n\nconst llm = new ChatOpenAI({\n  model: ${name},\n  apiKey: "${key}",\n  configuration: { baseURL: "${base}" },\n});\nconsole.log((await llm.invoke("Say hello.")).content);`,
        },
      ];
    case "openai-sdk":
      return [
        {
          label: "Python",
          text: `from openai import OpenAI\n\nclient = OpenAI(base_url="${base}", api_key="${key}")\nanswer = client.chat.completions.create(\n    model=${name},\n    messages=[{"role": "user", "content": "Say hello."}],\n)\nprint(answer.choices[0].message.content)`,
        },
        {
          label: "JavaScript",
          text: `import OpenAI from "openai";\n\nconst client = new OpenAI({ baseURL: "${base}", apiKey: "${key}" });\nconst answer = await client.chat.completions.create({\n  model: ${name},\n  messages: [{ role: "user", content: "Say hello." }],\n});\nconsole.log(answer.choices[0].message.content);`,
        },
        { label: "Shell", text: `export OPENAI_BASE_URL=${base}\nexport OPENAI_API_KEY=${key}` },
      ];
    case "anthropic-sdk":
      return [
        {
          label: "Python",
          text: `from anthropic import Anthropic\n\nclient = Anthropic(base_url="${origin}", auth_token="${key}")\nmessage = client.messages.create(\n    model=${name},\n    max_tokens=200,\n    messages=[{"role": "user", "content": "Say hello."}],\n)\nprint(message.content[0].text)`,
        },
        {
          label: "JavaScript",
          text: `import Anthropic from "@anthropic-ai/sdk";\n\nconst client = new Anthropic({ baseURL: "${origin}", authToken: "${key}", apiKey: null });\nconst message = await client.messages.create({\n  model: ${name},\n  max_tokens: 200,\n  messages: [{ role: "user", content: "Say hello." }],\n});\nconsole.log(message.content[0].text);`,
        },
        { label: "Shell", text: `export ANTHROPIC_BASE_URL=${origin}\nexport ANTHROPIC_AUTH_TOKEN=${key}` },
      ];
    case "claude-code":
    case "codex":
    case "opencode":
    case "qwen-code":
    case "zed":
    case "continue":
      return [];
  }
}

import type { ClientId } from "../../contract/clients.ts";

/** Something that a person copies into a client, or types there. */
export interface ManualText {
  /** The target of the text: a file's name, a program's language, or a field of the client. */
  readonly label: string;
  readonly text: string;
}

/** Manual setup texts for clients whose settings cannot be written by others. */
export function manualTexts(id: ClientId, origin: string, key: string, model: string): readonly ManualText[] {
  const base = `${origin}/v1`;
  // A JSON string is also a Python and a JavaScript string, whatever characters a model name has.
  const name = JSON.stringify(model);
  switch (id) {
    case "cursor":
      return [
        { label: "Override OpenAI Base URL", text: base },
        { label: "OpenAI API Key", text: key },
        { label: "Add Custom Model", text: model },
      ];
    // docs.github.com/copilot/how-tos/copilot-cli/customize-copilot/use-byok-models, read 2026-11-29.
    case "copilot-cli":
      return [
        { label: "Terminal", text: `postern run copilot --model ${model}` },
        {
          label: "Shell",
          text: `export COPILOT_PROVIDER_BASE_URL=${base}\nexport COPILOT_PROVIDER_TYPE=openai\nexport COPILOT_PROVIDER_API_KEY=${key}\nexport COPILOT_MODEL=${model}`,
        },
      ];
    // docs.openwebui.com/reference/env-configuration, OPENAI_API_BASE_URL, read 2026-11-29.
    case "open-webui":
      return [
        { label: "Admin Settings, Connections, OpenAI API", text: `${base}\n${key}` },
        {
          label: "Docker",
          text: `docker run -d -p 3000:8080 --add-host=host.docker.internal:host-gateway \\\n  -e OPENAI_API_BASE_URL=${base.replace("127.0.0.1", "host.docker.internal")} \\\n  -e OPENAI_API_KEY=${key} \\\n  -v open-webui:/app/backend/data ghcr.io/open-webui/open-webui:main`,
        },
      ];
    case "cherry-studio":
      return [
        { label: "Settings, Model Provider, Add, OpenAI: API Host", text: origin },
        { label: "API Key", text: key },
        { label: "Model ID", text: model },
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
    default:
      return [];
  }
}

import { describe, expect, it } from "vitest";
import { envImporter } from "../../../../gateway/core/imports/env.ts";
import { connection, fieldLines, places, readFiles } from "./read-files.ts";

const OPENAI = "sk-proj-aaaaaaaaaaaaaaaa1111";
const ANTHROPIC = "sk-ant-api03-bbbbbbbbbbbb2222";

describe("files of variables", () => {
  it("looks in the home folder, or in the one that the owner names", () => {
    expect(envImporter.files(places()).map(({ path }) => path)).toEqual(["/home/ada/.env", "/home/ada/.env.local"]);
    expect(envImporter.files(places({ folder: "/srv/app" })).map(({ path }) => path)).toEqual([
      "/srv/app/.env",
      "/srv/app/.env.local",
    ]);
  });

  it("makes a connection of each key that a provider's own programs look for", () => {
    const read = readFiles(envImporter, {
      "/home/ada/.env": `# keys\nexport OPENAI_API_KEY="${OPENAI}"\nANTHROPIC_API_KEY=${ANTHROPIC}\nGROQ_API_KEY='gsk_cccccccccccccccc3333'\n`,
    });
    expect(read?.setup.connections).toEqual([
      { name: "OpenAI", provider: "openai", keys: [OPENAI] },
      { name: "Anthropic", provider: "anthropic", keys: [ANTHROPIC] },
      connection("Groq", "openai-compatible", "https://api.groq.com/openai/v1", ["gsk_cccccccccccccccc3333"]),
    ]);
    expect(fieldLines(read)).toEqual([
      'ANTHROPIC_API_KEY: taken connection "Anthropic"',
      'GROQ_API_KEY: taken connection "Groq"',
      'OPENAI_API_KEY: taken connection "OpenAI"',
    ]);
  });

  it.each([
    ["http://127.0.0.1:6174/v1", "own-address"],
    ["http://localhost:3456", "own-address"],
    ["ftp://files.example", "unreadable"],
  ])("takes no key for %s", (address, reason) => {
    const read = readFiles(envImporter, {
      "/home/ada/.env": `OPENAI_API_KEY=${OPENAI}\nOPENAI_BASE_URL=${address}\n`,
    });
    expect(read?.setup).toEqual({});
    expect(fieldLines(read)).toEqual([`OPENAI_API_KEY: left (${reason})`, `OPENAI_BASE_URL: left (${reason})`]);
  });

  it("sends a key to the address next to it", () => {
    const read = readFiles(envImporter, {
      "/home/ada/.env": `OPENAI_API_KEY=${OPENAI}\nOPENAI_API_BASE=https://llm.example.com/v1/chat/completions\n`,
    });
    expect(read?.setup.connections).toEqual([
      { name: "OpenAI", provider: "openai-compatible", base_url: "https://llm.example.com/v1", keys: [OPENAI] },
    ]);
    expect(fieldLines(read)[0]).toBe('OPENAI_API_BASE: changed connection "OpenAI" (endpoint)');
  });

  it("takes the later file's value, variables of the same file, and keys of search services", () => {
    const read = readFiles(envImporter, {
      "/app/.env": `OPENAI_API_KEY=sk-old-aaaaaaaaaaaaaaaa\nTAVILY_API_KEY=tvly-dddddddd\nBASE=${OPENAI}\n`,
      "/app/.env.local": "OPENAI_API_KEY=${BASE}\n",
    });
    expect(read?.setup).toEqual({
      connections: [{ name: "OpenAI", provider: "openai", keys: [OPENAI] }],
      search_keys: { tavily: "tvly-dddddddd" },
    });
    expect(fieldLines(read)).toContain("/app/.env.OPENAI_API_KEY: left (unused)");
  });

  it("shows nothing of what belongs to others, and takes no stand-ins", () => {
    const read = readFiles(envImporter, {
      "/home/ada/.env":
        "DATABASE_URL=postgres://ada:hunter22hunter22@db/x\nGREETING=good morning\nOPENAI_API_KEY=dummy\n",
    });
    expect(read?.setup).toEqual({});
    expect(JSON.stringify(read?.fields)).not.toMatch(/hunter22|morning/);
    expect(fieldLines(read)).toContain("OPENAI_API_KEY: left (unreadable)");
  });

  it.each([
    [
      `ANTHROPIC_API_KEY=""\nANTHROPIC_AUTH_TOKEN=${OPENAI}\nANTHROPIC_BASE_URL=https://openrouter.ai/api`,
      "openrouter",
    ],
    [`export GEMINI_API_KEY=\nGOOGLE_API_KEY=${OPENAI}`, "Google Gemini"],
    [`NEBIUS_API_KEY=${OPENAI}`, "NEBIUS"],
    [`SAMBANOVA_API_KEY=${OPENAI}`, "SAMBANOVA"],
    [`ZHIPU_API_KEY=${OPENAI}`, "ZHIPU"],
    [`KIMI_API_KEY=${OPENAI}`, "Moonshot (Kimi)"],
    [`TOGETHERAI_API_KEY=${OPENAI}`, "Together"],
    [`HF_TOKEN=${OPENAI}`, "Hugging Face"],
    [`HUGGINGFACE_API_KEY=${OPENAI}`, "Hugging Face"],
    [`PERPLEXITYAI_API_KEY=${OPENAI}`, "Perplexity"],
    [`AZURE_OPENAI_API_KEY=${OPENAI}\nAZURE_OPENAI_ENDPOINT=https://mine.openai.azure.com/`, "Azure OpenAI"],
    // The names alone say no address, or one of this machine.
    [`AZURE_API_KEY=${OPENAI}`, undefined],
    [`OLLAMA_API_KEY=${OPENAI}`, undefined],
    [`SECRET_API_KEY=${OPENAI}`, undefined],
  ])("takes the first name that has a value, of every provider that is known: %s", (text, name) => {
    expect(readFiles(envImporter, { "/home/ada/.env": text })?.setup.connections?.[0]?.name).toBe(name);
  });

  it("is nothing where there are no variables", () => {
    expect(readFiles(envImporter, { "/home/ada/.env": "# nothing\n" })).toBeNull();
  });
});

import { describe, expect, it } from "vitest";
import { continueImporter } from "../../../../gateway/core/imports/continue.ts";
import { connection, fieldLines, places, readFiles } from "./read-files.ts";

const FOLDER = "/home/ada/.continue";
const KEY = "sk-proj-ffffffffffffffff4444";

describe("Continue", () => {
  it("looks in its folder", () => {
    expect(continueImporter.files(places()).map(({ path }) => path)).toEqual([
      `${FOLDER}/config.yaml`,
      `${FOLDER}/config.json`,
      `${FOLDER}/.env`,
    ]);
  });

  it("makes one connection of several models at one place, with secrets of its file", () => {
    const read = readFiles(continueImporter, {
      [`${FOLDER}/config.yaml`]: [
        "name: mine",
        "models:",
        "  - { name: Big, provider: openai, model: gpt-5.4, apiKey: '${{ secrets.OPENAI }}' }",
        "  - { name: Small, provider: openai, model: gpt-5.4-mini, apiKey: '${{ secrets.OPENAI }}' }",
        "  - { name: Local, provider: ollama, model: llama3.2 }",
        "  - { name: Theirs, provider: anthropic, model: claude-sonnet-5-5, apiBase: https://claude.example.com/v1/, apiKey: '${{ secrets.NONE }}' }",
      ].join("\n"),
      [`${FOLDER}/.env`]: `OPENAI=${KEY}\n`,
    });
    expect(read?.setup).toEqual({
      connections: [
        { name: "OpenAI", provider: "openai", keys: [KEY] },
        { name: "Ollama on this machine", provider: "openai-compatible", base_url: "http://127.0.0.1:11434/v1" },
        { name: "Anthropic", provider: "anthropic", base_url: "https://claude.example.com" },
      ],
    });
    const lines = fieldLines(read);
    expect(lines).toContain('models[1].apiKey: taken connection "OpenAI"');
    expect(lines).toContain("models[3].apiKey: left (secret-missing)");
    expect(JSON.stringify(read?.fields)).not.toContain(KEY);
  });

  it("reads the older file, with the models next to its list", () => {
    const read = readFiles(continueImporter, {
      [`${FOLDER}/config.json`]: JSON.stringify({
        models: [{ title: "R", provider: "openrouter", model: "x/y", apiKey: "sk-or-v1-gggggggg" }],
        tabAutocompleteModel: {
          title: "Tab",
          provider: "mistral",
          model: "codestral-latest",
          apiKey: "mistral-key-123456",
        },
      }),
    });
    expect(read?.setup.connections).toEqual([
      connection("OpenRouter", "openai-compatible", "https://openrouter.ai/api/v1", ["sk-or-v1-gggggggg"]),
      { name: "Mistral", provider: "mistral", keys: ["mistral-key-123456"] },
    ]);
  });

  it("leaves what it does not know, and the older file next to a newer one", () => {
    const read = readFiles(continueImporter, {
      [`${FOLDER}/config.yaml`]: "models:\n  - { name: X, provider: sagemaker, model: x }\n",
      [`${FOLDER}/config.json`]: '{"models":[]}',
    });
    expect(read?.setup).toEqual({});
    expect(fieldLines(read)).toContain("models[0]: left (unknown-provider)");
    expect(fieldLines(read)).toContain("config.json: left (unused)");
  });
});

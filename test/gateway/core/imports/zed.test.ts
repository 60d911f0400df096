import { describe, expect, it } from "vitest";
import { zedImporter } from "../../../../gateway/core/imports/zed.ts";
import { connection, fieldLines, places, readFiles } from "./read-files.ts";

const SETTINGS = "/home/ada/.config/zed/settings.json";

describe("Zed", () => {
  it.each([
    ["linux", {}, [SETTINGS, "/home/ada/.var/app/dev.zed.Zed/config/zed/settings.json"]],
    ["darwin", {}, [SETTINGS]],
    ["win32", { APPDATA: "C:/Users/ada/AppData/Roaming" }, ["C:/Users/ada/AppData/Roaming/Zed/settings.json"]],
  ] as const)("looks at its place on %s", (platform, env, paths) => {
    expect(zedImporter.files(places({ platform, env })).map(({ path }) => path)).toEqual(paths);
  });

  it("takes compatible servers with the keys that the environment has, and local ones without", () => {
    const read = readFiles(
      zedImporter,
      {
        [SETTINGS]: `{
          // the editor's own
          "theme": "One",
          "language_models": {
            "openai_compatible": {
              "Big Cloud": { "api_url": "https://api.big.example/v1", "available_models": [{ "name": "big", "max_tokens": 1 }] },
              "No Key": { "api_url": "https://api.other.example/v1" },
            },
            "anthropic_compatible": { "Claude There": { "api_url": "https://claude.example.com" } },
            "ollama": { "api_url": "http://localhost:11434" },
            "openai": { "version": "1" },
            "copilot_chat": {},
          },
        }`,
      },
      { env: { BIG_CLOUD_API_KEY: "big-key-hhhhhhhh" } },
    );
    expect(read?.setup.connections).toEqual([
      connection("Big Cloud", "openai-compatible", "https://api.big.example/v1", ["big-key-hhhhhhhh"]),
      { name: "No Key", provider: "openai-compatible", base_url: "https://api.other.example/v1" },
      { name: "Claude There", provider: "anthropic", base_url: "https://claude.example.com" },
      { name: "Ollama on this machine", provider: "openai-compatible", base_url: "http://localhost:11434/v1" },
    ]);
    const lines = fieldLines(read);
    expect(lines.some((line) => line.startsWith("theme"))).toBe(false);
    expect(lines).toContain(
      'language_models.openai_compatible["No Key"].api_url: changed connection "No Key" (secret-missing)',
    );
    expect(lines).toContain("language_models.openai: left (secret-missing)");
    expect(lines).toContain("language_models.copilot_chat: left (login)");
  });

  it("says of an address that is too long that it is left", () => {
    const url = `https://relay.example/${"a".repeat(2_000)}/v1`;
    const servers = { openai_compatible: { Long: { api_url: url }, Short: { api_url: "https://relay.example/v1" } } };
    const read = readFiles(zedImporter, { [SETTINGS]: JSON.stringify({ language_models: servers }) });
    expect(read?.setup.connections?.map(({ name }) => name)).toEqual(["Short"]);
    expect(fieldLines(read)).toContain("language_models.openai_compatible.Long: left (not-supported)");
  });

  it("is nothing without language models", () => {
    expect(readFiles(zedImporter, { [SETTINGS]: '{"theme":"One"}' })).toBeNull();
  });
});

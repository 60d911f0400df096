import { describe, expect, it } from "vitest";
import { opencodeImporter } from "../../../../gateway/core/imports/opencode.ts";
import { connection, fieldLines, places, readFiles } from "./read-files.ts";

const AUTH = "/home/ada/.local/share/opencode/auth.json";
const CONFIG = "/home/ada/.config/opencode/opencode.json";

describe("opencode", () => {
  it("looks where opencode itself does", () => {
    expect(opencodeImporter.files(places()).map(({ path }) => path)).toEqual([
      AUTH,
      CONFIG,
      "/home/ada/.config/opencode/opencode.jsonc",
      "/home/ada/.config/opencode/config.json",
    ]);
    const env = { XDG_DATA_HOME: "/d", XDG_CONFIG_HOME: "/c", OPENCODE_CONFIG: "/own.json" };
    expect(opencodeImporter.files(places({ env })).map(({ path }) => path)).toEqual([
      "/d/opencode/auth.json",
      "/c/opencode/opencode.json",
      "/c/opencode/opencode.jsonc",
      "/c/opencode/config.json",
      "/own.json",
    ]);
  });

  it("takes keys, and leaves logins without showing them", () => {
    const read = readFiles(opencodeImporter, {
      [AUTH]: JSON.stringify({
        anthropic: { type: "oauth", refresh: "refresh-of-ada-1234", access: "access-of-ada-1234", expires: 1 },
        openrouter: { type: "api", key: "sk-or-v1-eeeeeeeeeeee" },
        nobody: { type: "api", key: "key-of-nobody-1234" },
      }),
    });
    expect(read?.setup).toEqual({
      connections: [
        connection("openrouter", "openai-compatible", "https://openrouter.ai/api/v1", ["sk-or-v1-eeeeeeeeeeee"]),
      ],
    });
    expect(fieldLines(read)).toEqual([
      "anthropic: left (login)",
      'openrouter: taken connection "openrouter"',
      "nobody: left (unknown-provider)",
    ]);
    expect(JSON.stringify(read?.fields)).not.toMatch(/refresh-of|access-of|key-of-nobody|eeeeee/);
  });

  it("reads providers of the user's own with comments, variables and what their models cost", () => {
    const read = readFiles(
      opencodeImporter,
      {
        [AUTH]: JSON.stringify({ acme: { type: "api", key: "acme-key-from-auth" } }),
        [CONFIG]: `{
          // mine
          "model": "acme/large",
          "provider": {
            "acme": {
              "npm": "@ai-sdk/openai-compatible",
              "options": { "baseURL": "https://llm.acme.example/v1", "apiKey": "{env:ACME_KEY}" },
              "models": { "large": { "name": "Large", "cost": { "input": 1.5, "output": 6, "cache_read": 0.15 } } },
            },
            "claude": { "npm": "@ai-sdk/anthropic", "options": { "baseURL": "https://claude.acme.example/v1", "apiKey": "{env:NOT_SET}" } },
          },
        }`,
      },
      { env: { ACME_KEY: "acme-key-of-environment" } },
    );
    expect(read?.setup).toEqual({
      connections: [
        connection("acme", "openai-compatible", "https://llm.acme.example/v1", ["acme-key-from-auth"]),
        { name: "claude", provider: "anthropic", base_url: "https://claude.acme.example" },
      ],
      prices: { "acme/large": { input: 1.5, output: 6, cached_input: 0.15 } },
    });
    const lines = fieldLines(read);
    expect(lines).toContain("opencode.json.provider.acme.options.apiKey: left (unused)");
    expect(lines).toContain("opencode.json.provider.claude.options.apiKey: left (secret-missing)");
    expect(lines).toContain('opencode.json.provider.acme.models.large.cost: taken price of "acme/large"');
    expect(lines).toContain("opencode.json.model: left (unused)");
  });

  it("leaves a provider that is this Postern", () => {
    const read = readFiles(opencodeImporter, {
      [CONFIG]: JSON.stringify({
        provider: { postern: { options: { baseURL: "http://127.0.0.1:6174/v1", apiKey: "sk-local-of-postern" } } },
      }),
    });
    expect(read?.setup).toEqual({});
    expect(fieldLines(read)).toContain("provider.postern.options.baseURL: left (own-address)");
  });

  it("is nothing without providers", () => {
    expect(readFiles(opencodeImporter, { [CONFIG]: '{"theme":"dark"}' })).toBeNull();
  });
});

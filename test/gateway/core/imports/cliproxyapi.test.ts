import { describe, expect, it } from "vitest";
import { cliProxyApiImporter } from "../../../../gateway/core/imports/cliproxyapi.ts";
import { connection, fieldLines, readFiles } from "./read-files.ts";

const CONFIG = "/home/ada/.cli-proxy-api/config.yaml";
const read = (text: string) => readFiles(cliProxyApiImporter, { [CONFIG]: text });

describe("CLIProxyAPI", () => {
  it("takes provider keys by kind, those of one address together, and its clients' keys", () => {
    const imported = read(`
port: 8317
auth-dir: "~/.cli-proxy-api"
api-keys:
  - "sk-client-of-ada-0001"
  - "short"
claude-api-key:
  - api-key: "sk-ant-nnnnnnnnnnnnnnnn"
  - api-key: "sk-ant-oooooooooooooooo"
    weight: 5
  - api-key: "sk-there-pppppppppppp"
    base-url: "https://claude.example.com"
    prefix: "there"
gemini-api-key:
  - api-key: "AIzaSyqqqqqqqqqqqqqqqq"
codex-api-key:
  - api-key: "sk-loop-rrrrrrrrrrrr"
    base-url: "http://127.0.0.1:8317/v1"
`);
    expect(imported?.setup).toEqual({
      connections: [
        { name: "Claude", provider: "anthropic", keys: ["sk-ant-nnnnnnnnnnnnnnnn", "sk-ant-oooooooooooooooo"] },
        connection("there", "anthropic", "https://claude.example.com", ["sk-there-pppppppppppp"]),
        { name: "Gemini", provider: "gemini", keys: ["AIzaSyqqqqqqqqqqqqqqqq"] },
      ],
      keys: [{ name: "CLIProxyAPI 1", secret: "sk-client-of-ada-0001" }],
    });
    const lines = fieldLines(imported);
    expect(lines).toContain("api-keys[1]: left (weak)");
    expect(lines).toContain("auth-dir: left (login)");
    expect(lines).toContain("claude-api-key[1].weight: left (not-supported)");
    expect(lines).toContain("codex-api-key[0]: left (own-address)");
    expect(JSON.stringify(imported?.fields)).not.toMatch(/nnnnnn|oooooo|pppppp|qqqqqq|rrrrrr|sk-client-of/);
  });

  it("makes aliases of names for one model, and routes of names for several", () => {
    const imported = read(`
openai-compatibility:
  - name: "first"
    base-url: "https://one.example.com/v1"
    api-key-entries:
      - api-key: "key-of-one-1234"
    models:
      - { name: "acme/kimi-k2", alias: "kimi" }
      - { name: "acme/glm", alias: "glm" }
  - name: "second"
    base-url: "https://two.example.com/v1"
    api-keys: ["key-of-two-1234"]
    disabled: true
    models:
      - { name: "kimi-k2-0905", alias: "kimi" }
`);
    expect(imported?.setup).toEqual({
      connections: [
        connection("first", "openai-compatible", "https://one.example.com/v1", ["key-of-one-1234"]),
        connection("second", "openai-compatible", "https://two.example.com/v1", ["key-of-two-1234"], {
          enabled: false,
        }),
      ],
      routes: [{ name: "kimi", models: ["first/acme/kimi-k2", "second/kimi-k2-0905"] }],
      aliases: { glm: "first/acme/glm" },
    });
    expect(fieldLines(imported)).toContain('openai-compatibility[1].models[0].alias: taken route "kimi"');
  });

  it.each(["", "port: 8317", "[]", "just text"])("is nothing without keys: %j", (text) => {
    expect(read(text)).toBeNull();
  });
});

import { describe, expect, it } from "vitest";
import { ccSwitchImporter } from "../../../../gateway/core/imports/cc-switch/cc-switch.ts";
import { PASTED, type Imported } from "../../../../gateway/core/imports/importer.ts";
import { readAll } from "./read-database.ts";
import { textFile } from "./text-file.ts";
import { fieldLines } from "./read-files.ts";

const claude = (url: string, key: string, more: object = {}): object => ({
  env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_AUTH_TOKEN: key, ...more },
});

const paste = (text: string, env: Record<string, string> = {}): Imported | null =>
  readAll(ccSwitchImporter, [textFile(PASTED, text)], { env });
const link = (params: Readonly<Record<string, string>>): string =>
  `ccswitch://v1/import?${new URLSearchParams({ resource: "provider", ...params }).toString()}`;
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64");

describe("a link of cc-switch", () => {
  const plain = {
    app: "claude",
    name: "Relay",
    endpoint: "https://relay.example,https://two.example",
    apiKey: "sk-relay-0123456789abcdef",
    model: "glm-5",
    haikuModel: "glm-5-air",
  };

  it("becomes a connection and routes", () => {
    const imported = paste(link(plain));
    expect(imported?.setup.connections).toEqual([
      { name: "Relay", provider: "anthropic", base_url: "https://relay.example", keys: ["sk-relay-0123456789abcdef"] },
    ]);
    expect(imported?.setup.routes?.map(({ models }) => models[0])).toEqual([
      "relay/glm-5",
      "relay/glm-5",
      "relay/glm-5-air",
      "relay/glm-5",
    ]);
    expect(fieldLines(imported)).toEqual([
      'resource: taken connection "Relay"',
      'app: taken connection "Relay"',
      'name: taken connection "Relay"',
      'endpoint: changed connection "Relay" (not-supported)',
      'apiKey: taken connection "Relay"',
      'model: taken route of connection "Relay"',
      'haikuModel: taken route of connection "Relay"',
    ]);
  });

  it("may carry a configuration, before which its own values go", () => {
    const config = base64(
      claude("https://config.example", "sk-config-0123456789abcdef", { ANTHROPIC_MODEL: "from-config" }),
    );
    expect(paste(link({ app: "claude", name: "C", config }))?.setup.connections).toMatchObject([
      { base_url: "https://config.example", keys: ["sk-config-0123456789abcdef"] },
    ]);
    const both = paste(link({ ...plain, config }))?.setup;
    expect(both?.connections).toMatchObject([
      { base_url: "https://relay.example", keys: ["sk-relay-0123456789abcdef"] },
    ]);
    expect(both?.routes?.[0]?.models).toEqual(["relay/glm-5"]);
  });

  it.each([
    ["codex", {}, "openai"],
    ["gemini", {}, "gemini"],
    ["opencode", {}, "openai-compatible"],
    ["openclaw", {}, "openai-compatible"],
    ["hermes", {}, "openai-compatible"],
    ["grokbuild", {}, "openai"],
  ])("is for %s", (app, more, provider) => {
    const imported = paste(link({ ...plain, ...more, app, endpoint: "https://relay.example/v1" }));
    expect(imported?.setup.connections).toMatchObject([
      { name: "Relay", provider, keys: ["sk-relay-0123456789abcdef"] },
    ]);
  });

  it("sends nothing of this environment anywhere: others make links", () => {
    const env = { OPENAI_API_KEY: "sk-mine-0123456789abcdef" };
    const config = base64({
      auth: {},
      config:
        'model_provider = "x"\n[model_providers.x]\nbase_url = "https://evil.example/v1"\nenv_key = "OPENAI_API_KEY"\n',
    });
    for (const apiKey of ["os.environ/OPENAI_API_KEY", "{env:OPENAI_API_KEY}", ""]) {
      const imported = paste(
        link({ app: "codex", name: "Evil", endpoint: "https://evil.example/v1", apiKey, config }),
        env,
      );
      expect(JSON.stringify(imported)).not.toContain(env.OPENAI_API_KEY);
      expect(imported?.setup.connections).toBeUndefined();
    }
  });

  it("may be one of several, each in a line", () => {
    const text = `Here they are:\n${link(plain)}\n${link({ ...plain, name: "Second", endpoint: "https://second.example" })}\n`;
    expect(paste(text)?.setup.connections?.map(({ name }) => name)).toEqual(["Relay", "Second"]);
  });

  it.each([
    ["a prompt", link({ resource: "prompt", app: "claude", name: "p", content: "aGk=" }), "not-supported"],
    ["a server of tools", link({ resource: "mcp", apps: "claude", config: "e30=" }), "not-supported"],
    ["a skill", link({ resource: "skill", repo: "a/b" }), "not-supported"],
    ["another version", "ccswitch://v2/import?resource=provider&app=claude&name=x", "unreadable"],
    ["an app that nobody knows", link({ ...plain, app: "vim" }), "unreadable"],
  ])("that is for %s is left", (_name, text, reason) => {
    const imported = paste(text);
    expect(imported?.setup).toEqual({});
    expect(imported?.fields.length).toBeGreaterThan(0);
    for (const field of imported?.fields ?? []) expect(field).toMatchObject({ fate: "left", reason });
  });

  it("is not any other text", () => {
    expect(paste("https://relay.example")).toBeNull();
  });
});

import { describe, expect, it } from "vitest";
import { findApp } from "../../../gateway/contract/apps.ts";
import { clientIdSchema } from "../../../gateway/contract/clients.ts";
import { clientName } from "../../../gateway/core/keys/client-name.ts";
import { appShapes, providerAliases, providerShapes } from "../../../renderer/components/glyph-shapes.ts";
import { monogram, getShape } from "../../../renderer/components/glyph.tsx";

const app = (id: string) => getShape(findApp(id)?.id ?? id, appShapes);
const provider = (id: string) => getShape(id, providerShapes, providerAliases);

describe("glyphs", () => {
  it.each(["openai", "anthropic", "gemini", "google", "dashscope-cn", "sandbox"])(
    "has a shape for the provider %s",
    (id) => {
      expect(provider(id)).toBeDefined();
    },
  );

  it.each(clientIdSchema.options)("has a shape for the client %s", (id) => {
    expect(app(id)).toBeDefined();
  });

  it.each([
    ["claude-cli/2.0.14 (external, cli)", "claude-code"],
    ["codex_cli_rs/0.46.0 (Linux)", "codex"],
    ["OpenAI/Python 1.99.1", "openai-sdk"],
    ["AsyncOpenAI/Python 1.99.1", "openai-sdk"],
    ["Anthropic/JS 0.60.0", "anthropic-sdk"],
    ["python-httpx/0.28", "python"],
    ["Playground", "playground"],
    ["Mozilla/5.0 (X11; Linux x86_64)", "browser"],
  ])("knows a client by what receipts call %s", (agent, id) => {
    expect(app(clientName(agent))).toBe(appShapes[id]);
  });

  it("gives an alias only to what has a shape", () => {
    for (const [alias, id] of Object.entries(providerAliases))
      expect([alias, providerShapes[id]?.d]).not.toContain(undefined);
  });

  it("knows a server by the name that its preset gives it", () => {
    expect(provider("LM Studio on this machine")).toBe(providerShapes["lm-studio"]);
    expect(provider("Groq")).toBe(providerShapes["groq"]);
  });

  it("takes nothing from an object's own members", () => {
    expect(app("constructor")).toBeUndefined();
    expect(provider("__proto__")).toBeUndefined();
  });

  it.each([
    ["Home server", "HS"],
    ["acme", "Ac"],
    ["x", "X"],
    ["文心 一言", "文一"],
    ["…", "?"],
    ["", "?"],
  ])("makes letters of %s", (name, letters) => {
    expect(monogram(name)).toBe(letters);
  });
});

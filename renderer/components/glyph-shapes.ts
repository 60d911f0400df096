/**
 * Shapes of glyphs: strokes on a grid of 16, drawn for Postern. Each suggests a name (a letter, a sail, a crescent)
 * without copying a logo: logos are trade marks, and few work as a single line at 16 px.
 */
export interface GlyphShape {
  /** SVG path, drawn as a line of even width with round caps: a near-zero length is a dot. */
  readonly d: string;
  /** Which colour of the plots it has. */
  readonly hue: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | "rest";
}

const getShape = (hue: GlyphShape["hue"], d: string): GlyphShape => ({ d, hue });

const ring = "M12 8a4 4 0 1 1-8 0a4 4 0 1 1 8 0";

/** Shapes by the id of a provider, a preset, or a model's owner. */
export const providerShapes: Readonly<Record<string, GlyphShape>> = {
  openai: getShape(1, `${ring}M8 8h.01`),
  anthropic: getShape(2, "M4 12 8 4l4 8M6.2 9.6h3.6"),
  google: getShape(6, "M11 5.2A4 4 0 1 0 12 8H8.6"),
  dashscope: getShape(3, `${ring}M9.6 9.6l2.6 2.8`),
  ark: getShape(8, "M3.6 8.6a4.4 4.4 0 0 0 8.8 0zM8 8.4V3.6"),
  xai: getShape("rest", "M4.4 4.2l7.2 7.6M11.6 4.2 9.2 6.8M6.8 9.2l-2.4 2.6"),
  deepseek: getShape(6, "M3.6 6.4q2.2-2.4 4.4 0t4.4 0M3.6 10.4q2.2-2.4 4.4 0t4.4 0"),
  mistral: getShape(2, "M3.6 5.2h8.8M3.6 8h5.6M3.6 10.8h7.4"),
  bedrock: getShape(2, "M3.6 11.6h8.8M4.8 8.6h6.4M6 5.6h4"),
  voyage: getShape(4, "M7.4 3.6v7H3.8zM9.6 5.6v5h2.8zM3.6 12.6h8.8"),
  moonshot: getShape(3, "M11.8 9.6A4.4 4.4 0 1 1 7 3.9a3.6 3.6 0 0 0 4.8 5.7z"),
  zhipu: getShape(1, "M4.4 4.4h7.2l-7.2 7.2h7.2"),
  minimax: getShape(5, "M3.8 11.4V6.8l2.1 2.6 2.1-5.2 2.1 5.2 2.1-2.6v4.6"),
  openrouter: getShape(7, "M3.6 8h3l3-3h2.8M6.6 8l3 3h2.8"),
  groq: getShape(5, "M9 3.6 5 8.8h3.2L7 12.4l4-5.2H7.8z"),
  together: getShape(4, "M9.8 8a3 3 0 1 1-6 0a3 3 0 1 1 6 0M12.2 8a3 3 0 1 1-6 0a3 3 0 1 1 6 0"),
  ollama: getShape("rest", "M4.6 12.4V7.8a3.4 3.4 0 0 1 6.8 0v4.6M5.6 5.2V3.4M10.4 5.2V3.4M6.8 8.6h.01M9.2 8.6h.01"),
  "lm-studio": getShape(3, "M3.8 4.8h8.4M3.8 8h8.4M3.8 11.2h8.4M9.8 4.8h.01M6.2 8h.01M10.6 11.2h.01"),
  "llama-cpp": getShape(7, "M3.4 8h4M5.4 6v4M8.8 8h4M10.8 6v4"),
  vllm: getShape(6, "M3.6 4.6 6.8 11.6 10 4.6M8.8 11.6 12.4 4.6"),
  sandbox: getShape(8, "M4 6.4V4h2.4M9.6 4H12v2.4M12 9.6V12H9.6M6.4 12H4V9.6M8 8h.01"),
  "openai-compatible": getShape(
    "rest",
    "M5.8 8a1.4 1.4 0 1 1-2.8 0a1.4 1.4 0 1 1 2.8 0M5.8 8h4.4M13 8a1.4 1.4 0 1 1-2.8 0a1.4 1.4 0 1 1 2.8 0",
  ),
};

/** Other ids and names of the same providers. */
export const providerAliases: Readonly<Record<string, string>> = {
  gemini: "google",
  alibaba: "dashscope",
  "dashscope-cn": "dashscope",
  qwen: "dashscope",
  bytedance: "ark",
  moonshotai: "moonshot",
  kimi: "moonshot",
  zai: "zhipu",
  "z-ai": "zhipu",
  custom: "openai-compatible",
  "lm studio": "lm-studio",
  "llama.cpp": "llama-cpp",
  "together ai": "together",
};

const braces = "M5.4 4q-1.4 0-1.4 1.6T2.8 8Q4 8.8 4 10.4T5.4 12M10.6 4Q12 4 12 5.6T13.2 8Q12 8.8 12 10.4T10.6 12";

/** Shapes by id of a client. */
export const appShapes: Readonly<Record<string, GlyphShape>> = {
  "claude-code": getShape(2, "M3.6 5l3 3-3 3M10.6 5.4v5.2M8.4 6.7l4.4 2.6M12.8 6.7l-4.4 2.6"),
  codex: getShape(1, "M4 5l3 3-3 3M8.8 11.4h3.6"),
  cursor: getShape("rest", "M4.4 3.8l7.8 3.6-3.4 1.4-1.4 3.4z"),
  opencode: getShape(7, "M6.2 4H4.2v8h2M9.8 4h2v8h-2"),
  "qwen-code": getShape(3, "M5 5 2.8 8 5 11M11 5l2.2 3L11 11M9.8 8a1.8 1.8 0 1 1-3.6 0a1.8 1.8 0 1 1 3.6 0"),
  zed: getShape(6, "M4.2 7V4.2h7.6l-7.6 7.6h7.6V9"),
  continue: getShape(4, "M4 4.6 7.4 8 4 11.4M8.6 4.6 12 8l-3.4 3.4"),
  cline: getShape(5, "M4 6.2a4 4 0 0 1 8 0v3.6a4 4 0 0 1-8 0zM6.6 7v1.8M9.4 7v1.8"),
  "claude-desktop": getShape(2, "M3.6 4.4h8.8v6H3.6zM6.4 12.6h3.2M8 6v2.8M6.8 6.7l2.4 1.4M9.2 6.7 6.8 8.1"),
  "vs-code": getShape(6, "M11.4 3.8 6 8l5.4 4.2zM6 8 4 6.4M6 8 4 9.6"),
  openclaw: getShape(5, "M4.4 4.2q-1.4 4 2 6M8 3.6v6.6M11.6 4.2q1.4 4-2 6M6.4 12.4h3.2"),
  hermes: getShape(4, "M8 12.6V5M8 6.2Q5.6 6.6 3.6 4.4M8 6.2q2.4.4 4.4-1.8M8 8.8q-1.8.2-3-1M8 8.8q1.8.2 3-1"),
  "kilo-code": getShape(4, "M5 3.8v8.4M11 3.8 5.4 8l5.6 4.2"),
  pi: getShape(3, "M3.8 5h8.4M6 5v7M10 5v5.4q0 1.6 1.6 1.6"),
  "factory-droid": getShape(2, "M4 12.2V7.6l3 2V7.6l3 2V4.2h2v8z"),
  "grok-build": getShape("rest", "M4.2 11.8l7.6-7.6M11.4 7.4a3.6 3.6 0 1 1-2.8-2.8"),
  goose: getShape(8, "M10.4 4.6a1.8 1.8 0 0 0-3.2 1.2c0 2-3.4 2.4-3.4 4.6q0 2 2.4 2h3.4q2.4 0 2.4-2.4M10.4 5.2h1.8"),
  junie: getShape(7, "M10 4v5.6a2.6 2.6 0 0 1-5.2 0M7.4 4h4.4"),
  raycast: getShape(5, "M4.4 6.4l5.2 5.2M6.4 4.4l5.2 5.2M4.4 9.6l2 2M9.6 4.4l2 2"),
  "cherry-studio": getShape(
    5,
    "M7 10.4a1.8 1.8 0 1 1-3.6 0a1.8 1.8 0 1 1 3.6 0M12.4 10.8a1.8 1.8 0 1 1-3.6 0a1.8 1.8 0 1 1 3.6 0M5.4 8.6Q6.2 5 9.8 3.6 10 6.6 10.6 9",
  ),
  "gemini-cli": getShape(6, "M3.8 5l3 3-3 3M10.6 5.2q.4 2.4 2.4 2.8-2 .4-2.4 2.8-.4-2.4-2.4-2.8 2-.4 2.4-2.8"),
  "copilot-cli": getShape(
    "rest",
    "M4 9.4V7.6a2 2 0 0 1 4-.6 2 2 0 0 1 4 .6v1.8q-1.6 2.6-4 2.6T4 9.4M6.8 9.6h.01M9.2 9.6h.01",
  ),
  "open-webui": getShape("rest", "M8 8a2.4 2.4 0 1 1-4.8 0a2.4 2.4 0 1 1 4.8 0M10.2 5.6v4.8M12.6 5.6v4.8"),
  langchain: getShape(
    4,
    "M7 9.8l-1 1a2.2 2.2 0 0 1-3-3l1.8-1.8a2.2 2.2 0 0 1 3 0M9 6.2l1-1a2.2 2.2 0 0 1 3 3l-1.8 1.8a2.2 2.2 0 0 1-3 0",
  ),
  "openai-sdk": getShape(1, `${braces}M9.4 8a1.4 1.4 0 1 1-2.8 0a1.4 1.4 0 1 1 2.8 0`),
  "anthropic-sdk": getShape(2, `${braces}M6.6 9.8 8 6.2l1.4 3.6`),
  playground: getShape(1, "M5.6 4.2 11.8 8l-6.2 3.8z"),
  postern: getShape(1, "M3.8 12V7.6a4.2 4.2 0 0 1 8.4 0V12M8 12V6.6"),
  curl: getShape("rest", "M10.4 4 5.8 12M3.6 6.8h.01M12.4 9.2h.01"),
  python: getShape(
    6,
    "M10.8 5.4A2.6 2.6 0 0 0 8 3.8c-2 0-2.8 1-2.8 2.2C5.2 9 10.8 7 10.8 10c0 1.2-.8 2.2-2.8 2.2a2.6 2.6 0 0 1-2.8-1.6",
  ),
  javascript: getShape(4, `${braces}M8 7h.01M8 9.6h.01`),
  browser: getShape(
    "rest",
    "M12.4 8a4.4 4.4 0 1 1-8.8 0a4.4 4.4 0 1 1 8.8 0M3.8 8h8.4M8 3.6q3.6 4.4 0 8.8M8 3.6q-3.6 4.4 0 8.8",
  ),
};

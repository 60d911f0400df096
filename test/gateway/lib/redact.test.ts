import { describe, expect, it } from "vitest";
import { redact, redactJson, redactProse } from "../../../gateway/lib/redact.ts";
import { providers } from "../../../gateway/providers/registry.ts";
import { searchEngines } from "../../../gateway/services/search/engines.ts";
import { expectLinear } from "../../support/growth.ts";

it.each([
  [
    "the whole of a webhook secret, whatever its base64 holds",
    "is whsec_ab+/cdEF0123456789/+ab+cd/ef== now",
    "is whsec_[redacted] now",
  ],
  ["a local key", "key sk-abcdefgh12345678.", "key sk-[redacted]."],
  ["a bearer", "Authorization: Bearer abcdefgh12345678", "Authorization: Bearer [redacted]"],
  ["a key in a query", "https://x.example/?api_key=secret&a=1", "https://x.example/?api_key=[redacted]&a=1"],
  ["nothing of plain text", "the task is whsec_ free", "the task is whsec_ free"],
])("takes out %s", (_what, text, clean) => expect(redact(text)).toBe(clean));

const KEY = "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7b";
const HEX = "0123456789abcdef0123456789abcdef";
/** Keys as documentation shows them; null: figures and letters alone, which look like any other id. */
const KEYS: Readonly<Record<string, string | null>> = {
  openai: `sk-proj-${KEY}`,
  anthropic: `sk-ant-api03-${KEY}`,
  gemini: `AIzaSy${KEY.slice(0, 33)}`,
  dashscope: `sk-${HEX}`,
  "dashscope-cn": `sk-${HEX}`,
  ark: null,
  xai: `xai-${KEY}`,
  deepseek: `sk-${HEX}`,
  mistral: null,
  voyage: `pa-${KEY}`,
  openrouter: `sk-or-v1-${HEX}${HEX}`,
  groq: `gsk_${KEY}`,
  moonshot: `sk-${KEY}`,
  together: `tgp_v1_${KEY}`,
  cerebras: `csk-${KEY.toLowerCase()}`,
  fireworks: `fw_${KEY.slice(0, 24)}`,
  deepinfra: null,
  nvidia: `nvapi-${KEY}`,
  zai: `${HEX}.${KEY.slice(0, 16)}`,
  minimax: "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJHcm91cE5hbWUiOiJhIn0.c2lnbmF0dXJl",
  siliconflow: `sk-${KEY}`,
  perplexity: `pplx-${KEY}`,
  cohere: null,
  huggingface: `hf_${KEY.slice(0, 34)}`,
  "vercel-ai-gateway": `vck_${KEY}`,
  cloudflare: `cfut_${KEY}`,
  "opencode-go": `sk-${KEY}`,
  bedrock: `ABSK${KEY}${KEY}`,
  azure: `${KEY}${KEY.slice(0, 12)}JQQJ99${KEY.slice(0, 26)}`,
  brave: null,
  tavily: `tvly-dev-${KEY}`,
  exa: null,
};
const OTHERS: Readonly<Record<string, string>> = {
  AWS: "AKIAIOSFODNN7EXAMPLE",
  "AWS for a session": "ASIAIOSFODNN7EXAMPLE",
  GitHub: `ghp_${KEY.slice(0, 36)}`,
  "GitHub OAuth": `gho_${KEY.slice(0, 36)}`,
  "GitHub fine-grained": `github_pat_${KEY.slice(0, 22)}_${KEY}`,
  Slack: "xoxb-123456789012-1234567890123-aB3dE5fG7hI9jK1lM3nO5pQ7",
  Replicate: `r8_${KEY.slice(0, 37)}`,
  "new Gemini": `AQ.Ab8RN6${KEY}`,
};
const known = Object.entries({ ...KEYS, ...OTHERS }).flatMap(([id, key]) => (key === null ? [] : [[id, key] as const]));

const escaped = (text: string): string => text.replace(/[/_.-]/g, (sign) => (sign === "/" ? "\\/" : unicode(sign)));
const unicode = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
const WRITINGS: Readonly<Record<string, (key: string) => string>> = {
  "as it is": (key) => `it is ${key}, or`,
  "with its first letter escaped": (key) => `${unicode(key)}${key.slice(1)}`,
  "with its signs escaped": escaped,
  "in JSON": (key) => JSON.stringify({ text: `\n${key}` }),
  "escaped in JSON": (key) => `{"text":"${unicode(key)}${escaped(key.slice(1))}"}`,
  "escaped in JSON inside of JSON": (key) => JSON.stringify({ a: `{"b":"${unicode(key)}${key.slice(1)}"}` }),
};

describe("what looks like a key", () => {
  const presets = Object.values(providers).flatMap(({ presets }) => [...presets]);
  const keyed = [...presets, ...Object.entries(searchEngines).map(([id, engine]) => ({ id, ...engine }))];

  it.each(keyed.filter(({ keysUrl }) => keysUrl !== null))("of $id has its form in this table", ({ id }) =>
    expect(KEYS).toHaveProperty([id]),
  );

  it.each(known)("is taken out: %s", (_id, key) => {
    for (const [how, write] of Object.entries(WRITINGS)) {
      const written = write(key);
      for (const shown of [redactJson(written, String), redactProse(written), redact(written)]) {
        expect(shown, how).toContain("[redacted]");
        expect(shown, how).not.toContain(key.slice(-10));
        expect(shown, how).not.toContain(written.slice(-14, -4));
      }
    }
  });

  it.each(known.filter(([id]) => id !== "zai" && id !== "azure"))("is taken out when it is cut: %s", (_id, key) => {
    const cut = key.slice(0, 20);
    for (const text of [`{"a":"${cut}`, `{"a":"${unicode(cut)}${cut.slice(1)}`, `"\\"${cut}\\`, `"${cut}\\u00`])
      expect(redactJson(text, String)).not.toContain(cut.slice(-6));
  });

  it.each([
    "pip install hf_transfer; fc-list; ms-flex; jina_embeddings_v3; secret_name_of_the_day; up_to_date_software_list",
    "eyJ is how base64 of JSON begins, and ASIA is a continent: ASIAN",
    `"C:\\users\\u00e4","a\\/b","\\u003cbr\\u003e"`,
  ])("is not seen in %s", (text) => expect(redactJson(text, String)).toBe(text));
});

it("a value ends with its line where an event was cut", () => {
  const text = 'data: {"a":"b\n\ndata: {"c":"key is\\nsk-abcdefgh12345678"}\n';
  expect(redactJson(text, String)).toBe('data: {"a":"b\n\ndata: {"c":"key is\\nsk-[redacted]"}\n');
});

it.each([
  ["escaped quotes", '\\"'],
  ["quotes", '"'],
  ["beginnings of tokens", "eyJ-"],
  ["beginnings of keys", "fc-hf_bearer  sk-"],
  ["backslashes", "\\"],
  ["blanks", " "],
  ["escapes", "\\u0073"],
  ["figures", "0a"],
])("a cut text of %s costs what its length says", (_what, piece) => {
  const hint = `{"key=1":"sk-abcdefgh12345678 bearer`;
  expectLinear(
    64 * 1024,
    (size) => hint + piece.repeat(size / piece.length),
    (text) => redactJson(text, String),
  );
});

import { formOf } from "../../support/forms.ts";
import { reply } from "../../support/wire-provider.ts";
import type { LoopCase } from "./loop-case.ts";

const range = (size: number): number[] => Array.from({ length: size }, (_, index) => index);

const sound = (name: string, full: number, bytes: (size: number) => Buffer): LoopCase => ({
  name: `sound: ${name}`,
  full,
  run: (world, size) => {
    world.wire.on("POST /v1/audio/transcriptions", reply(200, { text: "Hello." }));
    return world.post("/audio/transcriptions", formOf({ model: "whisper-1" }, [["file", bytes(size), "speech"]]));
  },
});

function filled(size: number, unit: Buffer, head: Buffer = Buffer.alloc(0)): Buffer {
  return Buffer.concat([head, Buffer.alloc(Math.max(0, size - head.length), unit)]);
}

function oggHeads(size: number): Buffer {
  const page = Buffer.alloc(28);
  page.write("OggS");
  const file = Buffer.alloc(size, page);
  for (let at = 0; at + 28 <= size; at += 28) file.writeUInt32LE(at, at + 14);
  return file;
}

const box = (type: string, bytes = 8): Buffer => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(bytes);
  head.write(type, 4, "latin1");
  return head;
};

const imported = (name: string, program: string, full: number, text: (size: number) => string): LoopCase => ({
  name: `import of ${name}`,
  full,
  run: (world, size) => world.control("POST", "/imports/preview", { program, text: text(size) }),
});

const yaml = (size: number): string =>
  `model_list:\n  - model_name: a\n    litellm_params: {model: openai/a}\nx:\n${range(size)
    .map((index) => `  k${index}: v${index}`)
    .join("\n")}\n`;

export const fileCases: readonly LoopCase[] = [
  {
    name: "inputs of embeddings",
    full: 2_000,
    run: (world, size) => {
      world.wire.on(
        "POST /v1/embeddings",
        reply(200, {
          data: range(size).map((index) => ({ object: "embedding", index, embedding: [0.1] })),
          usage: { prompt_tokens: 1, total_tokens: 1 },
        }),
      );
      return world.post(
        "/embeddings",
        JSON.stringify({ model: "text-embedding-3-small", input: range(size).map((index) => `t${index}`) }),
      );
    },
  },
  {
    name: "empty inputs of moderations",
    full: 20_000,
    run: (world, size) => world.post("/moderations", JSON.stringify({ input: range(size).map(() => ({})) })),
  },
  {
    name: "text to speak",
    full: 1_000_000,
    run: (world, size) =>
      world.post("/audio/speech", JSON.stringify({ model: "tts-1", voice: "alloy", input: " a\n".repeat(size / 3) })),
  },
  {
    name: "prompt of a picture",
    full: 1_000_000,
    run: (world, size) =>
      world.post("/images/generations", JSON.stringify({ model: "gpt-image-1", prompt: " ".repeat(size) })),
  },
  sound("heads of Ogg pages", 24 * 1_024 * 1_024, oggHeads),
  sound("empty boxes of MP4", 24 * 1_024 * 1_024, (size) =>
    filled(size, box("free"), Buffer.concat([box("ftyp", 16), Buffer.from("M4A \0\0\0\0"), box("moov")])),
  ),
  sound("empty elements of WebM", 24 * 1_024 * 1_024, (size) =>
    filled(size, Buffer.from([0xec, 0x80]), Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x80])),
  ),
  sound("beginnings of MP3", 24 * 1_024 * 1_024, (size) => filled(size, Buffer.from([0xff, 0xfb]))),
  {
    name: "a transcript of blanks as subtitles",
    full: 1_000_000,
    run: (world, size) => {
      world.wire.on(
        "POST /v1/audio/transcriptions",
        reply(200, { text: "a", segments: [{ start: 0, end: 1, text: `a${" ".repeat(size)}b` }] }),
      );
      return world.post(
        "/audio/transcriptions",
        formOf({ model: "whisper-1", response_format: "srt" }, [
          ["file", filled(2_000, Buffer.from("RIFF")), "speech.wav"],
        ]),
      );
    },
  },
  imported("variables", "env", 360 * 1_024, (size) =>
    range(size / 36)
      .map((index) => `A${index}_API_KEY=sk-${String(index).padStart(20, "0")}`)
      .join("\n"),
  ),
  imported("variables without keys", "env", 250 * 1_024, (size) =>
    range(size / 20)
      .map((index) => `V${index}=some value ${index}`)
      .join("\n"),
  ),
  imported("deployments with keys", "litellm", 4_000, (size) =>
    [
      "model_list:",
      ...range(size).map(
        (index) =>
          `  - {model_name: m${index}, litellm_params: {model: openai/m${index}, api_key: sk-${String(index).padStart(20, "0")}}}`,
      ),
    ].join("\n"),
  ),
  imported("providers with keys", "opencode", 3_000, (size) =>
    JSON.stringify({
      provider: Object.fromEntries(
        range(size).map((index) => [
          `p${index}`,
          {
            npm: "@ai-sdk/openai-compatible",
            options: { baseURL: `https://a${index}.example.com/v1`, apiKey: `sk-${String(index).padStart(20, "0")}` },
            models: { m: {} },
          },
        ]),
      ),
    }),
  ),
  imported("wide YAML", "litellm", 19_000, yaml),
  imported("YAML of anchors", "litellm", 19_000, (size) => `a: &a 1\nmodel_list:\n${"  - *a\n".repeat(size)}`),
  imported("deep YAML", "litellm", 500_000, (size) => `model_list: ${"[".repeat(size)}`),
  imported("YAML of indents", "litellm", 1_000, (size) =>
    range(size)
      .map((index) => `${" ".repeat(index)}a:\n`)
      .join(""),
  ),
  imported("deep JSON", "opencode", 500_000, (size) => "[".repeat(size)),
  imported("broken JSON", "opencode", 900_000, (size) => `{"a":${"/".repeat(size)}`),
  imported("JSON of blanks", "opencode", 900_000, (size) => `{${" ".repeat(size)}`),
  imported("TOML", "env", 900_000, (size) => `a=${"\\".repeat(size)}`),
  {
    name: "a configuration of aliases",
    full: 19_000,
    run: (world, size) =>
      world.control("POST", "/setup/preview", {
        text: `aliases:\n${range(size)
          .map((index) => `  a${index}: gpt-4.1`)
          .join("\n")}\n`,
      }),
  },
  {
    name: "a configuration of connections",
    full: 2_000,
    run: (world, size) =>
      world.control("POST", "/setup/preview", {
        text: `connections:\n${range(size)
          .map(
            (index) =>
              `  - {name: c${index}, provider: openai-compatible, base_url: "https://a${index}.example.com/v1"}`,
          )
          .join("\n")}\n`,
      }),
  },
  {
    name: "a configuration of keys",
    full: 4_000,
    run: (world, size) =>
      world.control("POST", "/setup/preview", {
        text: `keys:\n${range(size)
          .map((index) => `  - {name: k${index}, sha256: "${String(index).padStart(64, "0")}"}`)
          .join("\n")}\n`,
      }),
  },
];

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { formOf } from "../../support/forms.ts";
import { reply, replyEvents } from "../../support/wire-provider.ts";
import type { LoopCase } from "./loop-case.ts";
import type { LoopWorld } from "./loop-world.ts";

const range = (size: number): number[] => Array.from({ length: size }, (_, index) => index);
const USER = [{ role: "user", content: "Say hello." }];
const GEMINI = "POST /gemini/v1beta/openai/chat/completions";
const MISTRAL = "POST /mistral/v1/chat/completions";

/** A conversation with a provider whose dialect has its own forms, in each dialect of clients. */
const spoken = (
  name: string,
  route: string,
  model: string,
  full: number,
  delta: (index: number) => object,
): LoopCase[] =>
  ["/chat/completions", "/messages", "/responses"].flatMap((path) =>
    [true, false].map((stream) => ({
      name: `${name}, ${path}${stream ? ", streamed" : ""}`,
      full,
      run: (world: LoopWorld, size: number) => {
        const head = { id: "c1", object: "chat.completion.chunk", created: 1, model };
        const chunks = range(size).map(
          (index) => `data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta: delta(index) }] })}\n\n`,
        );
        const message = { role: "assistant", ...joined(range(size).map(delta)) };
        const whole = { ...head, object: "chat.completion", choices: [{ index: 0, message, finish_reason: "stop" }] };
        world.wire.on(route, stream ? replyEvents(...chunks, "data: [DONE]\n\n") : reply(200, whole));
        const stated = path === "/responses" ? { input: USER } : { messages: USER };
        return world.post(path, JSON.stringify({ model, stream, max_tokens: 100, ...stated }));
      },
    })),
  );

/** Deltas as one message: lists end to end, texts too. */
function joined(deltas: readonly object[]): object {
  const whole: Record<string, unknown> = {};
  for (const delta of deltas)
    for (const [name, value] of Object.entries(delta)) {
      const before = whole[name];
      if (Array.isArray(before)) before.push(...(value as unknown[]));
      else whole[name] = typeof before === "string" ? before + String(value) : structuredClone(value as unknown);
    }
  return whole;
}

function png(width: number, height: number, more = 0): Buffer {
  const head = Buffer.alloc(33 + more);
  Buffer.from("89504e470d0a1a0a0000000d49484452", "hex").copy(head);
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  head.set([8, 6, 0, 0, 0], 24);
  return head;
}

/** A JPEG whose segments hold nothing, or that says it is followed by more than there is. */
const segments = (size: number): Buffer =>
  Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(size, Buffer.from([0xff, 0xe0, 0, 2]))]);

const PICTURES: readonly [string, (size: number) => Buffer][] = [
  ["a PNG of 2³¹ pixels each way", (size) => png(0x7fff_ffff, 0x7fff_ffff, size)],
  ["a PNG that is cut", () => png(1, 1).subarray(0, 20)],
  ["a JPEG of empty segments", segments],
  ["a JPEG that is cut in a segment", (size) => Buffer.concat([segments(size), Buffer.from([0xff, 0xe0, 0xff, 0xff])])],
  [
    "a WebP of empty chunks",
    (size) => Buffer.concat([Buffer.from("RIFF\xff\xff\xff\x7fWEBPVP8X", "latin1"), Buffer.alloc(size)]),
  ],
  [
    "a TIFF whose directories follow themselves",
    (size) => Buffer.alloc(size, Buffer.from("II*\0\x08\0\0\0", "latin1")),
  ],
  [
    "an AVIF of empty boxes",
    (size) =>
      Buffer.concat([
        Buffer.from("\0\0\0\x10ftypavif\0\0\0\0", "latin1"),
        Buffer.alloc(size, Buffer.from("\0\0\0\x08free", "latin1")),
      ]),
  ],
  ["an SVG of blanks", (size) => Buffer.from(`<svg${" ".repeat(size)}width="1">`)],
];

const pictures = PICTURES.flatMap(([name, bytes]): LoopCase[] => [
  {
    name: `picture to edit: ${name}`,
    full: 8_000_000,
    run: (world, size) => {
      world.wire.on("POST /v1/images/edits", reply(200, { data: [{ b64_json: png(1, 1).toString("base64") }] }));
      return world.post(
        "/images/edits",
        formOf({ model: "gpt-image-1", prompt: "a" }, [["image", bytes(size), "a.png"]]),
      );
    },
  },
  {
    name: `picture that a provider made: ${name}`,
    // The library looks at the first mebibyte.
    full: 1_000_000,
    run: (world, size) => {
      world.wire.on(
        "POST /v1/images/generations",
        reply(200, { data: [{ b64_json: bytes(size).toString("base64") }] }),
      );
      return world.post("/images/generations", JSON.stringify({ model: "gpt-image-1", prompt: "a" }));
    },
  },
]);

/** An import of cc-switch whose database is made or broken by `make`. */
const database = (
  name: string,
  full: number,
  make: (path: string, size: number) => Promise<void> | void,
): LoopCase => ({
  name: `database with ${name}`,
  full,
  run: async (world, size) => {
    const folder = await mkdtemp(join(tmpdir(), "postern-loop-"));
    await mkdir(folder, { recursive: true });
    await make(join(folder, "cc-switch.db"), size);
    const status = await world.control("POST", "/imports/preview", { program: "cc-switch", folder });
    await rm(folder, { recursive: true });
    return status;
  },
});

const PROVIDERS = "CREATE TABLE providers (id TEXT, app_type TEXT, name TEXT, settings_config TEXT, meta TEXT)";

function rows(path: string, size: number, config: (index: number) => string): void {
  const made = new DatabaseSync(path);
  made.exec(`${PROVIDERS}; BEGIN`);
  const insert = made.prepare("INSERT INTO providers VALUES (?, 'claude', ?, ?, '{}')");
  for (const index of range(size)) insert.run(`p${index}`, `n${index}`, config(index));
  made.exec("COMMIT");
  made.close();
}

const databases: readonly LoopCase[] = [
  database("many providers", 20_000, (path, size) =>
    rows(path, size, (index) =>
      JSON.stringify({
        env: {
          ANTHROPIC_BASE_URL: `https://a${index}.example.com`,
          ANTHROPIC_AUTH_TOKEN: `sk-${String(index).padStart(20, "0")}`,
        },
      }),
    ),
  ),
  database("many empty providers", 20_000, (path, size) => rows(path, size, () => "{}")),
  database("one large value", 1_000_000, (path, size) => rows(path, 1, () => "[".repeat(size))),
  database("a view without end", 1_000, (path, size) => {
    const made = new DatabaseSync(path);
    made.exec(
      `CREATE VIEW providers AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id FROM n`,
    );
    for (const index of range(size)) made.exec(`CREATE TABLE t${index} (a)`);
    made.close();
  }),
  database("damage", 1_000_000, async (path, size) => {
    await writeFile(path, Buffer.concat([Buffer.from("SQLite format 3\0"), Buffer.alloc(size, 0xff)]));
  }),
];

export const providerCases: readonly LoopCase[] = [
  ...spoken("signatures of Gemini", GEMINI, "gemini-3.8-flash", 10_000, (index) => ({
    tool_calls: [
      {
        index,
        id: `c${index}`,
        type: "function",
        function: { name: "f", arguments: "{}" },
        extra_content: { google: { thought_signature: "a".repeat(30) } },
      },
    ],
  })),
  ...spoken("thinking of Mistral", MISTRAL, "mistral-large-latest", 10_000, (index) => ({
    content: [
      { type: "thinking", thinking: [{ type: "text", text: `t${index}` }] },
      { type: "text", text: "a" },
    ],
  })),
  ...["/chat/completions", "/messages", "/responses"].map((path): LoopCase => ({
    name: `prompt caching of a long conversation, ${path}`,
    full: 5_000,
    run: (world, size) => {
      world.wire.on(
        "POST /caching/v1/messages",
        reply(200, {
          id: "m",
          type: "message",
          role: "assistant",
          model: "claude-sonnet-4-6",
          content: [{ type: "text", text: "a" }],
          stop_reason: "end_turn",
          usage: { input_tokens: 1, output_tokens: 1 },
        }),
      );
      const turns = range(size).map((index) => ({
        role: index % 2 === 0 ? "user" : "assistant",
        content: "words ".repeat(100),
      }));
      const message = path === "/responses" ? { input: turns } : { messages: turns };
      return world.post(path, JSON.stringify({ model: "caching/claude-sonnet-4-6", max_tokens: 100, ...message }));
    },
  })),
  ...pictures,
  ...databases,
];

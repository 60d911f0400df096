import { getFields, findFiles } from "./form-fields.ts";
import { formatJavascriptLiteral } from "./literals.ts";
import {
  isSound,
  listParts,
  formatSoundFile,
  type SampleBody,
  type SampleKey,
  type SampleRequest,
} from "./sample-request.ts";
import { getSdkCall, type SdkCall } from "./sdk-calls.ts";

/** A call as a module of TypeScript, which is JavaScript too, by the SDK that has it. */
export function formatTypescriptSample(origin: string, { path, body }: SampleRequest, key: SampleKey): string {
  const fields = body instanceof FormData ? getFields(listParts(body)) : body;
  const call = getSdkCall(path, fields);
  const parts = call === undefined ? plain(path, body) : writeTyped(call, fields);
  const secret = "variable" in key ? `process.env.${key.variable}` : formatJavascriptLiteral(key.text);
  return [
    ...parts.imports,
    ...(call?.sdk === "anthropic"
      ? [
          `import Anthropic from "@anthropic-ai/sdk";`,
          ``,
          // A key in the environment would override the token.
          `const client = new Anthropic({ baseURL: ${formatJavascriptLiteral(origin)}, authToken: ${secret}, apiKey: null });`,
        ]
      : [
          `import OpenAI from "openai";`,
          ``,
          `const client = new OpenAI({ baseURL: ${formatJavascriptLiteral(`${origin}/v1`)}, apiKey: ${secret} });`,
        ]),
    ...parts.lines,
  ].join("\n");
}

interface Parts {
  readonly imports: readonly string[];
  readonly lines: readonly string[];
}

function writeTyped({ method, answer: response }: SdkCall, fields: SampleBody): Parts {
  const files = Object.values(fields).some((value) => findFiles(value) !== null);
  const writes = response === "pictures" || response === "sound";
  const shown =
    response === "sound" ? [savedSound(fields)] : fields["stream"] === true ? STREAMED[response] : WHOLE[response];
  return {
    imports: [
      ...(files ? [`import { createReadStream } from "node:fs";`] : []),
      ...(writes ? [`import { writeFile } from "node:fs/promises";`] : []),
    ],
    lines: [`const answer = await client.${method}(${getArguments(fields)});`, ...(shown ?? [`console.log(answer);`])],
  };
}

function getArguments(fields: SampleBody): string {
  const lines = Object.entries(fields).map(([name, value]) => {
    const files = findFiles(value)?.map((file) => `createReadStream(${formatJavascriptLiteral(file)})`);
    const text = files === undefined ? formatJavascriptLiteral(value, "  ") : files.join(", ");
    return `  ${name}: ${files !== undefined && Array.isArray(value) ? `[${text}]` : text},`;
  });
  return `{\n${lines.join("\n")}\n}`;
}

/** Writes a call by the SDK's generic method if it has no specific one. */
function plain(path: string, body: SampleRequest["body"]): Parts {
  const call = (given: string): string =>
    `await client.post(${formatJavascriptLiteral(path.replace(/^\/v1/, ""))}, { body: ${given} })`;
  if (body instanceof FormData) {
    return {
      imports: [`import { openAsBlob } from "node:fs";`],
      lines: [
        `const form = new FormData();`,
        ...listParts(body).map(({ name, value, file }) => {
          const text = formatJavascriptLiteral(value);
          const given = file ? `await openAsBlob(${text}), ${text}` : text;
          return `form.append(${formatJavascriptLiteral(name)}, ${given});`;
        }),
        `console.log(${call("form")});`,
      ],
    };
  }
  const response = call(formatJavascriptLiteral(body));
  if (isSound(path)) {
    return {
      imports: [`import { writeFile } from "node:fs/promises";`],
      lines: [`const answer = ${response}.asResponse();`, savedSound(body)],
    };
  }
  if (body["stream"] === true) {
    return {
      imports: [],
      lines: [
        `const answer = ${response}.asResponse();`,
        `if (answer.body !== null) for await (const bytes of answer.body) process.stdout.write(bytes);`,
      ],
    };
  }
  return { imports: [], lines: [`console.log(${response});`] };
}

const savedSound = (fields: SampleBody): string =>
  `await writeFile(${formatJavascriptLiteral(formatSoundFile(fields))}, Buffer.from(await answer.arrayBuffer()));`;

type Shown = Readonly<Partial<Record<SdkCall["answer"], readonly string[]>>>;

const WHOLE: Shown = {
  chat: [`console.log(answer.choices[0]?.message.content);`],
  response: [`console.log(answer.output_text);`],
  message: [`for (const block of answer.content) if (block.type === "text") console.log(block.text);`],
  words: [`console.log(answer.text);`],
  judgement: [`console.log(answer.results[0]?.flagged);`],
  vectors: [`console.log(answer.data.map(({ embedding }) => embedding.length));`],
  pictures: [
    `for (const [index, picture] of (answer.data ?? []).entries()) {`,
    `  if (picture.b64_json === undefined) console.log(picture.url);`,
    '  else await writeFile(`picture-${index + 1}.png`, Buffer.from(picture.b64_json, "base64"));',
    `}`,
  ],
};

const STREAMED: Shown = {
  chat: [`for await (const chunk of answer) process.stdout.write(chunk.choices[0]?.delta.content ?? "");`],
  response: [
    `for await (const event of answer) {`,
    `  if (event.type === "response.output_text.delta") process.stdout.write(event.delta);`,
    `}`,
  ],
  message: [
    `for await (const event of answer) {`,
    `  if (event.type === "content_block_delta" && event.delta.type === "text_delta") process.stdout.write(event.delta.text);`,
    `}`,
  ],
};

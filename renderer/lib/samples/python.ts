import { getFields, findFiles } from "./form-fields.ts";
import { formatPythonLiteral } from "./literals.ts";
import {
  isSound,
  listParts,
  formatSoundFile,
  type SampleBody,
  type SampleKey,
  type SampleRequest,
} from "./sample-request.ts";
import { getSdkCall, type SdkCall } from "./sdk-calls.ts";

/** A call as a program for Python, by the SDK that has it. */
export function formatPythonSample(origin: string, { path, body }: SampleRequest, key: SampleKey): string {
  const fields = body instanceof FormData ? getFields(listParts(body)) : body;
  const call = getSdkCall(path, fields);
  const parts = call === undefined ? plain(path, fields) : writeTyped(call, fields);
  const anthropic = call?.sdk === "anthropic";
  const imports = [...("variable" in key ? ["import os"] : []), ...parts.imports];
  const secret = "variable" in key ? `os.environ[${formatPythonLiteral(key.variable)}]` : formatPythonLiteral(key.text);
  return [
    ...imports,
    ...(imports.length > 0 ? [""] : []),
    anthropic
      ? "from anthropic import Anthropic"
      : `from openai import ${["OpenAI", ...(parts.types ?? [])].join(", ")}`,
    "",
    anthropic
      ? `client = Anthropic(base_url=${formatPythonLiteral(origin)}, auth_token=${secret})`
      : `client = OpenAI(base_url=${formatPythonLiteral(`${origin}/v1`)}, api_key=${secret})`,
    ...parts.lines,
  ].join("\n");
}

interface Parts {
  readonly imports: readonly string[];
  /** Further imports from the SDK. */
  readonly types?: readonly string[];
  readonly lines: readonly string[];
}

function writeTyped({ method, answer: response }: SdkCall, fields: SampleBody): Parts {
  const given = Object.entries(fields).map(([name, value]) => `    ${name}=${formatArgument(value)},`);
  const streams = fields["stream"] === true;
  if (response === "sound") {
    return {
      imports: [],
      lines: [
        `with client.${method.replace(".create", ".with_streaming_response.create")}(`,
        ...given,
        `) as answer:`,
        `    answer.stream_to_file(${formatPythonLiteral(formatSoundFile(fields))})`,
      ],
    };
  }
  const shown = streams ? STREAMED[response] : WHOLE[response];
  return {
    imports: response === "pictures" ? ["import base64"] : [],
    lines: [`answer = client.${method}(`, ...given, `)`, ...(shown ?? [`print(answer)`])],
  };
}

/** Writes a call by the SDK's generic method if it has no specific one. */
function plain(path: string, fields: SampleBody): Parts {
  const files = Object.entries(fields).flatMap(([name, value]) =>
    (findFiles(value) ?? []).map(
      (file) => `        (${formatPythonLiteral(formatFieldName(name, value))}, ${openFile(file)}),`,
    ),
  );
  const texts = Object.fromEntries(Object.entries(fields).filter(([, value]) => findFiles(value) === null));
  const sound = isSound(path);
  const type = sound ? "HttpxBinaryResponseContent" : fields["stream"] === true ? "str" : "object";
  return {
    imports: [],
    types: sound ? [type] : [],
    lines: [
      `answer = client.post(`,
      `    ${formatPythonLiteral(path.replace(/^\/v1/, ""))},`,
      `    cast_to=${type},`,
      `    body=${formatPythonLiteral(texts, "    ")},`,
      ...(files.length === 0
        ? []
        : [`    files=[`, ...files, `    ],`, `    options={"headers": {"Content-Type": "multipart/form-data"}},`]),
      `)`,
      sound ? `answer.write_to_file(${formatPythonLiteral(formatSoundFile(fields))})` : `print(answer)`,
    ],
  };
}

const formatFieldName = (name: string, value: unknown): string => (Array.isArray(value) ? `${name}[]` : name);
const openFile = (file: string): string => `open(${formatPythonLiteral(file)}, "rb")`;

function formatArgument(value: unknown): string {
  const files = findFiles(value);
  if (files === null) return formatPythonLiteral(value, "    ");
  return Array.isArray(value) ? `[${files.map(openFile).join(", ")}]` : files.map(openFile).join("");
}

type Shown = Readonly<Partial<Record<SdkCall["answer"], readonly string[]>>>;

const WHOLE: Shown = {
  chat: [`print(answer.choices[0].message.content)`],
  response: [`print(answer.output_text)`],
  message: [`print(answer.content[0].text)`],
  words: [`print(answer.text)`],
  judgement: [`print(answer.results[0].flagged)`],
  vectors: [`print([len(each.embedding) for each in answer.data])`],
  pictures: [
    `for number, picture in enumerate(answer.data, 1):`,
    `    if picture.b64_json is None:`,
    `        print(picture.url)`,
    `    else:`,
    `        with open(f"picture-{number}.png", "wb") as file:`,
    `            file.write(base64.b64decode(picture.b64_json))`,
  ],
};

const STREAMED: Shown = {
  chat: [
    `for chunk in answer:`,
    `    if chunk.choices:`,
    `        print(chunk.choices[0].delta.content or "", end="", flush=True)`,
  ],
  response: [
    `for event in answer:`,
    `    if event.type == "response.output_text.delta":`,
    `        print(event.delta, end="", flush=True)`,
  ],
  message: [
    `for event in answer:`,
    `    if event.type == "content_block_delta" and event.delta.type == "text_delta":`,
    `        print(event.delta.text, end="", flush=True)`,
  ],
};

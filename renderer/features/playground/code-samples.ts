import { shellWord } from "../../lib/shell.ts";
import type { V1Request } from "./calls/call-v1.ts";

/** The same call from a program. The key is a variable: a text that is pasted somewhere gives nothing away. */
export const sampleKinds = ["curl", "python", "javascript"] as const;
export type SampleKind = (typeof sampleKinds)[number];

/** @param origin where Postern answers, as http://127.0.0.1:6174 */
export function codeSample(kind: SampleKind, origin: string, { path, body }: V1Request): string {
  const address = `${origin}${path}`;
  return body instanceof FormData ? FORMS[kind](address, partsOf(body)) : BODIES[kind](address, body);
}

type Body = Readonly<Record<string, unknown>>;

/** A field of a form: a text, or a file under the name that it would have. */
interface Part {
  readonly name: string;
  readonly value: string;
  readonly file: boolean;
}

const partsOf = (form: FormData): readonly Part[] =>
  [...form].map(([name, value]) =>
    typeof value === "string" ? { name, value, file: false } : { name, value: value.name, file: true },
  );

const BODIES: Readonly<Record<SampleKind, (address: string, body: Body) => string>> = {
  curl: (address, body) =>
    [
      `curl ${body["stream"] === true ? "-N " : ""}${shellWord(address)} \\`,
      `  -H "Authorization: Bearer $POSTERN_API_KEY" \\`,
      `  -H 'Content-Type: application/json' \\`,
      `  -d ${shellWord(JSON.stringify(body))}`,
    ].join("\n"),
  python: (address, body) =>
    [
      `import os`,
      `import requests`,
      ``,
      `response = requests.post(`,
      `    ${python(address)},`,
      `    headers={"Authorization": "Bearer " + os.environ["POSTERN_API_KEY"]},`,
      `    json=${python(body, "    ")},`,
      ...(body["stream"] === true ? [`    stream=True,`] : []),
      `)`,
      `response.raise_for_status()`,
      ...(body["stream"] === true
        ? [`for line in response.iter_lines():`, `    print(line.decode())`]
        : shownInPython(address)),
    ].join("\n"),
  javascript: (address, body) =>
    [
      `const response = await fetch(${JSON.stringify(address)}, {`,
      `  method: "POST",`,
      `  headers: {`,
      `    Authorization: \`Bearer \${process.env.POSTERN_API_KEY}\`,`,
      `    "Content-Type": "application/json",`,
      `  },`,
      `  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll("\n", "\n  ")}),`,
      `});`,
      `if (!response.ok) throw new Error(await response.text());`,
      ...(body["stream"] === true
        ? [`for await (const bytes of response.body) process.stdout.write(bytes);`]
        : shownInJavaScript(address)),
    ].join("\n"),
};

const FORMS: Readonly<Record<SampleKind, (address: string, parts: readonly Part[]) => string>> = {
  curl: (address, parts) =>
    [
      `curl ${shellWord(address)} \\`,
      `  -H "Authorization: Bearer $POSTERN_API_KEY" \\`,
      ...parts.map(({ name, value, file }, index) => {
        // --form-string takes a text as it is, whatever it begins with.
        const part = file
          ? `-F ${shellWord(`${name}=@${curlFile(value)}`)}`
          : `--form-string ${shellWord(`${name}=${value}`)}`;
        return `  ${part}${index === parts.length - 1 ? "" : " \\"}`;
      }),
    ].join("\n"),
  python: (address, parts) =>
    [
      `import os`,
      `import requests`,
      ``,
      `response = requests.post(`,
      `    ${python(address)},`,
      `    headers={"Authorization": "Bearer " + os.environ["POSTERN_API_KEY"]},`,
      `    data=${python(Object.fromEntries(parts.filter(({ file }) => !file).map(({ name, value }) => [name, value])), "    ")},`,
      `    files={`,
      ...parts
        .filter(({ file }) => file)
        .map(({ name, value }) => `        ${python(name)}: open(${python(value)}, "rb"),`),
      `    },`,
      `)`,
      `response.raise_for_status()`,
      `print(response.json())`,
    ].join("\n"),
  javascript: (address, parts) =>
    [
      `import { openAsBlob } from "node:fs";`,
      ``,
      `const form = new FormData();`,
      ...parts.map(({ name, value, file }) =>
        file
          ? `form.set(${JSON.stringify(name)}, await openAsBlob(${JSON.stringify(value)}), ${JSON.stringify(value)});`
          : `form.set(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
      ),
      `const response = await fetch(${JSON.stringify(address)}, {`,
      `  method: "POST",`,
      `  headers: { Authorization: \`Bearer \${process.env.POSTERN_API_KEY}\` },`,
      `  body: form,`,
      `});`,
      `if (!response.ok) throw new Error(await response.text());`,
      `console.log(await response.json());`,
    ].join("\n"),
};

/** Sound comes as it is, everything else as JSON. */
const isSound = (address: string): boolean => address.endsWith("/audio/speech");

const shownInPython = (address: string): readonly string[] =>
  isSound(address) ? [`open("speech", "wb").write(response.content)`] : [`print(response.json())`];

const shownInJavaScript = (address: string): readonly string[] =>
  isSound(address)
    ? [`process.getBuiltinModule("fs").writeFileSync("speech", Buffer.from(await response.arrayBuffer()));`]
    : [`console.log(await response.json());`];

/** A file's name for -F, which takes a comma for a second file and a semicolon for the end of the name. */
const curlFile = (name: string): string => (/[,;"\\]/.test(name) ? JSON.stringify(name) : name);

/** A value of JSON as Python writes it. @param indent of the line it begins on */
export function python(value: unknown, indent = ""): string {
  const inner = `${indent}    `;
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    return `[\n${value.map((item) => `${inner}${python(item, inner)},\n`).join("")}${indent}]`;
  }
  if (typeof value === "object") {
    const entries = Object.entries(value);
    if (entries.length === 0) return "{}";
    const lines = entries.map(([name, item]) => `${inner}${JSON.stringify(name)}: ${python(item, inner)},\n`);
    return `{\n${lines.join("")}${indent}}`;
  }
  // Strings of JSON are strings of Python too.
  return JSON.stringify(value);
}
